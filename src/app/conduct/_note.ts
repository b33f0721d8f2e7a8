// A line in a run's journal of something that moved nothing: a lock that was removed, work that was kept.
import type { TransitionRow, Store } from "../../store/database/store.ts";

export async function noteInRun(
  store: Store,
  run: string,
  at: number,
  what: Pick<TransitionRow, "trigger" | "metadata">,
): Promise<void> {
  const status = (await store.task(run))?.status ?? "in_progress";
  const line = {
    timestamp: new Date(at).toISOString(),
    taskId: run,
    machine: "task",
    entityId: run,
    from: status,
    to: status,
    ...what,
  };
  await store.commit({ transitions: [line] });
}
