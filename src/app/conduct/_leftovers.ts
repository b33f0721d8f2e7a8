// Runs that had ended when a kill came, with trees of their children still on the disk: nobody asks for
// their orders again, so whoever serves this home next looks for them once.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Task } from "../../engine/state.ts";
import type { Store } from "../../store/database/store.ts";
import { isOver } from "./children.ts";

export async function endedWithTrees(store: Store, home: string): Promise<Task[]> {
  const [clones, trees] = await Promise.all(["workspaces", "trees"].map(namesIn(home)));
  const runs = new Map<string, Task>();
  for (const name of new Set([...(clones ?? []), ...(trees ?? [])])) {
    const child = (await store.task(name.replace(/\.git$/, ""))) as Task | undefined;
    const id = child?.data.order?.task;
    if (child === undefined || id === undefined || !isOver(child) || runs.has(id)) continue;
    // Of an attempt that failed the snapshots stay, as of any task that ended.
    if (child.status === "failed" && name.endsWith(".git")) continue;
    const run = (await store.task(id)) as Task | undefined;
    if (run !== undefined && isOver(run)) runs.set(id, run);
  }
  return [...runs.values()];
}

// --- internal ---

function namesIn(home: string): (folder: string) => Promise<string[]> {
  return async (folder) => {
    const entries = await readdir(join(home, folder), { withFileTypes: true }).catch(() => []);
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  };
}
