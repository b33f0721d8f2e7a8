// When the tree of a unit that is over goes (S2.6): only if all that is in it, its own commits and stashes
// included, is stored, or ignored. Else it
// is moved to <home>/kept/<task>/<n>, told by who asked, and goes by retention with its task (S1.21c).
import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { realDisk } from "../store/disk.ts";
import { unseenRefs } from "./_clone-history.ts";
import type { LeftOut } from "./_snapshot-report.ts";
import { endLeftovers } from "./leftovers.ts";
import { lookAtFolder } from "./made.ts";
import { type Taken, newestTree, takeTree } from "./snapshot.ts";
import {
  type TaskPlaces,
  knownWorkspace,
  removeTree,
  removeWorkspace,
  setupTag,
  taskPlaces,
} from "./workspace.ts";

export interface KeptTree {
  readonly folder: string;
  /** By name, what is in no snapshot; with `refs` empty too: it was changed after what was handed in. */
  readonly files: readonly LeftOut[];
  /** A stash, and branches and tags of the clone's own with commits that are not checked out. */
  readonly refs: readonly string[];
}

export interface Leaving {
  readonly at: number;
  readonly secrets: readonly string[];
  /** Was its newest snapshot handed in? Then all others go; else they stay, and all it holds with them. */
  readonly handedIn: boolean;
}

/** Null: nothing had to be kept. After a kill the same call goes on. */
export async function leaveWorkspace(
  places: TaskPlaces,
  { at, secrets, handedIn }: Leaving,
): Promise<KeptTree | null> {
  // What stands in the place of one that was swapped is somebody else's: nothing of it is kept or removed.
  const isThere = lookAtFolder(places.trees) === "ours";
  if (!isThere || (await knownWorkspace(places)) === undefined) {
    await forget(places, handedIn);
    return null;
  }
  const { trees } = places;
  // Not one of ours, which a kill may have left: it was not handed in.
  const isOther = (seq: number): boolean => seq % 1_000 !== ownNumber;
  // Snapshots that cannot be read say nothing of what is stored.
  const before = handedIn ? await newestTree(trees, isOther).catch(() => null) : null;
  const seq = at * 1_000 + ownNumber;
  const taken = await takeTree({ trees, seq, at, secrets }).catch(() => null);
  const stored = handedIn ? before : (taken?.tree ?? null);
  const kept = await keepUnstored(places, taken, stored, places.kept);
  await forget(places, handedIn);
  return kept;
}

/** `stored`: the tree that is kept elsewhere; what cannot be looked at (`taken` is null) is not. `to`: of its task. */
export async function keepUnstored(
  places: TaskPlaces,
  taken: Pick<Taken, "tree" | "leftOut"> | null,
  stored: string | null,
  to: string,
): Promise<KeptTree | null> {
  const base = (await knownWorkspace(places))?.base ?? null;
  const refs = await unseenRefs(places, base);
  const isStored = taken !== null && taken.leftOut.length === 0 && taken.tree === stored;
  if (isStored && refs.length === 0) return null;
  await endLeftovers(setupTag(places.workspace));
  await mkdir(to, { recursive: true, mode: 0o700 });
  const folder = freeName(to);
  await rename(places.workspace, folder);
  return { folder, files: taken?.leftOut ?? [], refs };
}

/** Of a task, the first one first. */
export function keptTrees(home: string, id: string): string[] {
  const { kept } = taskPlaces(home, id);
  return realDisk
    .list(kept)
    .toSorted((a, b) => Number(a) - Number(b))
    .map((name) => join(kept, name));
}

// --- internal ---

/** Numbers of effects end in less. */
const ownNumber = 998;

async function forget(places: TaskPlaces, withSnapshots: boolean): Promise<void> {
  await (withSnapshots ? removeWorkspace(places) : removeTree(places));
}

/** A task may leave several: one put back to work, or a run of sessions. */
function freeName(folder: string): string {
  for (let count = 1; ; count++) {
    const path = join(folder, String(count));
    if (!existsSync(path)) return path;
  }
}
