// What may be done now (S2.11): a statement, asked twice it says the same.
//
//   READY:T1.3,T1.4   these may be started, in the order of the plan
//   WAIT              others are at work, or as many as may be
//   PHASE_DONE:n      the phase that was asked for is done; in mode `normal`: a person lets it go on
//   ALL_DONE          nothing is left
//   ERROR:CODE:detail somebody has to decide
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import {
  type Board,
  type PhaseCount,
  countsOf,
  isDone,
  isStuck,
  isUnclosed,
  listOf,
  phasesOf,
} from "./board.ts";
import { phaseIn, planOrder } from "./plan.ts";
import type { Chosen, RunData } from "./private.ts";

export interface Rules {
  /** How many units may be in progress where the file says 0 (S2.1). */
  readonly slots: number;
  /** What is done about a phase with failures (S2.6): `skip` and `merge` go on without them. */
  readonly failedPhase: "ask" | "fix" | "skip" | "merge";
  /** What a person chose for one phase goes before it. */
  readonly chosen?: Chosen | undefined;
}

export function rulesOf(rules: Rules, { chosen }: RunData): Rules {
  return chosen === undefined ? rules : { ...rules, chosen };
}

/** What is done about the failures of this phase. */
export function failedChoice({ failedPhase, chosen }: Rules, phase: number): Rules["failedPhase"] {
  return chosen?.[String(phase)] ?? failedPhase;
}

export type Next =
  | { readonly kind: "ready"; readonly ids: readonly string[]; readonly phase: number }
  | { readonly kind: "wait"; readonly ids: readonly string[] }
  | { readonly kind: "phase_done"; readonly phase: number; readonly asks: boolean }
  | { readonly kind: "all_done"; readonly failed: number }
  | { readonly kind: "error"; readonly code: NextError; readonly detail: string };

/** PHASE_OPEN: completed by hand, and to be tested as a whole and merged (S2.8). */
export type NextError =
  | "PHASE_FAILED"
  | "PHASE_OPEN"
  | "PHASE_WAITS"
  | "NO_SUCH_PHASE"
  | "NO_TASKS";

/** `most`: who asks has no use for more. */
export function nextOf(
  board: Board,
  run: RunData,
  rules: Rules,
  asked?: number,
  most = Infinity,
): Next {
  const phases = phasesOf(board);
  if (phases.length === 0) return { kind: "error", code: "NO_TASKS", detail: "" };
  const current = currentPhase(phases, rules);
  if (asked !== undefined) {
    const wanted = phases.find(({ phase }) => phase === asked);
    if (!wanted) return { kind: "error", code: "NO_SUCH_PHASE", detail: String(asked) };
    if (current === undefined || current.phase > asked)
      return { kind: "phase_done", phase: asked, asks: false };
    if (current.phase < asked)
      return { kind: "error", code: "PHASE_WAITS", detail: String(current.phase) };
  }
  if (current === undefined) {
    const { failed, blocked } = countsOf(board);
    return { kind: "all_done", failed: failed + blocked };
  }
  const held = heldBack(board.state, run, phases, current);
  if (held !== undefined) return { kind: "phase_done", phase: held, asks: true };
  return inPhase(board, rules, current, most);
}

/** The first phase that is not over; undefined: all are. */
export function currentPhase(phases: readonly PhaseCount[], rules: Rules): PhaseCount | undefined {
  const passes = (phase: number): boolean => ["skip", "merge"].includes(failedChoice(rules, phase));
  return phases.find((count) => !isDone(count) && !(isStuck(count) && passes(count.phase)));
}

/** In mode `normal`: the phase before, if a person has not let this one begin (S2.1). */
export function heldBack(
  { mode }: OrchestrateState,
  { agreed }: RunData,
  phases: readonly PhaseCount[],
  { phase }: PhaseCount,
): number | undefined {
  if (mode !== "normal" || phase <= agreed) return undefined;
  return phases.findLast((count) => count.phase < phase)?.phase;
}

/** How many more may be started. */
export function freeSlots(board: Board, { slots }: Rules): number {
  const { max_parallel: own } = board.state.config;
  return (own === 0 ? slots : own) - countsOf(board).in_progress;
}

// --- internal ---

function inPhase(board: Board, rules: Rules, current: PhaseCount, most: number): Next {
  const { phase } = current;
  if (isUnclosed(current)) return { kind: "error", code: "PHASE_OPEN", detail: String(phase) };
  if (isStuck(current)) {
    const failed = planOrder(board.facts, listOf(board, "failed"));
    const detail = [phase, ...failed.slice(0, 5)].join(":");
    return { kind: "error", code: "PHASE_FAILED", detail };
  }
  const ids = firstReady(board, phase, Math.min(most, freeSlots(board, rules)));
  if (ids.length > 0) return { kind: "ready", ids, phase };
  return { kind: "wait", ids: listOf(board, "in_progress") };
}

/** As many as may start, in the order of the plan; what only the state knows comes last. */
function firstReady(board: Board, phase: number, most: number): string[] {
  if (most <= 0) return [];
  const { facts } = board;
  const ready = listOf(board, "ready").filter((id) => phaseIn(facts.phases, id) === phase);
  return planOrder(facts, ready).slice(0, most);
}
