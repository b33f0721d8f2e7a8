// JSON exactly as we print it: nearly every file we read, and proven so by native code alone.

export const maxDepth = 64;

/** Undefined: not as we print it, or not JSON at all; json.ts finds out which. */
export function parsePlain(text: string): { readonly value: unknown } | undefined {
  // First of all: so much could be built of brackets alone that it would not be held.
  if (text.length > smallLength && isDeep(text)) return undefined;
  // An escape may hide half a character, which prints as it was written.
  if (text.includes("__proto__") || text.includes("\\u")) return undefined;
  const indent = indentOf(text);
  if (text.length <= smallLength && mayBeDeep(text, indent)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isPrinted(value, text, indent) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** Are there more brackets open at once than allowed? Those in texts do not count. */
export function isDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 34) {
      for (i++; i < text.length && text.charCodeAt(i) !== 34; i++)
        if (text.charCodeAt(i) === 92) i++;
    } else if (code === 91 || code === 123) {
      if (++depth > maxDepth) return true;
    } else if (code === 93 || code === 125) depth--;
  }
  return false;
}

export function indentOf(text: string | undefined): string {
  if (text === undefined) return "  ";
  const second = text.indexOf("\n") + 1;
  if (second === 0) return "";
  let end = second;
  while (text[end] === " " || text[end] === "\t") end++;
  return text.slice(second, end).slice(0, 10);
}

// --- internal ---

/** So little can not grow too large to be held, and JSON.stringify ends it if it is too deep. */
const smallLength = 64 * 1024;

/** What is printed so deep begins a line with as much space; without any, each bracket counts. */
function mayBeDeep(text: string, indent: string): boolean {
  return indent === "" ? isDeep(text) : text.includes(`\n${indent.repeat(maxDepth)}`);
}

/**
 * Text that equals its own printed form has no key twice and no number that would change: two native
 * calls prove it, a scan in JavaScript costs three times as much.
 */
function isPrinted(value: unknown, text: string, indent: string): boolean {
  const body = JSON.stringify(value, null, indent);
  return text.length - body.length === (text.endsWith("\n") ? 1 : 0) && text.startsWith(body);
}
