// The phase's own piece of work in a run without a session, as the task that does it has left it (S0.9).
import type { Task } from "../engine/state.ts";
import type { Store } from "../store/database/store.ts";
import { phaseKeyOf } from "../workflows/develop/claims.ts";
import type { PhaseWork } from "../workflows/develop/events.ts";
import type { Read } from "./_develop-run.ts";
import { isCarried } from "./conduct/carried.ts";
import { childId } from "./conduct/children.ts";

export async function phaseTaskOf(
  store: Store,
  { state, run, task }: Pick<Read, "state" | "run" | "task">,
): Promise<Task | undefined> {
  const key = phaseKeyOf({ state, run });
  if (key === undefined || task === undefined || !run.headless) return undefined;
  return (await store.task(childId(task.id, key))) as Task | undefined;
}

/** Null: there is none, or it goes on as it is. */
export async function phaseWorkOf(
  store: Store,
  read: Read,
  now: number,
): Promise<PhaseWork | null> {
  const child = await phaseTaskOf(store, read);
  if (child === undefined) return null;
  const { id, data } = child;
  const found = { key: data.order?.key ?? "", task: id };
  switch (child.status) {
    case "review":
    case "completed":
      return { ...found, stands: "finished" };
    case "in_progress":
      return (await isInterrupted(store, child, now)) ? { ...found, stands: "interrupted" } : null;
    case "draft":
      // Withdrawn before it began.
      return { ...found, stands: "interrupted" };
    case "failed":
      // Of any other end the run itself takes account.
      return data.failure?.reason === "cancelled" ? { ...found, stands: "interrupted" } : null;
    default:
      return null;
  }
}

// --- internal ---

/** What a person was asked and may have answered is not asked again: that work goes on (S1.15). */
async function isInterrupted(store: Store, { id, data }: Task, now: number): Promise<boolean> {
  if (await isCarried(store, data.order?.task ?? "", now)) return false;
  const asked = await Promise.all(
    ["question", "dependency", "review"].map((kind) => store.entities({ taskId: id, kind })),
  );
  return asked.every((rows) => rows.length === 0);
}
