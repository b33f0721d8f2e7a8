// Bytes in any chunking → the lines worth looking at.
//
// Hours of output hold a handful of markers, so the cost is that of skipping. Outside a block
// no line is cut at all: six native searches per chunk find the rare words every marker and
// fence contains, and only a line that has one near its beginning is decoded. The words are
// chosen for a rare first letter, because that is what the search runs on (memchr): `Q`, `R`, `C` and
// `V` instead of `[` and `=`. Cutting at each newline first costs three times as much.
//
// Of a line that goes on over chunks only a bounded head is kept, and nothing at all when its
// first character already rules a marker out.

/** One line, its head only when it is longer than the limit. */
export interface Line {
  readonly text: string;
  readonly start: number;
  /** The byte after its newline, or the end of the stream. */
  readonly end: number;
}

export interface Fence {
  readonly char: "`" | "~";
  readonly length: number;
  /** Lines that start here or later are not hidden by it. */
  readonly until: number;
}

/** What the reader of lines wants next: each line, or only candidates, perhaps in a fence. */
export type Watch = "every" | Fence | null;

export interface SavedLine {
  readonly offset: number;
  readonly total: number;
  readonly dull: boolean;
  /** base64 */
  readonly head: string;
}

export interface LineReader {
  /** Bytes taken so far. */
  readonly offset: number;
  push(chunk: Uint8Array): void;
  /** The stream is over: its last line may have no newline. */
  end(): void;
  save(): SavedLine;
}

export function createLineReader(options: {
  /** All that is kept of a line, in bytes. */
  limit: number;
  watch: () => Watch;
  take: (line: Line) => void;
  saved?: SavedLine | undefined;
}): LineReader {
  const { limit, watch, take } = options;
  let offset = options.saved?.offset ?? 0;
  const partial = createPartial(limit, options.saved);
  const finder = createFinder();

  const finish = (end: number): void => {
    const text = partial.text();
    const start = offset - partial.total;
    partial.clear();
    if (text !== null) take({ text: withoutBom(text, start), start, end });
  };

  return {
    get offset() {
      return offset;
    },
    push(chunk) {
      const view = Buffer.isBuffer(chunk)
        ? chunk
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const base = offset;
      let position = 0;
      if (partial.total > 0) {
        const newline = view.indexOf(NEWLINE);
        const stop = newline < 0 ? view.length : newline;
        partial.add(view, 0, stop, offset === partial.total, watch() === "every");
        offset += stop;
        if (newline < 0) return;
        finish(offset + 1);
        position = newline + 1;
      }
      const last = view.lastIndexOf(NEWLINE);
      finder.begin(view, last);
      while (position <= last) {
        const start = finder.next(position, watch(), base);
        if (start < 0) break;
        const newline = newlineAfter(view, start);
        const text = view.toString("utf8", start, Math.min(newline, start + limit));
        const end = base + newline + 1;
        take({ text: withoutBom(text, base + start), start: base + start, end });
        position = newline + 1;
      }
      finder.end();
      offset = base + view.length;
      const tail = Math.max(position, last + 1);
      partial.add(view, tail, view.length, base + tail === 0, watch() === "every");
    },
    end() {
      if (partial.total > 0) finish(offset);
    },
    save: () => ({ offset, ...partial.save() }),
  };
}

// --- internal ---

const empty = Buffer.alloc(0);
const NEWLINE = 0x0a;
const SPACE = 0x20;

// At most 7 letters: from 8 on the native search changes to a method that is slower here.
const needles = ["QUEST", "RROR", "COMPLET", "VERIF", "```", "~~~"].map((word) =>
  Buffer.from(word),
);
const ERROR_NEEDLE = 1;
const fenceNeedles = { "`": 4, "~": 5 } as const;

/** The farthest a needle stands from its line's first byte: BOM, margin, `=== CUSTOM TASK `. */
const REACH = 24;

/** The first characters a marker or a fence can have: [ = ` ~ */
const firstBytes = new Set([0x5b, 0x3d, 0x60, 0x7e]);

const NONE = 0x7fff_ffff;

/** Finds the next complete line to look at, chunk by chunk. */
function createFinder() {
  // Per needle the next line that has it near its start; searched anew only when passed, so
  // each byte is searched once per needle.
  const found = new Int32Array(needles.length);
  let view: Buffer = empty;
  let last = -1;

  const advance = (needle: number, from: number): number => {
    const word = needles[needle] ?? empty;
    let floor = from;
    for (;;) {
      const hit = view.indexOf(word, floor);
      if (hit < 0 || hit > last) return NONE;
      const start = lineStart(view, hit, floor);
      if (start >= 0 && (needle !== ERROR_NEEDLE || isErrorTag(view, hit - 2))) return start;
      // Too far into its line, and the rest of that line is farther still.
      floor = newlineAfter(view, hit) + 1;
    }
  };
  const nextOf = (needle: number, from: number): number => {
    const known = found[needle] ?? NONE;
    return known >= from ? known : (found[needle] = advance(needle, from));
  };

  return {
    begin(chunk: Buffer, lastNewline: number): void {
      view = chunk;
      last = lastNewline;
      found.fill(-1);
    },
    /** `from` is a line's start; the result is one too, or -1. `base` is the chunk's offset. */
    next(from: number, watch: Watch, base: number): number {
      if (watch === "every") return from;
      let start = NONE;
      if (watch === null || watch.until <= base + from) {
        for (let needle = 0; needle < needles.length; needle++)
          start = Math.min(start, nextOf(needle, from));
      } else {
        const until = watch.until - base;
        start = nextOf(fenceNeedles[watch.char], from);
        if (start >= until && until <= last) start = view.indexOf(NEWLINE, until - 1) + 1;
      }
      return start <= last ? start : -1;
    },
    end(): void {
      view = empty;
    },
  };
}

function lineStart(view: Buffer, hit: number, floor: number): number {
  const lowest = Math.max(floor, hit - REACH);
  for (let at = hit - 1; at >= lowest; at--) if (view[at] === NEWLINE) return at + 1;
  return lowest === floor ? floor : -1;
}

/** Most lines looked at are fences of a few bytes: a native call costs more than the walk. */
function newlineAfter(view: Buffer, from: number): number {
  const near = Math.min(from + 16, view.length);
  for (let at = from; at < near; at++) if (view[at] === NEWLINE) return at;
  return view.indexOf(NEWLINE, from);
}

/**
 * Is this `[ERROR`, and not `[ERROR] Failed …`, as half the world logs? Ours has `type` or nothing
 * after the bracket. The search is for `RROR`: `[` and `E` are too frequent to run on, and what
 * has `[ERROR` at its beginning has no `RROR` before it.
 */
function isErrorTag(view: Buffer, at: number): boolean {
  if (view[at] !== 0x5b || view[at + 1] !== 0x45) return false;
  if (view[at + 6] !== 0x5d) return true;
  let rest = at + 7;
  while (view[rest] === SPACE || view[rest] === 0x09) rest++;
  const next = view[rest];
  return next === 0x74 || next === NEWLINE || next === 0x0d;
}

function withoutBom(text: string, start: number): string {
  return start === 0 && text.codePointAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The line that is not complete yet. */
function createPartial(limit: number, saved: SavedLine | undefined) {
  let head: Buffer = Buffer.from(saved?.head ?? "", "base64");
  let kept = head.length;
  let total = saved?.total ?? 0;
  let dull = saved?.dull ?? false;

  return {
    get total() {
      return total;
    },
    add(view: Buffer, from: number, to: number, first: boolean, every: boolean): void {
      total += to - from;
      if (dull || from === to) return;
      const more = Math.min(to - from, limit - kept);
      if (kept + more > head.length) head = grow(head, kept, kept + more, limit);
      view.copy(head, kept, from, from + more);
      kept += more;
      if (every || !isDull(head, kept, first)) return;
      dull = true;
      kept = 0;
      head = empty;
    },
    /** Null when it is known to be no marker. */
    text: () => (dull ? null : head.toString("utf8", 0, kept)),
    clear(): void {
      total = kept = 0;
      dull = false;
      // A large head was a rare thing; many agents must not each hold on to one.
      if (head.length > 4096) head = empty;
    },
    save: () => ({ total, dull, head: head.toString("base64", 0, kept) }),
  };
}

function grow(head: Buffer, kept: number, need: number, limit: number): Buffer {
  const larger = Buffer.alloc(Math.min(limit, Math.max(need, 2 * head.length, 256)));
  head.copy(larger, 0, 0, kept);
  return larger;
}

/** Does the head already show that no marker and no fence begins here? */
function isDull(head: Buffer, kept: number, first: boolean): boolean {
  let at = 0;
  if (first && head[0] === 0xef) {
    if (kept < 3) return false;
    if (head[1] === 0xbb && head[2] === 0xbf) at = 3;
  }
  const margin = at + 3;
  while (at < margin && at < kept && head[at] === SPACE) at++;
  return at < kept && !firstBytes.has(head[at] ?? 0);
}
