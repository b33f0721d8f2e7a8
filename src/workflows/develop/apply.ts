// The reducer of a develop run: a state, what is known beside it, and an event make the next state, or
// a refusal, and nothing has happened. The machines' tables decide; here stand the facts they ask for.
//
// The file changes at the moments of S0.3 alone: where an event changes only what stands beside it, the
// state comes back as the same object, and nobody writes it.
import { msg } from "../../core/messages.ts";
import type { DevelopState } from "../../formats/develop-state.ts";
import { type Checked, halted, retried, skipped } from "./_checkpoints.ts";
import type { Accepted, DevelopEvent, RefusedEvent, Situation } from "./events.ts";
import { approve, checked, designed, merged, resumed, reviewed, sendBack } from "./_phases.ts";
import { started } from "./claims.ts";

export function applyEvent(situation: Situation, event: DevelopEvent): Accepted | RefusedEvent {
  const { run } = situation;
  if (run.stopped !== null && event.on !== "resume")
    return refuse(msg("develop.stopped", { why: run.stopped }));
  const made = stepOf(situation, event);
  return "ok" in made ? made : accepted(situation, made);
}

export function startState(feature: string, now: string): DevelopState {
  return { phase: "DESIGN", feature, started_at: now, updated_at: now };
}

/** Fields of ours as an event left them: enough to put them on a file that a person changed (S5.3). */
export function oursOf({ phase, strategy, updated_at, checkpoints }: DevelopState): Ours {
  return {
    phase,
    updated_at,
    ...(strategy === undefined ? {} : { strategy }),
    ...(checkpoints === undefined ? {} : { checkpoints }),
  };
}

/** An event that a crash interrupted, on the file as a person has changed it meanwhile (S5.3). */
export function withOurs(document: unknown, event: unknown): unknown {
  const { develop } = (typeof event === "object" && event !== null ? event : {}) as {
    develop?: unknown;
  };
  if (typeof develop !== "object" || typeof document !== "object") return document;
  return { ...document, ...develop };
}

export type Ours = Pick<DevelopState, "phase" | "strategy" | "updated_at" | "checkpoints">;

// --- internal ---

function stepOf(situation: Situation, event: DevelopEvent): Checked | RefusedEvent {
  switch (event.on) {
    case "start":
      return started(situation, event.unit, event.holder);
    case "designed":
      return designed(situation, event);
    case "reviewed":
      return reviewed(situation, event.findings, event.session);
    case "halted":
    case "failed":
      return halted(situation, event);
    case "retry":
      return retried(situation, event.unit, event.definition);
    case "skip":
      return skipped(situation, event.unit);
    case "checked":
      return checked(situation, event.unit, event.session);
    case "landed":
      return merged(situation);
    case "approve":
      return approve(situation);
    case "send_back":
      return sendBack(situation, event.feedback);
    default:
      return resumed(situation, event);
  }
}

function refuse(why: RefusedEvent["why"]): RefusedEvent {
  return { ok: false, kind: "refused", why, hint: msg("develop.stopped.hint") };
}

function accepted({ state, run, now }: Situation, made: Checked): Accepted {
  const { ours, journal = [], answer = { kind: "ok" } } = made;
  return {
    ok: true,
    state: ours === undefined ? state : { ...state, ...ours, updated_at: now },
    run: made.run ?? run,
    journal,
    answer,
  };
}
