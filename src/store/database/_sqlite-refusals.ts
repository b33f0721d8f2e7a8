// Why a change is refused: a value for the caller, thrown only inside the transaction so that
// what the change has written by then is undone.
import { type Message, msg } from "../../core/messages.ts";
import type { Outcome } from "./store.ts";

/** Thrown by a job of the queue: undo what I wrote, and answer with this. */
export class Refused {
  readonly answer: unknown;
  constructor(answer: unknown) {
    this.answer = answer;
  }
}

export function refusal(code: "stale" | "fenced" | "guarded", what: Message): Refused {
  return new Refused({ ok: false, code, what } satisfies Outcome);
}

/** For a write that found no row with the revision it names: says what is there instead. */
export function stale(what: Message, read: number, found: number | undefined): Refused {
  if (found === undefined) return refusal("stale", msg("store.stale.gone", { what }));
  if (read === 0) return refusal("stale", msg("store.stale.exists", { what }));
  return refusal("stale", msg("store.stale.moved", { what, read, found }));
}
