// What a plan's event wrote, as the journal keeps it: enough to write it again on a document that a
// person changed meanwhile (S5.3). Fields of their own stay.
import type { MemoryChange, Remembered } from "./memory.ts";
import { changed } from "./memory.ts";

/** By format: the fields that were written. */
export interface Written {
  readonly trigger: string;
  readonly at: string;
  readonly wrote: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface Memorised {
  readonly trigger: "memory";
  readonly at: string;
  readonly change: MemoryChange;
}

export function isWritten(event: unknown): event is Written {
  return typeof event === "object" && event !== null && "wrote" in event;
}

export function isMemorised(event: unknown): event is Memorised {
  return typeof event === "object" && event !== null && "change" in event;
}

export function rewrite(format: string, document: unknown, event: Written | Memorised): unknown {
  if (typeof document !== "object" || document === null) return document;
  if ("change" in event) return changed(document as Remembered, event.change, event.at);
  return { ...document, ...event.wrote[format] };
}
