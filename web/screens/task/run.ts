// A run of a workflow with documents of its own, among the tasks.
import type { TaskDetail } from "../../data/api.ts";

/** It has agents only through its parts. */
export function isRun({ status, phases }: Pick<TaskDetail, "status" | "phases">): boolean {
  return phases.length === 0 && status !== "draft";
}
