// Under the lock: makes row and file agree before anything is decided on them (S5.3).
//
//   row   file                      what is done
//   ───   ────────────────────────  ─────────────────────────────────────────────────────────────
//   no    no                        a new document
//   no    valid                     adopted (a new clone, a lost home); the user is told
//   no    unreadable or invalid     the last validated version (.bak) in its place, the bad file
//                                   kept and told; without one a clear stop, the file untouched
//   yes   as published              nothing
//   yes   as before the last write  that write's file never followed, or was put back by hand:
//         or gone                   published again from the database; told unless it was ours
//   yes   unreadable or invalid     published again, theirs kept in quarantine, told
//   yes   another valid document    a step a person may take: adopted, journaled, told; an event of
//                                   ours that a crash had interrupted is run again on it.
//                                   Any other: published again, theirs in quarantine, told
//
// Never silently reset, never overwritten unseen.
import { Fault } from "../core/errors.ts";
import { type Message, msg } from "../core/messages.ts";
import type { Finding } from "../formats/format.ts";
import { type DocumentsWorld, type Opened, type Ref, sumOf } from "./_document.ts";
import { rowAfter, writeFile } from "./_document-publish.ts";
import { quarantine } from "./_document-quarantine.ts";
import type { DocumentRow, RevisionKind } from "./database/store.ts";
import { type Difference, differencesOf, mayPerson, shown } from "./foreign.ts";
import { self } from "./identity.ts";
import { type Lock, holds } from "./lock.ts";

/** More rounds than this mean that somebody writes the file all the time. */
const mostRounds = 6;

export async function openDocument(ref: Ref, lock: Lock, world: DocumentsWorld): Promise<Opened> {
  for (let round = 0; round < mostRounds; round++) {
    const row = await world.store.document(ref.path);
    const bytes = world.disk.read(ref.path);
    const found: Opened = { ref, row, bytes, value: undefined, lock };
    const opened = row ? await withRow(found, row, world) : await withoutRow(found, world);
    if (opened) return opened;
  }
  throw new Fault("locked", msg("document.restless", { path: ref.path }), {
    hint: msg("document.restless.hint"),
  });
}

// --- internal ---

async function withoutRow(found: Opened, world: DocumentsWorld): Promise<Opened | undefined> {
  const { ref, bytes, lock } = found;
  if (bytes === null) return found;
  const read = ref.codec.read(bytes);
  if (read.ok) {
    await record({ ...found, bytes: null }, bytes, "adopted", [], world);
    world.tell({ path: ref.path, text: msg("document.adopted", { path: ref.path }) });
    return undefined;
  }
  const backup = world.disk.read(`${ref.path}.bak`);
  if (backup === null || !ref.codec.read(backup).ok) throw corrupt(ref.path, read.findings);
  const kept = await quarantine(ref.path, bytes, world);
  await writeFile(ref.path, backup, lock, world.disk);
  await record({ ...found, bytes: null }, backup, "restored", [], world);
  world.tell({
    path: ref.path,
    text: msg("document.from_backup", { path: ref.path, kept, problem: problemOf(read.findings) }),
  });
  return undefined;
}

async function withRow(
  found: Opened,
  row: DocumentRow,
  world: DocumentsWorld,
): Promise<Opened | undefined> {
  const { ref, bytes } = found;
  const sum = sumOf(bytes);
  if (sum === row.after) {
    if (bytes === null) return found;
    const read = ref.codec.read(bytes);
    // It was validated when it was written; only a newer Holdfast could have written it.
    if (!read.ok) throw corrupt(ref.path, read.findings);
    return { ...found, value: read.value };
  }
  if (sum === row.before || bytes === null) {
    await publishAgain(found, row, world);
    if (!isUnfinished(row, found.lock))
      world.tell({ path: ref.path, text: msg("document.published_again", { path: ref.path }) });
    return undefined;
  }
  await judgeForeign(found, bytes, row, world);
  return undefined;
}

/** Committed by someone who died, or before this boot, so that the file may not have followed. */
function isUnfinished(row: DocumentRow, lock: Lock): boolean {
  return lock.took.includes(row.token) || row.boot !== self().boot;
}

async function judgeForeign(
  found: Opened,
  theirs: Uint8Array,
  row: DocumentRow,
  world: DocumentsWorld,
): Promise<void> {
  const { ref, lock } = found;
  const read = ref.codec.read(theirs);
  if (!read.ok) return setAside(found, theirs, row, problemOf(read.findings), world);
  // An interrupted write: they edited what stood before it.
  const interrupted = isUnfinished(row, lock);
  const ours = await documentAt(ref, row, interrupted ? row.rev - 1 : row.rev, world);
  const differences = differencesOf(ours, read.value);
  const verdict = await mayPerson(ref.codec.format, ref.format, ours, read.value, differences);
  if (verdict !== true) return setAside(found, theirs, row, verdict, world);
  await record({ ...found, bytes: null }, theirs, "foreign", differences, world);
  const changes = shown(differences, ref.codec.format.secrets ?? []);
  world.tell({ path: ref.path, text: msg("document.foreign", { path: ref.path, changes }) });
  if (interrupted) await redo(ref, read.value, row, lock, world);
}

/** Our event on their document: both are kept. */
async function redo(
  ref: Ref,
  theirs: unknown,
  row: DocumentRow,
  lock: Lock,
  world: DocumentsWorld,
): Promise<void> {
  const [revision] = await world.store.revisions(ref.path, row.rev - 1);
  if (!revision || revision.kind !== "ours" || revision.event === null) return;
  const value = world.replay(ref.format, theirs, revision.event);
  const bytes = world.disk.read(ref.path);
  const now = await world.store.document(ref.path);
  if (bytes === null || !now || ref.codec.check(value).some(({ level }) => level === "error"))
    return;
  const next = Buffer.from(ref.codec.print(value, Buffer.from(bytes).toString("utf8")), "utf8");
  if (next.equals(bytes)) return;
  await record({ ref, row: now, bytes, value: theirs, lock }, next, "redone", [], world);
  await writeFile(ref.path, next, lock, world.disk);
}

async function setAside(
  found: Opened,
  theirs: Uint8Array,
  row: DocumentRow,
  problem: Message,
  world: DocumentsWorld,
): Promise<void> {
  const { path } = found.ref;
  const kept = await quarantine(path, theirs, world);
  await publishAgain(found, row, world);
  await journal(found.ref, "set_aside", { kept }, row, world);
  world.tell({ path, text: msg("document.set_aside", { path, kept, problem }) });
}

async function publishAgain(
  { ref, lock }: Opened,
  row: DocumentRow,
  world: DocumentsWorld,
): Promise<void> {
  const bytes = await world.store.contentAt(ref.path, row.rev);
  if (bytes === undefined) {
    if (row.after !== null)
      throw new Fault("corrupt", msg("document.no_content", { path: ref.path, rev: row.rev }));
    world.disk.remove(ref.path);
    return;
  }
  await writeFile(ref.path, bytes, lock, world.disk);
}

async function documentAt(
  ref: Ref,
  row: DocumentRow,
  rev: number,
  world: DocumentsWorld,
): Promise<unknown> {
  const bytes = rev > 0 ? await world.store.contentAt(ref.path, rev) : undefined;
  const read = bytes && ref.codec.read(bytes);
  return read?.ok ? read.value : undefined;
}

/** A revision that somebody else made, or one of ours made again; with its line in the journal. */
async function record(
  found: Opened,
  bytes: Uint8Array,
  kind: RevisionKind,
  differences: readonly Difference[],
  world: DocumentsWorld,
): Promise<void> {
  const { ref, lock } = found;
  const row = found.row ? { ...found.row } : undefined;
  const document = { ...rowAfter({ ...found, row }, bytes, world), before: row?.after ?? null };
  const outcome = await world.store.commit({
    documents: [
      {
        document,
        revision: {
          kind,
          base: null,
          content: bytes,
          event: null,
          createdAt: world.now().toISOString(),
        },
      },
    ],
    transitions: [
      transition(
        ref,
        kind,
        { differences: shown(differences, ref.codec.format.secrets ?? []) },
        row,
        world,
      ),
    ],
    guard: () => holds(lock, world.disk) || msg("document.lock_lost"),
  });
  if (!outcome.ok) throw new Fault("locked", outcome.what);
}

async function journal(
  ref: Ref,
  trigger: string,
  metadata: object,
  row: DocumentRow,
  world: DocumentsWorld,
): Promise<void> {
  await world.store.commit({ transitions: [transition(ref, trigger, metadata, row, world)] });
}

function transition(
  ref: Ref,
  trigger: string,
  metadata: object,
  row: DocumentRow | undefined,
  world: DocumentsWorld,
) {
  const rev = row?.rev ?? 0;
  return {
    timestamp: world.now().toISOString(),
    taskId: row?.taskId ?? "",
    machine: "document",
    entityId: ref.path,
    from: `revision ${rev}`,
    to: `revision ${trigger === "set_aside" ? rev : rev + 1}`,
    trigger,
    metadata,
  };
}

function problemOf(findings: readonly Finding[]): Message {
  return findings[0]?.text ?? msg("format.expected.anything");
}

function corrupt(path: string, findings: readonly Finding[]): Fault {
  return new Fault("corrupt", msg("document.corrupt", { path, problem: problemOf(findings) }), {
    hint: msg("document.corrupt.hint"),
  });
}
