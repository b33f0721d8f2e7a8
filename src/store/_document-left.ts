// What others left beside a document, and never looked at or never finished (see lock.ts for the names):
//
//   .own   they died before they held the lock                               removed
//   .old   the file as it stood just before their rename: a version of ours, or what a person wrote
//          in the last millisecond and nobody has seen                       kept first, then removed
//   .tmp   they died before their commit or after it, or could not hear what became of it: theirs is
//          one of those that may not have followed (_document-open.ts)       removed once that is done
import { msg } from "../core/messages.ts";
import type { DocumentsWorld, Ref } from "./_document.ts";
import { journal } from "./_document-journal.ts";
import { isSame } from "./_document-publish.ts";
import { quarantine } from "./_document-quarantine.ts";
import { contentAt } from "./_document-recover.ts";
import { isSum } from "./_document-sum.ts";
import type { DocumentRow } from "./database/store.ts";
import { leftBeside, removeIfLeft } from "./left.ts";
import type { Lock } from "./lock.ts";

/** So far back a version may still be the one that was replaced. */
const mostBack = 10;

/** The lock with those who left something, and what is to be done when the document is in order. */
export interface Settled {
  readonly lock: Lock;
  readonly sweep: () => void;
}

/** Under the lock. */
export async function settleLeft(ref: Ref, lock: Lock, world: DocumentsWorld): Promise<Settled> {
  const { disk, lockWorld } = world;
  const left = leftBeside(lock, disk);
  for (const { path, kind } of left) {
    if (kind === "old") await settleOld(ref, path, world);
    else if (kind === "own") removeIfLeft(path, lockWorld);
  }
  const unfinished = left.filter(({ kind }) => kind === "tmp");
  return {
    lock: { ...lock, took: [...lock.took, ...unfinished.map(({ token }) => token)] },
    sweep: () => unfinished.forEach(({ path }) => disk.remove(path)),
  };
}

// --- internal ---

async function settleOld(ref: Ref, old: string, world: DocumentsWorld): Promise<void> {
  const { disk, store } = world;
  const bytes = disk.read(old);
  const row = await store.document(ref.path);
  if (bytes !== null && !(row && (await isOurs(ref, bytes, row, world)))) {
    const kept = await quarantine(ref.path, bytes, world);
    if (row) await journal(ref, "set_aside", { kept }, row, world);
    // A journal that begins with an adopted file does not know all that was ours: no alarm.
    const [first] = await store.revisions(ref.path);
    if (first && first.kind !== "adopted")
      world.tell({ path: ref.path, text: msg("document.theirs_kept", { path: ref.path, kept }) });
  }
  disk.remove(old);
}

async function isOurs(
  ref: Ref,
  bytes: Uint8Array,
  row: DocumentRow,
  world: DocumentsWorld,
): Promise<boolean> {
  const isHere = (found: Uint8Array | null): boolean => found !== null && isSame(found, bytes);
  // It is there still, or was before the first revision: nothing of it is lost.
  if (isSum(bytes, row.before) || isSum(bytes, row.after) || isHere(world.disk.read(ref.path)))
    return true;
  for (let rev = row.rev - 1; rev > Math.max(0, row.rev - mostBack); rev--)
    if (isHere((await contentAt(ref, rev, world)) ?? null)) return true;
  return false;
}
