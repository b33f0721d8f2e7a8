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
  return placesAt(text, [offset]).get(offset) ?? { line: 1, column: 1 };
}

/** Of several offsets, in one pass: a hostile file is all line breaks. */
function placesAt(text: string, offsets: readonly number[]): Map<number, Place> {
  const places = new Map<number, Place>();
  let [line, start, at] = [1, 0, 0];
  for (const offset of offsets.toSorted((a, b) => a - b)) {
    for (; at < offset; at++) {
      if (text.charCodeAt(at) !== 10) continue;
      line++;
      start = at + 1;
    }
    places.set(offset, { line, column: offset - start + 1 });
  }
  return places;
}

export function placesOf(
  text: string,
  pointers: readonly string[],
  offsets: readonly number[],
): Map<string, Place> {
  const places = placesAt(text, offsets);
  return new Map(
    pointers.map((pointer, n) => [pointer, places.get(offsets[n] ?? 0) ?? { line: 1, column: 1 }]),
  );
}

// Made when first asked for: every command loads this file.
let made: InstanceType<typeof TextDecoder> | undefined;
const decoder = () => (made ??= new TextDecoder("utf-8", { fatal: true }));

/** UTF-8 or nothing: a wrong byte is named, never replaced and written back. */
export function decode(bytes: Uint8Array): { text: string } | { finding: Finding } {
  try {
    return { text: decoder().decode(bytes) };
  } catch {
    return {
      finding: {
        level: "error",
        pointer: "",
        text: msg("format.not_utf8"),
        ...placeOfByte(bytes, firstBadByte(bytes)),
      },
    };
  }
}

/** Halves what holds the wrong byte until it is found: twice the decoding, whatever stands there. */
function firstBadByte(bytes: Uint8Array): number {
  let [from, to] = [0, bytes.length];
  while (to - from > 4) {
    let middle = (from + to) >> 1;
    // Never inside a character, as far as one can be told; one that goes on too long is wrong.
    for (let n = 0; n < 3 && ((bytes[middle] ?? 0) & 0xc0) === 0x80; n++) middle--;
    if (middle <= from) break;
    if (isUtf8(bytes.subarray(from, middle))) from = middle;
    else to = middle;
  }
  for (let n = 1; n <= 4 && from + n < to; n++) {
    if (!isUtf8(bytes.subarray(from, from + n))) continue;
    from += n;
    n = 0;
  }
  return from;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder().decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function placeOfByte(bytes: Uint8Array, offset: number): Place {
  let line = 1;
  for (let i = 0; i < offset; i++) if (bytes[i] === 10) line++;
  const start = bytes.lastIndexOf(10, offset - 1) + 1;
  return { line, column: decoder().decode(bytes.subarray(start, offset)).length + 1 };
}

/** Is there half a character (a lone surrogate)? UTF-8 can not hold one. */
export function isBroken(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

/** Half characters become U+FFFD, as UTF-8 would have it. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return mended(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [mended(key), wellFormed(item)]),
  );
}

function mended(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
}

/** Deep equality of plain data; the order of keys means nothing. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = b as Record<string, unknown>;
  if (left.length !== Object.keys(right).length) return false;
  return left.every(([key, value]) => Object.hasOwn(right, key) && sameValue(value, right[key]));
}
