// Which folder a workspace is (S1.19): beside it stands what it was made from, and as which file of the disk.
// A link, a folder or a mount in its place is somebody else's: it is neither read, written nor removed.
//
// The device is compared with that of the folder around it: its number may be another after a restart.
import { type BigIntStats, lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { realDisk } from "../store/disk.ts";
import type { Trees } from "./trees.ts";

/** What it was made from: calls from inside it mean that project (store/project.ts). */
export interface Ready {
  readonly base: string | null;
  readonly root: string;
  /** The branch that it was made of; null: none; undefined: that was not written down. */
  readonly onto?: string | null | undefined;
  /** Of the folder; one that was made before this was written down has none. */
  readonly inode?: string;
  /** When the folder was made, where the file system knows: an inode's number is given to the next folder. */
  readonly born?: string | undefined;
}

type Place = Pick<Trees, "workTree" | "ready">;

export type MadeFolder = "ours" | "gone" | "swapped";

export function lookAtFolder(place: Place): MadeFolder {
  const { workTree } = place;
  const made = readReady(place);
  const stats = lstatSync(workTree, { throwIfNoEntry: false, bigint: true });
  if (stats === undefined) return "gone";
  if (made === undefined) return "ours";
  const same = made.inode === undefined || made.inode === String(stats.ino);
  const old = made.born === undefined || made.born === String(stats.birthtimeNs);
  return same && old && stats.isDirectory() && isBeside(stats, workTree) ? "ours" : "swapped";
}

/** A Fault where something else stands in its place. */
export function requireOurs(place: Place): void {
  if (lookAtFolder(place) === "swapped") throw swappedFault(place.workTree);
}

/** Also where nothing stands there any more: what is gone is not a workspace in which everything was removed. */
export function requireThere(place: Place): void {
  requireOurs(place);
  if (lookAtFolder(place) !== "gone") return;
  const path = place.workTree;
  throw new Fault("refused", msg("workspace.gone", { path }), { hint: msg("workspace.gone.hint") });
}

export function swappedFault(path: string): Fault {
  return new Fault("refused", msg("workspace.swapped", { path }), {
    hint: msg("workspace.swapped.hint"),
  });
}

/** Undefined: it is not whole, or there is none. */
export function readReady({ ready }: Place): Ready | undefined {
  const bytes = ready === undefined ? null : realDisk.read(ready, mostReadyBytes);
  // Written in one step; an empty one is what a power cut may leave of it.
  if (bytes === null || bytes.length === 0) return undefined;
  return JSON.parse(Buffer.from(bytes).toString("utf8")) as Ready;
}

/** Written elsewhere and moved: half a marker would say that half a tree is whole. */
export async function writeReady(
  { workTree, ready }: Place,
  { base, root, onto }: Omit<Ready, "inode" | "born">,
): Promise<void> {
  if (ready === undefined) return;
  const { ino, birthtimeNs, ctimeNs } = lstatSync(workTree, { bigint: true });
  // Where a file system does not know it, Node gives the time of the last change.
  const born = birthtimeNs === ctimeNs ? undefined : String(birthtimeNs);
  const made: Ready = { base, root, onto, inode: String(ino), born };
  const draft = `${ready}.tmp`;
  realDisk.remove(draft);
  const handle = realDisk.create(draft, Buffer.from(`${JSON.stringify(made)}\n`), 0o600);
  try {
    await realDisk.sync(handle);
  } finally {
    realDisk.close(handle);
  }
  realDisk.rename(draft, ready);
  realDisk.syncFolder(dirname(ready));
}

// --- internal ---

/** A path has up to 4,096 bytes, each of which JSON may write as six. */
const mostReadyBytes = 32_768;

function isBeside(stats: BigIntStats, path: string): boolean {
  return stats.dev === statSync(dirname(path), { bigint: true }).dev;
}
