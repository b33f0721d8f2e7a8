// Under the lock: makes row and file agree before anything is decided on them (S5.3).
//
//   row   file                      what is done
//   ───   ────────────────────────  ─────────────────────────────────────────────────────────────
//   no    no                        a new document; of a plan's memory, its newest backup (S3.7)
//   no    valid                     adopted (a new clone, a lost home); the user is told
//   no    unreadable or invalid     recovered (_document-recover.ts), the bad file kept and told;
//                                   without anything to recover from a stop, the file untouched
//   yes   as published              nothing
//   yes   as before the last write  that write's file never followed, or was put back by hand:
//         or gone                   published again from the database; told unless it was ours
//   yes   gone, and a person may    taken over, journaled, told; what it held is kept (S0.8). One that
//         remove it                 comes back after that is adopted
//   yes   unreadable or invalid     published again, theirs kept in quarantine, told
//   yes   another valid document    a step a person may take: adopted, journaled, told; an event of
//                                   ours that a crash had interrupted is run again on it.
//                                   Any other: published again, theirs in quarantine, told
//   yes,  valid                     adopted, told: it is the newest there is
//   but   anything else             as without a row, and the journal is one more place to look
//   damaged
//   any   of a newer version, or    a stop, all stays: what a newer Holdfast wrote is whole, and
//         the row is                nothing of ours takes its place (a bit alone is damage)
//
// Never silently reset, never overwritten unseen.
import { dirname } from "node:path";
import { Fault } from "../core/errors.ts";
import { type Message, msg, render } from "../core/messages.ts";
import type { DocumentsWorld, Opened, Ref } from "./_document.ts";
import { type Redone, journal, problemOf, record } from "./_document-journal.ts";
import { settleLeft } from "./_document-left.ts";
import { Moved, isSame, requireAs, writeFile } from "./_document-publish.ts";
import { quarantine } from "./_document-quarantine.ts";
import {
  type Published,
  contentAt,
  corrupt,
  publishedBy,
  putBackup,
  readNotNewer,
  recover,
} from "./_document-recover.ts";
import { isSum } from "./_document-sum.ts";
import { hasBackups } from "./backups.ts";
import type { DocumentRow } from "./database/store.ts";
import { differencesOf, mayPerson, shown } from "./foreign.ts";
import { self } from "./identity.ts";
import type { Lock } from "./lock.ts";

/** Each is synced before the next is committed, so hardly more than one can be undone. */
const mostUndone = 10;
/** More rounds than this mean that somebody writes the file all the time. */
const mostRounds = 6;

export async function openDocument(ref: Ref, held: Lock, world: DocumentsWorld): Promise<Opened> {
  const { lock, sweep } = await settleLeft(ref, held, world);
  for (let round = 0; round < mostRounds; round++) {
    const row = await world.store.document(ref.path);
    const bytes = world.disk.read(ref.path);
    const found: Opened = { ref, row, bytes, value: undefined, lock };
    try {
      const opened = row ? await withRow(found, row, world) : await withoutRow(found, world);
      if (!opened) continue;
      sweep();
      return opened;
    } catch (cause) {
      if (!(cause instanceof Moved)) throw cause;
    }
  }
  throw new Fault("locked", msg("document.restless", { path: ref.path }), {
    hint: msg("document.restless.hint"),
  });
}

// --- internal ---

async function withoutRow(found: Opened, world: DocumentsWorld): Promise<Opened | undefined> {
  const { ref, bytes } = found;
  const { path } = ref;
  if (bytes === null) {
    // Nothing of ours ever removes a memory file, so one that has a backup was lost.
    const gone = msg("document.gone");
    return hasBackups(ref.format) && (await putBackup(found, gone, world)) ? undefined : found;
  }
  const read = readNotNewer(ref, bytes);
  if (!read.ok) {
    await recover(found, problemOf(read.findings), world);
    return undefined;
  }
  await record(found, bytes, "adopted", {}, world);
  world.tell({ path, text: msg("document.adopted", { path }) });
  return undefined;
}

async function withRow(
  found: Opened,
  row: DocumentRow,
  world: DocumentsWorld,
): Promise<Opened | undefined> {
  const { ref, bytes } = found;
  if (isSum(bytes, row.after)) {
    // What a dead one renamed may not be durable yet, and the next commit builds on it.
    if (isUnfinished(row, found.lock)) world.disk.syncFolder(dirname(ref.path));
    if (bytes === null) return found;
    const read = readNotNewer(ref, bytes);
    // It was validated when it was written, by rules that are no longer these.
    if (!read.ok) throw corrupt(ref.path, problemOf(read.findings));
    return { ...found, value: read.value };
  }
  const ours = await publishedBy(ref, row, world);
  if (ours === undefined) await withDamagedRow(found, row, world);
  else if (bytes === null && ours.bytes !== null && isRemoved(found, row))
    await takeRemoval(found, ours.bytes, world);
  else if (bytes !== null && !isSum(bytes, row.before) && !(await isUndone(ref, row, bytes, world)))
    await judgeForeign(found, bytes, row, ours, world);
  else {
    const told = !isUnfinished(row, found.lock);
    if (told) await journal(ref, "published_again", {}, row, world);
    await publishAgain(found, ours, world);
    if (told)
      world.tell({ path: ref.path, text: msg("document.published_again", { path: ref.path }) });
  }
  return undefined;
}

/**
 * By a person, who may: a crash of ours leaves no gap where there was a file before the last write, as
 * one name replaces the other; a first write may not have followed.
 */
function isRemoved({ ref, lock }: Opened, row: DocumentRow): boolean {
  if (ref.codec.format.removable !== true) return false;
  return row.before !== null || !isUnfinished(row, lock);
}

/** Kept before the journal says so: a crash in between keeps it twice, never not at all. */
async function takeRemoval(found: Opened, held: Uint8Array, world: DocumentsWorld): Promise<void> {
  const { path } = found.ref;
  const kept = await quarantine(path, held, world);
  await record(found, null, "foreign", { removed: true, kept }, world);
  world.tell({ path, text: msg("document.removed_by_hand", { path, kept }) });
}

function isOneBitOff(one: Uint8Array, other: Uint8Array | null): boolean {
  if (one.length !== other?.length) return false;
  const at = one.findIndex((byte, place) => byte !== other[place]);
  const bits = (one[at] ?? 0) ^ (other[at] ?? 0);
  if ((bits & (bits - 1)) !== 0) return false;
  return Buffer.compare(one.subarray(at + 1), other.subarray(at + 1)) === 0;
}

/** The file is not as published, and what was published can not be read any more. */
async function withDamagedRow(
  found: Opened,
  row: DocumentRow,
  world: DocumentsWorld,
): Promise<void> {
  const { ref, bytes } = found;
  const lost = msg("document.no_content", { path: ref.path, rev: row.rev });
  const stored = await contentAt(ref, row.rev, world);
  if (stored) readNotNewer(ref, stored);
  if (bytes === null) return recover(found, lost, world);
  const read = readNotNewer(ref, bytes);
  if (!read.ok) return recover(found, problemOf(read.findings), world);
  await record(found, bytes, "adopted", { problem: render("en", lost) }, world);
  const text = msg("document.taken_as_is", { path: ref.path, rev: row.rev });
  world.tell({ path: ref.path, text });
}

/**
 * Committed by someone who died or could not write the file, or before this boot, or by ourselves a
 * moment ago: it may not have followed.
 */
export function isUnfinished({ token, boot }: DocumentRow, lock: Lock): boolean {
  const unsure = token === "" || token === lock.token || lock.took.includes(token);
  return unsure || boot !== self().boot;
}

/** Renames that a power cut undid: an older version, and still ours. */
async function isUndone(
  ref: Ref,
  row: DocumentRow,
  bytes: Uint8Array,
  world: DocumentsWorld,
): Promise<boolean> {
  if (row.boot === self().boot) return false;
  for (let rev = row.rev - 2; rev > Math.max(0, row.rev - mostUndone); rev--) {
    const content = await contentAt(ref, rev, world);
    if (content && isSame(content, bytes)) return true;
  }
  return false;
}

async function judgeForeign(
  found: Opened,
  theirs: Uint8Array,
  row: DocumentRow,
  published: Published,
  world: DocumentsWorld,
): Promise<void> {
  const { ref, lock } = found;
  const aside = (problem: Message, changes?: string): Promise<void> =>
    setAside(found, theirs, row, published, { problem, changes }, world);
  // A flipped bit may say it too; a newer Holdfast, or a person, writes more than a bit.
  const flipped = isOneBitOff(theirs, published.bytes);
  const read = flipped ? ref.codec.read(theirs) : readNotNewer(ref, theirs);
  if (!read.ok) return aside(problemOf(read.findings));
  // A removal of ours replaced something; this one was a person's, who has put it back.
  if (row.after === null && row.before === null) {
    await record(found, theirs, "adopted", {}, world);
    return world.tell({ path: ref.path, text: msg("document.adopted", { path: ref.path }) });
  }
  const { ours, differences, interrupted } = await baseOf(found, read.value, row, published, world);
  const changes = shown(differences, ref.codec.format.secrets ?? []);
  const verdict = await mayPerson(ref.codec.format, ref.format, ours, read.value, differences);
  if (verdict !== true) return aside(verdict, ours === undefined ? undefined : changes);
  const again = interrupted ? await redone(ref, read.value, theirs, row, world) : undefined;
  await record(found, theirs, "foreign", { differences: changes }, world, again);
  world.tell({ path: ref.path, text: msg("document.foreign", { path: ref.path, changes }) });
  if (again) await writeFile(ref.path, again.bytes, theirs, lock, world.disk);
}

/**
 * What did they edit? Where nobody knows whether our last write followed, whichever version is
 * closer: an event that they saw must not be run again on what they made of it.
 */
async function baseOf(
  { ref, lock }: Opened,
  theirs: unknown,
  row: DocumentRow,
  published: Published,
  world: DocumentsWorld,
) {
  const here = { ours: published.value, differences: differencesOf(published.value, theirs) };
  const earlier = isUnfinished(row, lock) ? await documentAt(ref, row.rev - 1, world) : undefined;
  if (earlier === undefined) return { ...here, interrupted: false };
  const differences = differencesOf(earlier, theirs);
  const interrupted = published.bytes === null || differences.length < here.differences.length;
  return interrupted ? { ours: earlier, differences, interrupted } : { ...here, interrupted };
}

/** Our event on their document: both are kept. undefined: it does nothing there, or does not fit. */
async function redone(
  ref: Ref,
  theirs: unknown,
  bytes: Uint8Array,
  row: DocumentRow,
  world: DocumentsWorld,
): Promise<Redone | undefined> {
  const [revision] = await world.store.revisions(ref.path, row.rev - 1);
  const isEvent = revision?.kind === "ours" || revision?.kind === "redone";
  if (!isEvent || revision.event === null) return undefined;
  const value = await world.replay(ref.format, theirs, revision.event);
  if (ref.codec.check(value).some(({ level }) => level === "error")) return undefined;
  const next = Buffer.from(ref.codec.print(value, Buffer.from(bytes).toString("utf8")), "utf8");
  return next.equals(bytes) ? undefined : { bytes: next, event: revision.event };
}

/** Journaled before the file is touched: a crash in between tells it twice, never not at all. */
async function setAside(
  found: Opened,
  theirs: Uint8Array,
  row: DocumentRow,
  published: Published,
  why: { readonly problem: Message; readonly changes: string | undefined },
  world: DocumentsWorld,
): Promise<void> {
  const { ref } = found;
  const { path } = ref;
  const kept = await quarantine(path, theirs, world);
  const problem = render("en", why.problem);
  const differences = why.changes === undefined ? {} : { differences: why.changes };
  await journal(ref, "set_aside", { kept, problem, ...differences }, row, world);
  await publishAgain(found, published, world);
  world.tell({ path, text: msg("document.set_aside", { path, kept, problem: why.problem }) });
}

async function publishAgain(
  { ref, lock, bytes: theirs }: Opened,
  { bytes }: Published,
  { disk }: DocumentsWorld,
): Promise<void> {
  if (bytes !== null) return writeFile(ref.path, bytes, theirs, lock, disk);
  requireAs(ref.path, theirs, disk);
  disk.remove(ref.path);
  disk.syncFolder(dirname(ref.path));
}

async function documentAt(ref: Ref, rev: number, world: DocumentsWorld): Promise<unknown> {
  const bytes = rev > 0 ? await contentAt(ref, rev, world) : undefined;
  const read = bytes && ref.codec.read(bytes);
  return read?.ok ? read.value : undefined;
}
