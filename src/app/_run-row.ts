// A new run of a workflow that has documents of its own, as a task: what all of them begin with.
import { taskId } from "../core/ids.ts";
import { type TaskData, notBegun } from "../engine/state.ts";
import type { TaskRow } from "../store/database/store.ts";

export function newRunId(): string {
  return taskId(crypto.randomUUID().replaceAll("-", "").slice(0, 16));
}

/** Its data is put in by who knows it. */
export function newRunRow(
  run: Pick<TaskRow, "id" | "projectId" | "workflow" | "status">,
  at: string,
): TaskRow {
  return {
    ...run,
    priority: 2,
    queuedAt: null,
    archived: false,
    retryOf: null,
    rev: 0,
    data: null,
    createdAt: at,
    updatedAt: at,
  };
}

/** `agent`: "session" where none of ours works. */
export function newRunData(
  run: Pick<TaskData, "title" | "description" | "agent" | "language">,
): TaskData {
  return { ...run, script: null, document: null, dependsOn: [], budget: null, ...notBegun };
}
