// Takes secrets out of text and of streams, by value (S6.6).
//
// All forms of all secrets are looked for at once by one automaton (Aho–Corasick), a step a byte:
// what an agent prints can not make it slow, and a stream needs no second look at what has passed.
// A search for each secret in turn took 17 s for 20 MB that were made to look like the secret.
import { redactionForms } from "./_redact-forms.ts";

export interface Redactor {
  /** False: there is nothing to look for, and everything comes back as it went in. */
  readonly active: boolean;
  /** Is a secret in it, in any form? */
  finds(bytes: Uint8Array): boolean;
  text(text: string): string;
  /** Where secrets lie, in order: for who shows a piece and must not show a part of one. */
  ranges(bytes: Uint8Array): readonly { readonly from: number; readonly to: number }[];
  /** For bytes that come in pieces: a secret may lie across their border. */
  stream(): RedactingStream;
}

export interface RedactingStream {
  /** What may be passed on now: all but a tail that could be the beginning of a secret. */
  push(chunk: Uint8Array): Uint8Array;
  /** The rest. */
  end(): Uint8Array;
  /** Has one been found so far? */
  readonly found: boolean;
}

/** What stands in a secret's place. Short and the same for all: it tells nothing about them. */
export const redactionMark = "[redacted]";

/**
 * Values of fewer than six characters are not looked for: “1234” or “dev” would blank half of every
 * log, and whoever reads it could still guess them. Their names are never stored with values.
 */
export const shortestSecret = 6;

export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = redactionForms(
    secrets.filter((secret) => Array.from(secret).length >= shortestSecret),
  );
  const automaton = forms.length === 0 ? undefined : build(forms);
  return {
    active: automaton !== undefined,
    finds: (bytes) => automaton !== undefined && hits(automaton, bytes),
    text: (text) => {
      const bytes = encoder.encode(text);
      // A text without a secret is not changed at all, whatever lone surrogates it holds.
      if (automaton === undefined || !hits(automaton, bytes)) return text;
      const stream = redacting(automaton);
      return decoder.decode(join([stream.push(bytes), stream.end()]));
    },
    ranges: (bytes) => (automaton === undefined ? [] : rangesIn(automaton, bytes)),
    stream: () => (automaton === undefined ? passing() : redacting(automaton)),
  };
}

// --- internal ---

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const mark = encoder.encode(redactionMark);
const nothing = new Uint8Array(0);

interface Automaton {
  /** Bytes that occur in no secret are one class, so that a row is short. */
  readonly classOf: Uint16Array;
  readonly classes: number;
  /** The state after (state, class). */
  readonly next: Int32Array;
  /** How many of the last bytes are the beginning of some form. */
  readonly depth: Int32Array;
  /** The longest form that ends here; 0: none. */
  readonly ends: Int32Array;
}

function build(forms: readonly Uint8Array[]): Automaton {
  const classOf = new Uint16Array(256);
  let classes = 1;
  for (const form of forms)
    for (const byte of form) if (classOf[byte] === 0) classOf[byte] = classes++;
  const most = forms.reduce((sum, form) => sum + form.length, 1);
  const next = new Int32Array(most * classes);
  const depth = new Int32Array(most);
  const ends = new Int32Array(most);
  let states = 1;
  for (const form of forms) {
    let state = 0;
    for (const byte of form) {
      const place = state * classes + (classOf[byte] ?? 0);
      if (next[place] === 0) {
        next[place] = states;
        depth[states] = (depth[state] ?? 0) + 1;
        states += 1;
      }
      state = next[place] ?? 0;
    }
    ends[state] = form.length;
  }
  const automaton = { classOf, classes, next, depth, ends };
  close(automaton, states);
  return automaton;
}

/** Fills the missing steps, level by level: where to go on when the next byte does not fit. */
function close({ classes, next, ends }: Automaton, states: number): void {
  const fallback = new Int32Array(states);
  const queue = new Int32Array(states);
  let filled = 0;
  for (let letter = 0; letter < classes; letter++) {
    const to = next[letter] ?? 0;
    if (to !== 0) queue[filled++] = to;
  }
  for (let taken = 0; taken < filled; taken++) {
    const state = queue[taken] ?? 0;
    const back = fallback[state] ?? 0;
    if (ends[state] === 0) ends[state] = ends[back] ?? 0;
    for (let letter = 0; letter < classes; letter++) {
      const place = state * classes + letter;
      const beside = next[back * classes + letter] ?? 0;
      const to = next[place] ?? 0;
      if (to === 0) next[place] = beside;
      else {
        fallback[to] = beside;
        queue[filled++] = to;
      }
    }
  }
}

function rangesIn(
  { classOf, classes, next, ends }: Automaton,
  bytes: Uint8Array,
): Pick<Range, "from" | "to">[] {
  const found: Pick<Range, "from" | "to">[] = [];
  let state = 0;
  for (let at = 0; at < bytes.length; at++) {
    state = next[state * classes + (classOf[bytes[at] ?? 0] ?? 0)] ?? 0;
    const length = ends[state] ?? 0;
    if (length === 0) continue;
    const range = { from: at + 1 - length, to: at + 1 };
    // Those that touch are one: what is left of them says nothing.
    while (found.length > 0 && (found.at(-1)?.to ?? 0) >= range.from)
      range.from = Math.min(range.from, found.pop()?.from ?? 0);
    found.push(range);
  }
  return found;
}

function hits({ classOf, classes, next, ends }: Automaton, bytes: Uint8Array): boolean {
  let state = 0;
  for (let at = 0; at < bytes.length; at++) {
    state = next[state * classes + (classOf[bytes[at] ?? 0] ?? 0)] ?? 0;
    if (ends[state] !== 0) return true;
  }
  return false;
}

/** A place that is covered by one mark. */
interface Range {
  from: number;
  to: number;
  /** Its mark is out already: it began in an earlier piece. */
  out: boolean;
}

/**
 * Matches that overlap are covered by one mark: of two secrets that share letters nothing may stay.
 * Only what could still begin a match is held back, so that a line appears as soon as it is there.
 */
function redacting({ classOf, classes, next, depth, ends }: Automaton): RedactingStream {
  let state = 0;
  let held: Uint8Array = nothing;
  let ranges: Range[] = [];
  let found = false;

  /** Everything before `until`; what is left counts from there. */
  const emit = (data: Uint8Array, until: number): Uint8Array => {
    const parts: Uint8Array[] = [];
    let at = 0;
    for (const range of ranges) {
      if (range.from >= until) break;
      parts.push(data.subarray(at, Math.max(at, range.from)));
      if (!range.out) parts.push(mark);
      range.out = true;
      at = Math.min(range.to, until);
    }
    parts.push(data.subarray(at, until));
    ranges = ranges
      .filter(({ to }) => to > until)
      .map(({ from, to, out }) => ({ from: Math.max(0, from - until), to: to - until, out }));
    held = data.slice(until);
    return join(parts);
  };

  return {
    get found() {
      return found;
    },
    push: (chunk) => {
      const data = held.length === 0 ? chunk : join([held, chunk]);
      for (let at = held.length; at < data.length; at++) {
        state = next[state * classes + (classOf[data[at] ?? 0] ?? 0)] ?? 0;
        const length = ends[state] ?? 0;
        if (length !== 0) cover(ranges, at + 1 - length, at + 1);
      }
      found ||= ranges.length > 0;
      return emit(data, data.length - (depth[state] ?? 0));
    },
    end: () => {
      state = 0;
      return emit(held, held.length);
    },
  };
}

/** Matches end one after the other, but a longer one may have begun before those that it holds. */
function cover(ranges: Range[], from: number, to: number): void {
  const range = { from, to, out: false };
  for (let last = ranges.at(-1); last !== undefined && last.to > range.from; last = ranges.at(-1)) {
    range.from = Math.min(range.from, last.from);
    range.out ||= last.out;
    ranges.pop();
  }
  ranges.push(range);
}

function passing(): RedactingStream {
  return { found: false, push: (chunk) => chunk, end: () => nothing };
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
