// What is open at the moment, and how it ends: as a signal or as a complaint.
import { type Message, msg } from "./messages.ts";
import type { Checked } from "./_protocol-checks.ts";
import type { Completion } from "./_protocol-completion.ts";
import type { Entries } from "./_protocol-fields.ts";
import type { Fence, Line } from "./_protocol-lines.ts";
import { type Opener, readFence, trimEnd } from "./_protocol-markers.ts";
import type { BlockName, Limits, Marker, Place, Signal } from "./_protocol-signals.ts";

export interface BlockBody {
  readonly kind: "block";
  readonly name: BlockName;
  readonly entries: Entries;
}

export interface JsonBody {
  readonly kind: "json";
  readonly name: BlockName;
  readonly lines: string[];
}

export interface VerificationBody {
  readonly kind: "verification";
  readonly lines: string[];
  /** How many brackets are open; 0 before the first one. */
  depth: number;
  fenced: boolean;
}

export interface Open {
  readonly marker: Marker;
  readonly start: number;
  /** After its last line so far. */
  end: number;
  excerpt: string;
  // A part of its own, not spread into one object: V8 takes 7 µs for that, 0.03 for this.
  readonly body: BlockBody | JsonBody | VerificationBody | Completion;
}

export interface State {
  fence: Fence | null;
  open: Open | null;
  ignored: number;
}

export interface Grammar {
  readonly state: State;
  readonly token: string | undefined;
  readonly limits: Limits;
  /** Where signals go. */
  readonly say: (signal: Signal) => void;
}

/** "taken": the line is dealt with. "again": it ended the open thing, look at it as text. */
export type Outcome = "taken" | "again";
/** The marker a line opens. Asked for twice, it is read and counted once. */
export type AskOpener = () => Opener | null;

/** Follows code fences; true when the line is part of one, and so never a marker. */
export function trackFence({ state, limits }: Grammar, line: Line): boolean {
  const mark = line.end - line.start > limits.block ? null : readFence(line.text);
  const { fence } = state;
  if (fence) {
    // Also after its limit: the closing line of a very long fence must not open a new one.
    if (mark?.bare && mark.char === fence.char && mark.length >= fence.length) {
      state.fence = null;
      return true;
    }
    if (line.start < fence.until) return true;
  }
  if (!mark) return false;
  state.fence = { char: mark.char, length: mark.length, until: line.start + limits.fence };
  return true;
}

export function include(open: Open, line: Line): void {
  open.end = line.end;
  if (open.excerpt.length <= EXCERPT) open.excerpt = head(`${open.excerpt}\n${trimEnd(line.text)}`);
}

export function finish(grammar: Grammar, open: Open, checked: Checked): void {
  if ("said" in checked) {
    grammar.state.open = null;
    grammar.say(Object.assign(checked.said, placeOf(open)));
    return;
  }
  const [first, ...rest] = checked.complaints;
  const complaint = rest.reduce<Message | undefined>(
    (sum, next) => (sum ? msg("protocol.several", { first: sum, next }) : next),
    first,
  );
  fail(grammar, open, complaint ?? badJson(open));
}

export function fail(grammar: Grammar, open: Open, complaint: Message): void {
  grammar.state.open = null;
  const { marker } = open;
  const excerpt = cut(open.excerpt, EXCERPT);
  grammar.say({ kind: "malformed", marker, complaint, excerpt, ...placeOf(open) });
}

export function closerOf(open: Open): string {
  return `[/${open.marker}${open.body.kind === "json" ? "_JSON" : ""}]`;
}

export function unclosed(open: Open): Message {
  if (open.body.kind === "verification") return badJson(open);
  return msg("protocol.unclosed", { marker: open.marker, closer: closerOf(open) });
}

export function badJson(open: Open): Message {
  return msg("protocol.bad_json", { marker: open.marker });
}

/** Enough of a text for the excerpt, and one character more to know that it was cut. */
export function head(text: string): string {
  return text.slice(0, EXCERPT + 1);
}

/** Never between the two halves of a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

// --- internal ---

const EXCERPT = 400;

function placeOf({ start, end }: Open): Place {
  return { start, end };
}
