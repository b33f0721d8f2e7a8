// TASKS.md: the plan that orchestrate works through (S2.4). The format for people is in
// docs/tasks-md.md.
//
// Two passes, both linear. The first reads lines into drafts and looks nothing up; the second,
// knowing every id, turns references and diagrams into edges. All problems are collected: a
// person mends a plan once, not once per complaint. Nothing here throws on any text.
//
// The order of phases is a barrier, not a set of edges (S2.6): it is told apart in `barriers`,
// and `dependencies` holds only what a field or a diagram says.
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { planOf } from "./_task-list-plan.ts";
import { readTaskList } from "./_task-list-read.ts";
import { type TaskList, type TaskListProblem, limits } from "./_task-list-types.ts";
import { taskListPaths } from "./task-list-paths.ts";

export { isTaskListPath, taskListPaths } from "./task-list-paths.ts";
export type {
  ListedEdge,
  ListedPhase,
  ListedTask,
  PhaseBarrier,
  Risk,
  TaskList,
  TaskListCode,
  TaskListNotice,
  TaskListProblem,
} from "./_task-list-types.ts";

/** The largest file we agree to read (S5.4). */
export const maxTaskListBytes: number = limits.bytes;

export function parseTaskList(text: string): TaskList {
  return planOf(readTaskList(text));
}

/** The problem of a project that has none of these files. */
export function tasksNotFound(paths: readonly string[] = taskListPaths): TaskListProblem {
  const at = { line: 0, column: 0 };
  return {
    code: "TASKS_NOT_FOUND",
    ...at,
    text: msg("tasks.not_found", { paths: paths.join(", ") }),
  };
}

/**
 * The same text with the boxes of these tasks ticked; only what is between the brackets changes.
 * A ticked box stays as it is. An id that is not in the plan is a not_found Fault: someone has
 * edited the file, and the caller has to know.
 */
export function checkOff(text: string, ids: Iterable<string>): string {
  const wanted = new Set(ids);
  const found = new Set<string>();
  let result = "";
  let copied = 0;
  for (const { id, from, to, checked } of readTaskList(text).boxes) {
    if (!wanted.has(id)) continue;
    found.add(id);
    if (checked) continue;
    result += `${text.slice(copied, from)}x`;
    copied = to;
  }
  const missing = [...wanted].filter((id) => !found.has(id));
  if (missing.length > 0)
    throw new Fault("not_found", msg("tasks.no_such_task", { ids: missing.join(", ") }));
  return result + text.slice(copied);
}
