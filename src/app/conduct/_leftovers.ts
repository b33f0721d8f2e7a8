// What a kill left that nobody would ask for again: trees of runs that had ended, documents whose
// writer died. Whoever serves this home next looks for them once.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Task } from "../../engine/state.ts";
import type { FormatName } from "../../formats/registry.ts";
import { livenessOf } from "../../os/identity.ts";
import type { ProjectRow, Store } from "../../store/database/store.ts";
import { realDisk } from "../../store/disk.ts";
import { lockPath, namedAt } from "../../store/lock.ts";
import type { Context } from "../operation.ts";
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

/**
 * A document that was committed and not yet put in its place reads as before, and its lock stays, until
 * somebody opens it: a run that is over never would.
 */
export async function settleLeft(
  store: Store,
  projects: readonly ProjectRow[],
  contextAt: (root: string) => Context,
  complain: (what: string, cause: unknown) => void,
): Promise<void> {
  for (const { id, root } of projects)
    for (const { path, format } of await store.documents(id)) {
      const holder = namedAt(lockPath(path), realDisk)?.process;
      if (holder === undefined || livenessOf(holder) !== "gone") continue;
      const documents = await contextAt(root).documents();
      await documents
        .settle({ path, format: format as FormatName })
        .catch((cause: unknown) => complain(path, cause));
    }
}

// --- internal ---

function namesIn(home: string): (folder: string) => Promise<string[]> {
  return async (folder) => {
    const entries = await readdir(join(home, folder), { withFileTypes: true }).catch(() => []);
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  };
}
