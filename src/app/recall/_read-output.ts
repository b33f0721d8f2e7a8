// One step on through what a process printed.
import { readOutput } from "../../agents/streams.ts";
import type { Redactor } from "../../core/redact.ts";
import type { Recall, RecallEntry } from "../../store/recall/recall.ts";
import type { Part } from "./_entry.ts";
import { blocksIn, mostOutput, windowBytes } from "./output.ts";

export interface Reading {
  readonly folder: string;
  /** Of the file when it was looked at; what comes later is for the next time. */
  readonly size: number;
  /** The process has ended. */
  readonly over: boolean;
  /** Names what is to be blanked. */
  readonly secrets: string;
  readonly redactor: Redactor;
  /** Bytes of the longest value. */
  readonly longest: number;
  readonly head: { readonly title: string; readonly at: number };
}

/** True: there is more to read. */
export async function takeOutput(
  recall: Recall,
  source: string,
  reading: Reading,
  place: (part: Part) => RecallEntry,
): Promise<boolean> {
  const { size, over, secrets, redactor } = reading;
  const { title } = reading.head;
  const from = recall.position(source);
  const before = positionIn(from);
  // One that is shorter than it was is another file; under another title every entry is another.
  const same = before?.secrets === secrets && before.title === title && before.read <= size;
  if (same && before.read >= Math.min(size, mostOutput) && before.over === over) return false;
  const next = same ? before.next : 0;
  const window = await readWindow(reading, next);
  const blocks = blocksIn(window, redactor, reading.head);
  const read = Math.min(size, window.from + window.bytes.length);
  // A block that is open at the end of a window, not of the file, is taken whole with the next.
  const last = read >= size || read >= mostOutput;
  const parts = last ? blocks.parts : blocks.parts.filter(({ key }) => Number(key) < blocks.next);
  const position: Position = { next: blocks.next, read: last ? size : read, over, secrets, title };
  recall.take({
    source,
    from,
    to: JSON.stringify(position),
    gone: same ? [String(next)] : "all",
    entries: parts.map(place),
  });
  return !last;
}

// --- internal ---

interface Position {
  /** Where the block begins that may still grow. */
  readonly next: number;
  /** How far the file was read for it. */
  readonly read: number;
  readonly over: boolean;
  readonly secrets: string;
  /** Of its task, when it was read. */
  readonly title: string;
}

/** A value may stand there in another form, twice or three times as long (core/redact.ts). */
const longestForm = 8;
const longestMargin = 512 * 1024;

async function readWindow({ folder, size, over, redactor, longest }: Reading, next: number) {
  const margin = redactor.active ? Math.min(longestMargin, longest * longestForm) : 0;
  const from = Math.max(0, next - margin);
  const before = next - from;
  const most = Math.min(before + windowBytes + margin, Math.min(size, mostOutput) - from);
  const { bytes } = await readOutput(folder, "out", from, Math.max(0, most));
  const ends = from + bytes.length >= size;
  return { bytes, from, before, held: margin, over: over && ends };
}

function positionIn(text: string | null): Position | undefined {
  return text === null ? undefined : (JSON.parse(text) as Position);
}
