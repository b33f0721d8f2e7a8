// What both syntaxes share: bytes to text, offsets to lines, the outcome of parsing.
import { msg } from "../core/messages.ts";
import type { Finding } from "./format.ts";

export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly findings: readonly Finding[] };

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** 1-based line and column of an offset. */
export function placeAt(text: string, offset: number): Place {
  let line = 1;
  let start = 0;
  for (let i = text.indexOf("\n"); i >= 0 && i < offset; i = text.indexOf("\n", i + 1)) {
    line++;
    start = i + 1;
  }
  return { line, column: offset - start + 1 };
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** UTF-8 or nothing: a wrong byte is named, never replaced and written back. */
export function decode(bytes: Uint8Array): { text: string } | { finding: Finding } {
  try {
    return { text: decoder.decode(bytes) };
  } catch {
    return {
      finding: {
        level: "error",
        pointer: "",
        text: msg("format.not_utf8"),
        line: firstBadLine(bytes),
        column: 1,
      },
    };
  }
}

function firstBadLine(bytes: Uint8Array): number {
  // Decoding lines one by one finds the first bad one; only ever done once, for a complaint.
  let line = 1;
  let start = 0;
  for (let i = bytes.indexOf(10); i >= 0; i = bytes.indexOf(10, start)) {
    try {
      decoder.decode(bytes.subarray(start, i));
    } catch {
      return line;
    }
    line++;
    start = i + 1;
  }
  return line;
}

/** Deep equality of plain data; the order of keys means nothing. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = b as Record<string, unknown>;
  if (left.length !== Object.keys(right).length) return false;
  return left.every(([key, value]) => Object.hasOwn(right, key) && sameValue(value, right[key]));
}
