// What an orchestrate run knows that its file has no field for (DESIGN, "Data"): one for the run, one
// for each unit that somebody has begun. Stored in the same commit as the document.
import type { UnitStatus } from "../../core/vocabulary.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import { unitsOf } from "./units.ts";

export interface RunData {
  /**
   * What the counters of the file had beyond its lists when the run was taken over (S2.2). Every step
   * moves both alike, so that a change by hand shows as a difference to this.
   */
  readonly extra: { readonly completed: number; readonly failed: number };
  /** Units whose time is known: their average is exact, however it is rounded in the file. */
  readonly timed: { readonly count: number; readonly seconds: number };
  /** In mode `normal` a person lets each phase begin (S2.1): the last that may. */
  readonly agreed: number;
  /** In mode `ralph`: how often a unit is tried. */
  readonly iterations: number;
  /** What a person chose for phases with failures. */
  readonly chosen?: Chosen;
  /** How often a person was asked: each time is another question. */
  readonly asked?: number;
  /** Carried out by itself: only this phase (S2.10). */
  readonly only?: number | null;
}

export type Chosen = Readonly<Record<string, "skip" | "merge">>;

/** A session's right to work on a unit (GLOSSARY, "Claim of a unit"). */
export interface Holder<Process = unknown> {
  readonly session: string;
  /** Whose end is the end of the session, where one is known. */
  readonly process: Process | null;
  /** ISO 8601. */
  readonly since: string;
  /** Milliseconds since 1970: the lease runs out. */
  readonly until: number;
}

export interface UnitData<Process = unknown> {
  readonly unit: string;
  readonly holder: Holder<Process> | null;
  /** Counts the claims: the newest is the one that counts. */
  readonly epoch: number;
  /** When the first attempt since it was last open began. */
  readonly startedAt: string | null;
  /** Attempts that failed; a rate limit is none (S2.5). */
  readonly retries: number;
  /** Signatures of the last failures, the newest last. */
  readonly errors: readonly string[];
  /** The newest failure as it was told, for who tries next. */
  readonly problem: string | null;
  /** Whose report completed it: told twice, it is the same report. */
  readonly doneBy: string | null;
  /** Where the phase's branch stood with its work, while that waits for the whole phase. */
  readonly merged?: string | null;
}

export const notBegun: Omit<UnitData, "unit"> = {
  holder: null,
  epoch: 0,
  startedAt: null,
  retries: 0,
  errors: [],
  problem: null,
  doneBy: null,
};

export const usualIterations = 50;

/** The private part of a state that somebody else wrote, or that was rebuilt. */
export function runOf(state: OrchestrateState, agreed = state.execution.current_phase): RunData {
  const { completed_count: completed, failed_count: failed } = state.metrics;
  const average = state.metrics.average_task_time_seconds;
  const counted = countOf(unitsOf(state).values());
  // An average of nothing says that nothing was timed.
  const count = average > 0 ? completed : 0;
  return {
    extra: { completed: completed - counted.completed, failed: failed - counted.failed },
    timed: { count, seconds: average * count },
    agreed,
    iterations: usualIterations,
  };
}

// --- internal ---

function countOf(statuses: Iterable<UnitStatus>): { completed: number; failed: number } {
  let [completed, failed] = [0, 0];
  for (const status of statuses) {
    if (status === "completed") completed++;
    if (status === "failed") failed++;
  }
  return { completed, failed };
}
