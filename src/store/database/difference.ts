// The difference between two revisions of a file: what both begin with, what both end with, and
// the bytes between. `prefixLength suffixLength\n` + middle.
//
// A state file is changed in one place at a time, so this is nearly as small as a real diff would
// be, needs one pass, and can not be wrong in subtle ways. 1 MiB with one changed line: 0.1 ms.

/** What makes `after` out of `before`. */
export function differenceOf(before: Uint8Array, after: Uint8Array): Uint8Array {
  const shared = Math.min(before.length, after.length);
  const prefix = commonPrefix(before, after, shared);
  const suffix = commonSuffix(before, after, shared - prefix);
  const head = Buffer.from(`${prefix} ${suffix}\n`, "latin1");
  return Buffer.concat([head, after.subarray(prefix, after.length - suffix)]);
}

/** The bytes after; undefined when the difference does not fit what it is applied to. */
export function applyDifference(
  before: Uint8Array,
  difference: Uint8Array,
): Uint8Array | undefined {
  return applyDifferences(before, [difference]);
}

/**
 * Several in a row. Only slices are moved about until the end, so that fifty differences to a
 * large file cost one copy of it and not fifty.
 */
export function applyDifferences(
  before: Uint8Array,
  differences: readonly Uint8Array[],
): Uint8Array | undefined {
  let pieces: Uint8Array[] = [before];
  let length = before.length;
  for (const difference of differences) {
    const read = readDifference(difference);
    if (read === undefined || read.prefix + read.suffix > length) return undefined;
    pieces = [
      ...firstBytes(pieces, read.prefix),
      read.middle,
      ...lastBytes(pieces, read.suffix, length),
    ];
    length = read.prefix + read.middle.length + read.suffix;
  }
  return Buffer.concat(pieces, length);
}

// --- internal ---

/** Compared natively in blocks of this size, byte by byte only inside the one that differs. */
const block = 4096;
const newline = 0x0a;
/** Two numbers up to 2^53, a space and a line end are 34 bytes. */
const longestHead = 34;

function commonPrefix(a: Uint8Array, b: Uint8Array, most: number): number {
  let length = 0;
  while (length + block <= most && sameBytes(a, length, b, length)) length += block;
  while (length < most && a[length] === b[length]) length++;
  return length;
}

function commonSuffix(a: Uint8Array, b: Uint8Array, most: number): number {
  let length = 0;
  while (
    length + block <= most &&
    sameBytes(a, a.length - length - block, b, b.length - length - block)
  )
    length += block;
  while (length < most && a[a.length - length - 1] === b[b.length - length - 1]) length++;
  return length;
}

function sameBytes(a: Uint8Array, fromA: number, b: Uint8Array, fromB: number): boolean {
  return Buffer.compare(a.subarray(fromA, fromA + block), b.subarray(fromB, fromB + block)) === 0;
}

function readDifference(
  difference: Uint8Array,
): { prefix: number; suffix: number; middle: Uint8Array } | undefined {
  const end = difference.subarray(0, longestHead).indexOf(newline);
  const head = /^(\d{1,16}) (\d{1,16})$/.exec(
    Buffer.from(difference.subarray(0, Math.max(end, 0))).toString("latin1"),
  );
  if (end < 0 || head === null) return undefined;
  return {
    prefix: Number(head[1]),
    suffix: Number(head[2]),
    middle: difference.subarray(end + 1),
  };
}

function firstBytes(pieces: readonly Uint8Array[], count: number): Uint8Array[] {
  const taken: Uint8Array[] = [];
  let left = count;
  for (const piece of pieces) {
    if (left <= 0) break;
    taken.push(piece.subarray(0, left));
    left -= piece.length;
  }
  return taken;
}

function lastBytes(pieces: readonly Uint8Array[], count: number, length: number): Uint8Array[] {
  const taken: Uint8Array[] = [];
  let skip = length - count;
  for (const piece of pieces) {
    if (skip < piece.length) taken.push(piece.subarray(Math.max(skip, 0)));
    skip -= piece.length;
  }
  return taken;
}
