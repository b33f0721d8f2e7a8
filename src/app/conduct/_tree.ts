// A branch of a run as its process works on it. Its tree is one process's at a time, for as long as something
// is done there: a run's, or a session's that lands a phase. Who dies in it leaves git's own locks; who comes
// next removes them.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { freeLanding } from "../../git/move-target.ts";
import type { Branch } from "../../git/branches.ts";
import { freeTree, treeWasLeft } from "../../git/phase-tree.ts";
import { type ProcessIdentity, livenessOf } from "../../os/identity.ts";
import { sweepOwn } from "../../store/left.ts";
import { type Lock, acquire, defaultPatience, release } from "../../store/lock.ts";
import { digestOf } from "../_task-rules.ts";
import { lockWorldOf } from "../_wiring.ts";
import { ownCommandsOf } from "../_settings.ts";
import { noteInRun } from "./_note.ts";
import type { Place } from "./carry.ts";

type Here = Pick<Place, "root" | "run" | "home" | "store" | "now">;

/** What a person did to it, and what follows from that, goes into the run's journal. */
export function branchAt(here: Here, name: string | null): Branch {
  const { root, run, store, now } = here;
  return {
    root,
    run,
    name,
    alone: (work) => aloneAtTarget(here, work),
    own: () => ownCommandsOf(root),
    givenUp: () => givenUpBefore(store, run),
    tell: ({ trigger, branch, detail }) =>
      noteInRun(store, run, now(), { trigger, metadata: { branch, detail } }),
  };
}

/** Of the target nobody has the tree alone: it is the project's own. */
export function aloneInTree<T>(
  here: Here,
  name: string | null,
  work: () => Promise<T>,
): Promise<T> {
  if (name === null) return work();
  const { root } = here;
  const free = (wasLeft: boolean): Promise<string[]> => freeTree({ root, name }, wasLeft);
  return alone(here, name, { free, wasLeft: () => treeWasLeft({ root, name }) }, work);
}

// --- internal ---

/** Of the same project and workflow; also one that ended with a phase left unmerged, which a person completes later (S2.8). */
async function givenUpBefore(store: Here["store"], run: string): Promise<string[]> {
  const row = await store.task(run);
  if (row === undefined) return [];
  const { projectId, workflow } = row;
  const statuses = ["failed", "completed"];
  const rows = await store.tasks({ projectId, workflow, statuses });
  const before = rows.filter(({ id }) => id !== run);
  return before.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).map(({ id }) => id);
}

/** A landing takes tenths of a second; sixteen sessions may end their units at once. */
const landingPatience = { ...defaultPatience, living: 120_000 };

function aloneAtTarget<T>(here: Here, work: () => Promise<T>): Promise<T> {
  const free = (): Promise<string[]> => freeLanding(here.root);
  return alone(here, "", { free, wasLeft: () => false }, work, landingPatience);
}

interface Cleaning {
  /** Removes locks that nobody holds any more. `wasLeft`: who was here before died here. */
  readonly free: (wasLeft: boolean) => Promise<string[]>;
  /** Was a git of ours killed here, and not who called it? */
  readonly wasLeft: () => boolean;
}

async function alone<T>(
  here: Here,
  name: string,
  { free, wasLeft }: Cleaning,
  work: () => Promise<T>,
  patience = defaultPatience,
): Promise<T> {
  const { root, home, store, run, now } = here;
  const folder = join(home, "branches");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const world = { ...lockWorldOf(store), liveness };
  const lock: Lock = await acquire(join(folder, digestOf(root, name)), world, patience);
  const freed = async (left: boolean): Promise<void> => {
    const locks = await free(left);
    if (locks.length === 0) return;
    const what = { trigger: "tree_freed", metadata: { branch: name, locks } };
    await noteInRun(store, run, now(), what);
  };
  try {
    // Of those that were killed while they waited for it.
    sweepOwn(lock.file, world);
    await freed(lock.took.length > 0);
    return await work();
  } finally {
    // Nobody who comes later would know whose lock it is.
    if (wasLeft()) await freed(true);
    release(lock, world.disk);
  }
}

/** One that was stopped by a signal goes on some time, and so do its tests. */
function liveness(holder: ProcessIdentity): ReturnType<typeof livenessOf> {
  const found = livenessOf(holder);
  return found === "stopped" ? "alive" : found;
}
