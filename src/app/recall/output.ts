// What an agent printed, as entries of a few lines each.
//
// Where an entry ends depends on the bytes alone, not on when somebody looked: a line's end behind two
// kilobytes. The last one may still grow; it is taken anew until it is full. A line without its end
// waits, and so does as much as a secret is long: half a secret is in no list of secrets.
import { type Redactor, redactionMark } from "../../core/redact.ts";
import { type Part, entry } from "./_entry.ts";

export interface Printed {
  /** From the file's byte `from` on, as far as it was read. */
  readonly bytes: Uint8Array;
  readonly from: number;
  /** So many of them lie before the first block, and so many are not yet for us. */
  readonly before: number;
  readonly held: number;
  /** Nothing more will come. */
  readonly over: boolean;
}

export interface Blocks {
  readonly parts: readonly Part[];
  /** Where the first block begins that is not full: there the next look begins. */
  readonly next: number;
}

/** Of one process, so much is remembered. */
export const mostOutput = 4 * 1024 * 1024;
/** The longest block: a line that is longer is nobody's words. */
export const windowBytes = 512 * 1024;

export function blocksIn(
  printed: Printed,
  redactor: Redactor,
  head: { readonly title: string; readonly at: number },
): Blocks {
  const { bytes, from, before, held, over } = printed;
  const ranges = redactor.ranges(bytes);
  const usable = over ? bytes.length : Math.max(0, bytes.length - held);
  const parts: Part[] = [];
  let start = before;
  let next = from + start;
  while (start < usable) {
    const { end, full } = blockEnd(bytes, start, usable, over);
    if (end === start) break;
    const text = readable(blanked(bytes, start, end, ranges));
    if (text !== "") parts.push(entry(String(from + start), "output", head.at, head.title, text));
    if (full) next = from + end;
    start = end;
  }
  return { parts, next };
}

// --- internal ---

const blockBytes = 2 * 1024;
const NEWLINE = 10;

/** `full`: it can not grow any more. */
function blockEnd(
  bytes: Uint8Array,
  start: number,
  usable: number,
  over: boolean,
): { end: number; full: boolean } {
  const most = start + windowBytes;
  const at = bytes.subarray(0, most).indexOf(NEWLINE, start + blockBytes);
  // A line as long as that is cut there.
  const end = at >= 0 ? at + 1 : most;
  if (end <= usable) return { end, full: true };
  if (over) return { end: usable, full: false };
  return { end: Math.max(start, bytes.lastIndexOf(NEWLINE, usable - 1) + 1), full: false };
}

function blanked(
  bytes: Uint8Array,
  start: number,
  end: number,
  ranges: readonly { readonly from: number; readonly to: number }[],
): string {
  const decoder = new TextDecoder();
  let [text, at] = ["", start];
  for (const { from, to } of ranges) {
    if (to <= start || from >= end) continue;
    text += decoder.decode(bytes.subarray(at, Math.max(at, from))) + redactionMark;
    at = Math.min(end, to);
  }
  return text + decoder.decode(bytes.subarray(at, end));
}

function readable(text: string): string {
  const lines = text.split("\n").flatMap((line) => (line.startsWith("{") ? said(line) : [line]));
  return lines
    .map((line) => line.replaceAll(sequences, "").replaceAll(controls, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

// oxlint-disable-next-line no-control-regex -- what terminals are told, which nobody reads
const sequences = /\u001B(?:\[[0-9;?]*[ -/]*[@-~]|[@-Z\\-_])/g;
const controls = /\p{Cc}/gu;

/** Agents with structured output print a JSON a line: their own words are its `text`s. */
function said(line: string): string[] {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return [line];
  }
  const found: string[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > 6) return;
    for (const [name, inner] of Object.entries(value))
      if (name === "text" && typeof inner === "string") found.push(inner);
      else walk(inner, depth + 1);
  };
  // What it is told and what its tools print is no word of its own; pieces come again as a whole.
  const { type } = message as { type?: unknown };
  if (!["user", "system", "stream_event"].includes(String(type))) walk(message, 0);
  return found;
}
