// The forms in which a secret turns up: as it is, and as programs write it into URLs, JSON and
// headers. Short encoded forms would hit innocent text, so only values of 8 characters have them.

/** As bytes, each once. */
export function redactionForms(secrets: readonly string[]): Uint8Array[] {
  const forms = new Map<string, Uint8Array>();
  for (const secret of secrets)
    for (const text of formsOf(secret)) if (!forms.has(text)) forms.set(text, encode(text));
  return [...forms.values()];
}

// --- internal ---

const encoder = new TextEncoder();
const encode = (text: string): Uint8Array => encoder.encode(text);

const shortestEncoded = 8;
const shortestLine = 16;

function formsOf(secret: string): string[] {
  const values = [secret, ...linesOf(secret)];
  return values.flatMap((value) =>
    Array.from(value).length < shortestEncoded
      ? [value]
      : [value, ...inUrl(value), ...inJson(value), ...inBase64(encode(value))],
  );
}

/**
 * A key of many lines is often shown indented or line by line; what stands between dashes
 * (-----BEGIN …) is the same in everybody's key.
 */
function linesOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  if (lines.length === 1) return [];
  return lines.filter((line) => line.length >= shortestLine && !line.startsWith("-----"));
}

function inUrl(value: string): string[] {
  // A lone half of a pair can not stand in a URL: encoded and decoded it is a whole character.
  const encoded = encodeURIComponent(new TextDecoder().decode(encode(value)));
  const lower = encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  // A form writes + for a blank; some programs escape everything but letters, digits and -._~
  const form = new URLSearchParams({ v: value }).toString().slice(2);
  const strict = encoded.replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return [encoded, lower, form, strict];
}

function inJson(value: string): string[] {
  const plain = JSON.stringify(value).slice(1, -1);
  const ascii = plain.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return [plain, ascii, plain.replaceAll("/", "\\/"), JSON.stringify(plain).slice(1, -1)];
}

/**
 * Base64 of something that holds the value, as `user:password` in a header does: which letters
 * come out depends on where in a group of three bytes it begins. Those at both ends that mix with
 * a neighbour's bits are left out of the form.
 */
function inBase64(value: Uint8Array): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const shifted = new Uint8Array(offset + value.length);
    shifted.set(value, offset);
    const bits = shifted.length * 8;
    const text = base64(shifted).slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6));
    return [text, text.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
