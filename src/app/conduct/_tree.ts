// The tree of a branch is one process's at a time, for as long as something is done there: a run's, or a
// session's that lands a phase. Who dies in it leaves git's own locks; who comes next removes them.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { freeTree, treeWasLeft } from "../../git/branches.ts";
import { type ProcessIdentity, livenessOf } from "../../os/identity.ts";
import { sweepOwn } from "../../store/left.ts";
import { acquire, release } from "../../store/lock.ts";
import { digestOf } from "../_task-rules.ts";
import { lockWorldOf } from "../_wiring.ts";
import type { Place } from "./carry.ts";
import { noteInRun } from "./_note.ts";

/** Of the branch that is checked out nobody has the tree alone: it is the project's own. */
export async function aloneInTree<T>(
  place: Place,
  name: string | null,
  work: () => Promise<T>,
): Promise<T> {
  if (name === null) return work();
  const { root, home } = place;
  const folder = join(home, "branches");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const world = { ...lockWorldOf(place.store), liveness };
  const lock = await acquire(join(folder, digestOf(root, name)), world);
  const free = async (wasLeft: boolean): Promise<void> => {
    const locks = await freeTree({ root, name }, wasLeft);
    if (locks.length === 0) return;
    const what = { trigger: "tree_freed", metadata: { branch: name, locks } };
    await noteInRun(place.store, place.run, place.now(), what);
  };
  try {
    // Of those that were killed while they waited for it.
    sweepOwn(lock.file, world);
    await free(lock.took.length > 0);
    return await work();
  } finally {
    // Git alone was killed, and not who called it: nobody who comes later would know whose lock it is.
    if (treeWasLeft({ root, name })) await free(true);
    release(lock, world.disk);
  }
}

// --- internal ---

/** One that was stopped by a signal goes on some time, and so do its tests. */
function liveness(holder: ProcessIdentity): ReturnType<typeof livenessOf> {
  const found = livenessOf(holder);
  return found === "stopped" ? "alive" : found;
}
