// Carries out what the plan of retention.ts says: each task decides on it in a tick of its own.
import type { Store } from "../store/database/store.ts";
import type { KeepCommand } from "./decide/keep.ts";
import type { Engine } from "./engine.ts";
import type { KeptTask, Retention } from "./retention.ts";

export async function retain(
  { engine, store, retention }: { engine: Engine; store: Store; retention: Retention },
  now: number,
  going: () => boolean,
): Promise<void> {
  // Its ZIP or last snapshot is still being made: what it keeps can not be said yet.
  const busy = new Set(await store.tasksWithEffects());
  const told = new Set<string>();
  for await (const task of retention.due()) {
    if (!going()) return;
    const command = busy.has(task.id) ? null : nextFor(task, now, !told.has(task.projectId));
    if (command === null || (await engine.own(task.id)) === undefined) continue;
    if (command.name === "keep" && command.tell) told.add(task.projectId);
    engine.post(task.id, { kind: "command", seq: null, command });
    await engine.wake(task.id);
  }
}

/** Null: it stands in its row as it is. `tell`: nobody of its project was told now. */
export function nextFor(
  { bytes, kept, removal }: KeptTask,
  now: number,
  tell: boolean,
): KeepCommand | null {
  const near = removal?.near === true ? { at: removal.at, why: removal.why } : null;
  const told = kept?.removeAt ?? null;
  if (near !== null && told !== null && told <= now) return { name: "clear" };
  const same = told === (near?.at ?? null) && (kept?.why ?? null) === (near?.why ?? null);
  if (kept !== null && same) return null;
  return { name: "keep", bytes, removal: near, tell: near !== null && told === null && tell };
}
