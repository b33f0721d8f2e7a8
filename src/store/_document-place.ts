// Steps 5 to 9 of a write (see documents.ts): the new file into its place, and what to do if the one
// it replaces is not the one that was read.
import { dirname } from "node:path";
import { msg } from "../core/messages.ts";
import type { DocumentsWorld } from "./_document.ts";
import { journal, problemOf, record } from "./_document-journal.ts";
import { Moved, type Prepared, closeHandle, isSame, writeFile } from "./_document-publish.ts";
import { quarantine } from "./_document-quarantine.ts";
import { type Disk, codeOf } from "./disk.ts";
import { differencesOf, mayPerson, shown } from "./foreign.ts";
import { holds, sideFile } from "./lock.ts";

/**
 * Puts the file in place. If what it replaces is not what was read, somebody changed the file
 * in the last millisecond: our events are applied to their version too, or theirs is kept aside.
 */
export async function publish(
  next: Prepared,
  world: DocumentsWorld,
  reapply: (theirs: unknown) => unknown,
): Promise<"as prepared" | "otherwise"> {
  const { disk } = world;
  await next.synced;
  closeHandle(next, disk);
  const { ref, lock } = next.document;
  const old = sideFile(ref.path, lock.token, "old");
  try {
    const slipped = next.bytes === null ? remove(next, old, disk) : replace(next, old, disk);
    if (slipped === null) return "as prepared";
    if (slipped === "taken over") return "otherwise";
    await mergeSlipped(next, slipped, world, reapply);
  } catch (cause) {
    await rescue(next, old, world);
    throw cause;
  }
  disk.remove(old);
  return "otherwise";
}

// --- internal ---

/** null: all as it should be. Bytes: what stood there instead of what we had read. */
function replace(next: Prepared, old: string, disk: Disk): Uint8Array | null | "taken over" {
  const { ref, lock, bytes: expected } = next.document;
  if (!holds(lock, disk)) return "taken over";
  const had = linkAside(next, old, disk);
  try {
    disk.rename(sideFile(ref.path, lock.token, "tmp"), ref.path);
  } catch (cause) {
    disk.remove(old);
    // Whoever took over removed our temporary file, and finishes our commit from the database.
    if (codeOf(cause) === "ENOENT") return "taken over";
    throw cause;
  }
  disk.syncFolder(dirname(ref.path));
  return had ? settleOld(old, ref.path, expected, disk) : null;
}

function remove(next: Prepared, old: string, disk: Disk): Uint8Array | null | "taken over" {
  const { ref, lock, bytes: expected } = next.document;
  if (!holds(lock, disk)) return "taken over";
  if (!linkAside(next, old, disk)) return null;
  disk.remove(ref.path);
  disk.syncFolder(dirname(ref.path));
  return settleOld(old, ref.path, expected, disk);
}

/**
 * A second name for what is to be replaced; false if there is nothing. A person's version has no
 * other place, and a power cut may keep what we do next and lose the name: so that is made durable.
 */
function linkAside({ document, stamp }: Prepared, old: string, disk: Disk): boolean {
  const { path } = document.ref;
  if (!disk.link(path, old)) return false;
  const found = disk.stamp(old);
  if (found?.inode !== stamp?.inode || found?.modified !== stamp?.modified)
    disk.syncFolder(dirname(path));
  return true;
}

/**
 * `.bak` is only ever a version that was validated: what we had read (S2.7). Anything else stays
 * until it is safe in another place.
 */
function settleOld(
  old: string,
  path: string,
  expected: Uint8Array | null,
  disk: Disk,
): Uint8Array | null {
  const found = disk.read(old, undefined, expected ?? undefined);
  if (found === null || expected === null || !isSame(found, expected)) return found;
  try {
    disk.rename(old, `${path}.bak`);
  } catch (cause) {
    // Whoever took over swept it. The file itself is in place.
    if (codeOf(cause) !== "ENOENT") throw cause;
  }
  return null;
}

/** After a failure: a person's version that ours has replaced would be swept with our lock. */
async function rescue({ document }: Prepared, old: string, world: DocumentsWorld): Promise<void> {
  try {
    const theirs = world.disk.read(old);
    if (theirs === null || (document.bytes !== null && isSame(theirs, document.bytes))) return;
    const { path } = document.ref;
    const kept = await quarantine(path, theirs, world);
    world.tell({ path, text: msg("document.theirs_kept", { path, kept }) });
  } catch {
    // The first failure is the one to be told.
  }
}

/** An event that does not fit their version is no reason to lose it. */
function orNothing(make: () => unknown): unknown {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** As what is found changed by hand (_document-open.ts), only that our events have happened. */
async function mergeSlipped(
  next: Prepared,
  theirs: Uint8Array,
  world: DocumentsWorld,
  reapply: (theirs: unknown) => unknown,
): Promise<void> {
  const { ref, lock, value: before } = next.document;
  const { path, codec } = ref;
  const row = { ...next.row, rev: next.row.rev + 1 };
  const read = codec.read(theirs);
  const found = read.ok ? differencesOf(before, read.value) : [];
  const differences = shown(found, codec.format.secrets ?? []);
  const verdict = !read.ok
    ? problemOf(read.findings)
    : before === undefined ||
      (await mayPerson(codec.format, ref.format, before, read.value, found));
  const merged = read.ok && verdict === true ? orNothing(() => reapply(read.value)) : undefined;
  if (merged === undefined || codec.check(merged).some(({ level }) => level === "error")) {
    const kept = await quarantine(path, theirs, world);
    await journal(ref, "set_aside", { kept, differences }, row, world);
    world.tell({ path, text: msg("document.theirs_kept", { path, kept }) });
    return;
  }
  const bytes = Buffer.from(codec.print(merged, Buffer.from(theirs).toString("utf8")), "utf8");
  await record(
    { ...next.document, row, bytes: next.bytes },
    bytes,
    "redone",
    { differences },
    world,
  );
  try {
    await writeFile(path, bytes, next.bytes, lock, world.disk);
  } catch (cause) {
    // Theirs stands there again: whoever opens it next judges it.
    if (!(cause instanceof Moved)) throw cause;
  }
  world.tell({ path, text: msg("document.merged", { path }) });
}
