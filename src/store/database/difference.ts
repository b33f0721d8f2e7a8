// The difference between two revisions of a file: which bytes of the one before are taken over, in
// order, and how many new ones follow each: `from length put from length put …\n` + what is put.
//
// A state file is changed in a few places at a time: a time near its beginning, a task that moves
// from list to list, a count at its end. What both begin and end with is found first; between
// them, some bytes out of the one are looked for in the other, and where they are found the same is
// done on either side. 1 MiB with four changed lines: 0.3 ms, and about 150 bytes.

/** What makes `after` out of `before`. */
export function differenceOf(before: Uint8Array, after: Uint8Array): Uint8Array {
  const runs: Run[] = [];
  const whole = { from: 0, fromEnd: before.length, to: 0, toEnd: after.length };
  collectRuns(asBuffer(before), asBuffer(after), whole, runs, 0);
  const head: number[] = [];
  const put: Uint8Array[] = [];
  let length = 0;
  runs.forEach((run, place) => {
    length += run.length;
    const [from, end] = [run.from + run.length, run.to + run.length];
    const next = runs[place + 1];
    // Two that go on from each other are one.
    if (next?.from === from && next.to === end) return;
    head.push(from - length, length, (next?.to ?? after.length) - end);
    put.push(after.subarray(end, next?.to));
    length = 0;
  });
  return Buffer.concat([Buffer.from(`${head.join(" ")}\n`, "latin1"), ...put]);
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
  for (const difference of differences) {
    const read = readDifference(difference);
    const next: Uint8Array[] = [];
    for (const { from, length, put } of read ?? [])
      if (takeBytes(pieces, from, length, next)) next.push(put);
      else return undefined;
    if (read === undefined) return undefined;
    pieces = next;
  }
  return Buffer.concat(pieces);
}

// --- internal ---

/** Bytes that both have: so many, there and there. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

interface Range {
  readonly from: number;
  readonly fromEnd: number;
  readonly to: number;
  readonly toEnd: number;
}

/** Compared natively in blocks of these sizes, byte by byte only inside the last that differs. */
const blocks = [65_536, 4096, 256] as const;
const newline = 0x0a;
/** So many bytes are looked for: in a list of ids that is some five of them. */
const sample = 64;
/** So far from its old place it is looked for first. */
const near = 1024;
/** Halved so often at most: 64 places that differ. */
const deepest = 6;
/** Nothing is looked for in more: a search that does not find anything reads all of it. */
const mostSearched = 16 * 1024 * 1024;
/** Three numbers for each of the runs, of which there are at most twice as many as halves. */
const longestHead = 2 ** (deepest + 1) * 3 * 17;

/** In order. The first begins where the range does, with nothing where nothing is the same. */
function collectRuns(
  before: Buffer,
  after: Buffer,
  { from, fromEnd, to, toEnd }: Range,
  runs: Run[],
  depth: number,
): void {
  const most = Math.min(fromEnd - from, toEnd - to);
  const prefix = commonPrefix(before, from, after, to, most);
  if (prefix > 0 || depth === 0) runs.push({ from, to, length: prefix });
  const suffix = commonSuffix(before, fromEnd, after, toEnd, most - prefix);
  const inner = {
    from: from + prefix,
    fromEnd: fromEnd - suffix,
    to: to + prefix,
    toEnd: toEnd - suffix,
  };
  const found = depth < deepest ? findSample(before, after, inner) : undefined;
  if (found) {
    const left = { ...inner, fromEnd: found.from, toEnd: found.to };
    collectRuns(before, after, left, runs, depth + 1);
    const right = { ...inner, from: found.from, to: found.to };
    collectRuns(before, after, right, runs, depth + 1);
  }
  if (suffix > 0) runs.push({ from: fromEnd - suffix, to: toEnd - suffix, length: suffix });
}

/** Somewhere inside, some bytes that both have. */
function findSample(
  before: Buffer,
  after: Buffer,
  { from, fromEnd, to, toEnd }: Range,
): { from: number; to: number } | undefined {
  const room = fromEnd - from - sample;
  if (room < 0 || toEnd - to < sample || toEnd - to > mostSearched) return undefined;
  const searched = after.subarray(to, toEnd);
  for (const part of [4, 2, 6, 1, 3, 5, 7]) {
    const at = from + Math.floor((room * part) / 8);
    const found = findNear(searched, before.subarray(at, at + sample), at - from);
    if (found >= 0) return { from: at, to: to + found };
  }
  return undefined;
}

/** Around its old place first: what came before it has seldom grown by much. Then anywhere. */
function findNear(searched: Buffer, wanted: Buffer, place: number): number {
  const begin = Math.max(0, place - near);
  const found = searched.subarray(begin, place + near + wanted.length).indexOf(wanted);
  return found >= 0 ? begin + found : searched.indexOf(wanted);
}

function commonPrefix(a: Buffer, fromA: number, b: Buffer, fromB: number, most: number): number {
  let length = 0;
  for (const size of blocks)
    while (length + size <= most && isSame(a, fromA + length, b, fromB + length, size))
      length += size;
  while (length < most && a[fromA + length] === b[fromB + length]) length++;
  return length;
}

function commonSuffix(a: Buffer, endA: number, b: Buffer, endB: number, most: number): number {
  let length = 0;
  for (const size of blocks)
    while (length + size <= most && isSame(a, endA - length - size, b, endB - length - size, size))
      length += size;
  while (length < most && a[endA - length - 1] === b[endB - length - 1]) length++;
  return length;
}

function isSame(a: Buffer, fromA: number, b: Buffer, fromB: number, size: number): boolean {
  return a.compare(b, fromB, fromB + size, fromA, fromA + size) === 0;
}

function readDifference(
  difference: Uint8Array,
): { from: number; length: number; put: Uint8Array }[] | undefined {
  const end = difference.subarray(0, longestHead).indexOf(newline);
  const head = asBuffer(difference.subarray(0, Math.max(end, 0))).toString("latin1");
  if (end < 0 || !/^\d{1,16} \d{1,16} \d{1,16}( \d{1,16} \d{1,16} \d{1,16})*$/.test(head))
    return undefined;
  const numbers = head.split(" ").map(Number);
  let at = end + 1;
  const parts = [];
  for (let n = 0; n < numbers.length; n += 3) {
    const [from = 0, length = 0, put = 0] = numbers.slice(n, n + 3);
    parts.push({ from, length, put: difference.subarray(at, at + put) });
    at += put;
  }
  return at === difference.length ? parts : undefined;
}

/** False when there are not so many. */
function takeBytes(
  pieces: readonly Uint8Array[],
  from: number,
  length: number,
  into: Uint8Array[],
): boolean {
  let [skip, left] = [from, length];
  for (const piece of pieces) {
    if (left === 0) break;
    if (skip < piece.length) {
      const taken = piece.subarray(skip, skip + left);
      into.push(taken);
      left -= taken.length;
    }
    skip = Math.max(0, skip - piece.length);
  }
  return left === 0;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
