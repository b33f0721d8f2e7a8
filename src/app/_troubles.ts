// Trouble that comes again and again, told now and then: what can not be done is tried again every
// second, and a disk that is full for a night must not fill the log as well.
import { type Message, msg } from "../core/messages.ts";

export type Complain = (what: string, cause: unknown) => void;

const againMs = 60_000;
/** Of so many nobody reads the tenth: forgotten together, told anew. */
const mostKnown = 1_000;

export function complaining(tell: (text: Message) => void, now: () => number): Complain {
  const told = new Map<string, number>();
  return (what, cause) => {
    const detail = textOf(cause);
    const key = `${what}\n${detail}`;
    const last = told.get(key);
    if (last !== undefined && now() - last < againMs) return;
    if (told.size >= mostKnown) told.clear();
    told.set(key, now());
    tell(msg("engine.trouble", { what, detail }));
  };
}

// --- internal ---

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
