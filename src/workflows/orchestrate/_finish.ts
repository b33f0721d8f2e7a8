// From a board on which something has moved to the state that says so: lists, checkpoints, counters.
import type { Move } from "../../core/graph.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import {
  type Board,
  type PhaseCount,
  countsOf,
  isComplete,
  isOpen,
  listsOf,
  movesOf,
  phasesOf,
  unitsIn,
} from "./board.ts";
import { type Rules, currentPhase } from "./next.ts";
import { phaseIn, planOrder } from "./plan.ts";
import type { RunData } from "./private.ts";

export interface Finished {
  /** The same object where nothing has changed. */
  readonly state: OrchestrateState;
  readonly moves: readonly Move[];
  /** Phases that ended with this. */
  readonly ended: readonly number[];
  readonly allDone: boolean;
}

/** `closes`: the phase that has passed its gate with this. */
export function finish(
  board: Board,
  run: RunData,
  rules: Rules,
  now: string,
  closes?: number,
): Finished {
  const { state } = board;
  const moves = movesOf(board);
  const counted = phasesOf(board);
  const { checkpoints, ended } = checkpointsOf(board, counted, moves, { now, closes });
  const phases = counted.map((count) => ({
    ...count,
    open: isOpen(checkpoints[`phase_${count.phase}`]),
  }));
  const current = currentPhase(phases, rules);
  const tasks = listsOf(board);
  const metrics = metricsOf(board, run);
  const phase = (current ?? phases.at(-1))?.phase ?? state.execution.current_phase;
  const same =
    tasks === state.tasks &&
    checkpoints === state.checkpoints &&
    metrics === state.metrics &&
    phase === state.execution.current_phase;
  const told = { moves, ended, allDone: current === undefined && phases.length > 0 };
  if (same) return { state, ...told };
  const execution = {
    ...state.execution,
    current_phase: phase,
    worktree: phase === state.execution.current_phase ? state.execution.worktree : null,
    last_updated: now,
  };
  return { state: { ...state, execution, tasks, checkpoints, metrics }, ...told };
}

// --- internal ---

/** Running counters (S2.2): what the lists say, and what they never showed. */
function metricsOf(board: Board, { extra, timed }: RunData): OrchestrateState["metrics"] {
  const { metrics } = board.state;
  const counts = countsOf(board);
  const completed = Math.max(0, counts.completed + extra.completed);
  const failed = Math.max(0, counts.failed + extra.failed);
  const average =
    timed.count === 0
      ? metrics.average_task_time_seconds
      : Math.round((timed.seconds / timed.count) * 1000) / 1000;
  const same =
    completed === metrics.completed_count &&
    failed === metrics.failed_count &&
    average === metrics.average_task_time_seconds;
  return same
    ? metrics
    : {
        ...metrics,
        completed_count: completed,
        failed_count: failed,
        average_task_time_seconds: average,
      };
}

function checkpointsOf(
  board: Board,
  phases: readonly PhaseCount[],
  moves: readonly Move[],
  { now, closes }: { readonly now: string; readonly closes: number | undefined },
): { checkpoints: OrchestrateState["checkpoints"]; ended: number[] } {
  const { checkpoints } = board.state;
  const touched = new Map<number, boolean>();
  for (const { id, to } of moves) {
    const phase = phaseIn(board.facts.phases, id);
    const worked = to === "in_progress" || to === "completed";
    touched.set(phase, worked || (touched.get(phase) ?? false));
  }
  const changes: OrchestrateState["checkpoints"] = {};
  const ended: number[] = [];
  for (const count of phases) {
    const key = `phase_${count.phase}`;
    const was = checkpoints[key];
    const untold = was?.completed_at === undefined && !count.open;
    const complete = isComplete(count);
    const ends = complete && (count.phase === closes || untold);
    // What was only woken or blocked has not begun; what waits for its gate is written when it has passed.
    const begun = touched.get(count.phase) === true || (touched.has(count.phase) && was);
    if (!ends && (!begun || complete)) continue;
    const progress = `${count.completed}/${count.all}`;
    const startedAt = was?.started_at ?? (touched.get(count.phase) ? now : undefined);
    changes[key] = {
      ...was,
      ...(startedAt === undefined ? {} : { started_at: startedAt }),
      progress,
      ...(ends
        ? {
            completed_at: now,
            tasks_count: count.all,
            tasks: planOrder(board.facts, unitsIn(board, count.phase)),
          }
        : {}),
    };
    if (ends) ended.push(count.phase);
  }
  const some = Object.keys(changes).length > 0;
  return { checkpoints: some ? { ...checkpoints, ...changes } : checkpoints, ended };
}
