// An event of a run as it is journaled: what was decided, and when. Enough to decide it again on a
// document that a person changed while a crash kept the event's own from its place (S5.3).
import { type UnitStatus, unitStatuses } from "../../core/vocabulary.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import { decideAgain } from "./apply.ts";
import { factsWithoutPlan } from "./plan.ts";
import { runOf } from "./private.ts";

export interface Decided {
  readonly trigger: string;
  readonly at: string;
  readonly decided: readonly (readonly [string, UnitStatus])[];
}

export function isDecided(event: unknown): event is Decided {
  const { at, decided } = (typeof event === "object" && event !== null ? event : {}) as {
    at?: unknown;
    decided?: unknown;
  };
  return typeof at === "string" && Array.isArray(decided) && decided.every(isPair);
}

export function redecide(document: unknown, { at, decided }: Decided): OrchestrateState {
  const state = document as OrchestrateState;
  const rules = { slots: Infinity, failedPhase: "ask" } as const;
  const parts = { state, run: runOf(state), facts: factsWithoutPlan(state), rules, now: at };
  return decideAgain(parts, decided);
}

// --- internal ---

function isPair(pair: unknown): boolean {
  if (!Array.isArray(pair)) return false;
  const [id, status] = pair as unknown[];
  return typeof id === "string" && (unitStatuses as readonly unknown[]).includes(status);
}
