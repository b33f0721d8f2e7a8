// What the dead had linked aside and never looked at: the file as it stood just before their rename.
// That is a version of ours, or what a person wrote in the last millisecond and nobody has seen.
import { basename, dirname, join } from "node:path";
import { msg } from "../core/messages.ts";
import type { DocumentsWorld, Ref } from "./_document.ts";
import { journal } from "./_document-journal.ts";
import { isSame } from "./_document-publish.ts";
import { quarantine } from "./_document-quarantine.ts";
import { contentAt } from "./_document-recover.ts";
import { isSum } from "./_document-sum.ts";
import type { DocumentRow } from "./database/store.ts";
import type { Lock } from "./lock.ts";

/** So far back a version may still be the one that was replaced. */
const mostBack = 10;

/** Under the lock. Ours goes; a person's is kept in quarantine first, and told. */
export async function settleLeft(ref: Ref, lock: Lock, world: DocumentsWorld): Promise<void> {
  const { disk, store } = world;
  const [folder, prefix] = [dirname(ref.path), `.${basename(ref.path)}.`];
  for (const name of disk.list(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith(".old")) continue;
    if (name.startsWith(`${prefix}${lock.token}.`)) continue;
    const old = join(folder, name);
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
}

// --- internal ---

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
