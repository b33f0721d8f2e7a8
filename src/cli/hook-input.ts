// The JSON that a hook is given on standard input: read once, whoever asks first.
import { readSync } from "node:fs";

/** A tool may write a large file, and its text is in the hook's JSON. More is not looked at. */
export const mostHookBytes = 16 * 1024 * 1024;

/** All of it is taken, so that whoever writes does not fail; undefined: more than we keep. */
export function hookInput(): string | undefined {
  kept ??= { text: read() };
  return kept.text;
}

/** Undefined: it is no JSON object. */
export function hookObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

// --- internal ---

let kept: { readonly text: string | undefined } | undefined;

function read(): string | undefined {
  const chunks: Buffer[] = [];
  const chunk = Buffer.allocUnsafe(64 * 1024);
  let size = 0;
  for (;;) {
    const count = readSync(0, chunk);
    if (count === 0) break;
    size += count;
    if (size <= mostHookBytes) chunks.push(Buffer.from(chunk.subarray(0, count)));
  }
  return size > mostHookBytes ? undefined : Buffer.concat(chunks).toString("utf8");
}
