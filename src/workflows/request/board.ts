// A request as it stands: its documents, what is kept beside them, and where it is.
import type { DesignBrief } from "../../formats/design-brief.ts";
import type { DesignContract } from "../../formats/design-contract.ts";
import type { Explored } from "../../formats/explored.ts";
import type { Knowledge } from "../../formats/knowledge.ts";
import type { RequestSession } from "../../formats/request-session.ts";
import type { RequestState } from "../../formats/request-state.ts";
import type { TaskBreakdown } from "../../formats/task-breakdown.ts";
import type { TestContract } from "../../formats/test-contract.ts";
import type { TestResult } from "../../formats/test-result.ts";
import type { RequestRun } from "./private.ts";

export type TaskEntry = RequestState["tasks"][string];
export type SubtaskEntry = TaskEntry["subtasks"][string];

export interface Board {
  readonly session: RequestSession;
  readonly state: RequestState;
  readonly run: RequestRun;
  readonly explored: Explored | undefined;
  readonly breakdown: TaskBreakdown | undefined;
  /** Of the current task. */
  readonly brief: DesignBrief | undefined;
  readonly design: DesignContract | undefined;
  /** Of the current subtask. */
  readonly tests: TestContract | undefined;
  readonly result: TestResult | undefined;
  readonly knowledge: Knowledge | undefined;
  readonly rules: Rules;
}

export interface Rules {
  /** The project's own command for tests: then no other counts. */
  readonly test: string | null;
}

export interface Focus {
  readonly task: string;
  readonly entry: TaskEntry;
  /** Null: the task is being designed. */
  readonly subtask: string | null;
  readonly sub: SubtaskEntry | undefined;
}

/** Null outside the task loop, and where all of it is done. */
export function focusOf({ request, tasks }: RequestState): Focus | null {
  if (request.global_phase !== "task_loop" || request.current_task === null) return null;
  const task = request.current_task;
  const entry = tasks[task];
  if (entry === undefined || entry.status === "completed") return null;
  const subtask = entry.current_subtask;
  return { task, entry, subtask, sub: subtask === null ? undefined : entry.subtasks[subtask] };
}

export function unfinishedTasks({ task_order: order, tasks }: RequestState): string[] {
  return order.filter((id) => tasks[id]?.status !== "completed");
}

/** The first of a task that is not completed. */
export function nextSubtask(entry: TaskEntry): string | undefined {
  return entry.subtask_order.find((id) => entry.subtasks[id]?.status !== "completed");
}
