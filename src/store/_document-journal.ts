// What happens to a document beside our own updates, for the journal: each is a transition of the
// machine "document" (S5.3), from the revision that was to the one that is.
import { Fault } from "../core/errors.ts";
import { type Message, msg } from "../core/messages.ts";
import type { Finding } from "../formats/format.ts";
import type { DocumentsWorld, Opened, Ref } from "./_document.ts";
import { rowAfter } from "./_document-publish.ts";
import { sumOf } from "./_document-sum.ts";
import type { Change, DocumentRow, RevisionKind } from "./database/store.ts";
import { holds } from "./lock.ts";

/** An event of ours, and what it makes of a version that somebody else made. */
export interface Redone {
  readonly bytes: Uint8Array;
  readonly event: unknown;
}

/**
 * A revision that somebody else made, or one of ours made again; with its line in the journal. And
 * what is made of it at once: a crash in between would leave their version without our event. Null:
 * they removed the file. Should it come back, it is theirs, not a write of ours that was undone.
 */
export async function record(
  found: Opened,
  bytes: Uint8Array | null,
  kind: RevisionKind,
  metadata: object,
  world: DocumentsWorld,
  redone?: Redone,
): Promise<void> {
  const { row, lock } = found;
  const document = { ...rowAfter(found, bytes, world), before: bytes && (row?.after ?? null) };
  const theirs = changeTo(document, { kind, bytes, event: null }, metadata, found.ref, world);
  const next = redone ? [changeAfter(document, redone, found.ref, world)] : [];
  const guard = () => holds(lock, world.disk) || msg("document.lock_lost");
  const outcome = await world.store.commit({ ...theirs, guard, next });
  if (!outcome.ok) throw new Fault("locked", outcome.what);
}

/** A line in the journal alone: the revision stays what it is. */
export async function journal(
  ref: Ref,
  trigger: "set_aside" | "published_again",
  metadata: object,
  row: DocumentRow,
  world: DocumentsWorld,
): Promise<void> {
  await world.store.commit({ transitions: [transition(ref, trigger, metadata, row, 0, world)] });
}

/** Where, what was expected and what stands there (S4.3). */
export function problemOf([first]: readonly Finding[]): Message {
  if (!first) return msg("format.expected.anything");
  const { pointer, text } = first;
  return pointer === "" ? text : msg("status.at", { pointer, problem: text });
}

// --- internal ---

function changeTo(
  document: DocumentRow,
  {
    kind,
    bytes,
    event,
  }: {
    readonly kind: RevisionKind;
    readonly bytes: Uint8Array | null;
    readonly event: unknown;
  },
  metadata: object,
  ref: Ref,
  world: DocumentsWorld,
): Change {
  const createdAt = world.now().toISOString();
  return {
    documents: [{ document, revision: { kind, base: null, content: bytes, event, createdAt } }],
    transitions: [transition(ref, kind, metadata, document, 1, world)],
  };
}

function changeAfter(row: DocumentRow, redone: Redone, ref: Ref, world: DocumentsWorld): Change {
  const document = { ...row, rev: row.rev + 1, before: row.after, after: sumOf(redone.bytes) };
  return changeTo(document, { kind: "redone", ...redone }, {}, ref, world);
}

function transition(
  { path }: Ref,
  trigger: string,
  metadata: object,
  { taskId, rev }: DocumentRow,
  more: 0 | 1,
  world: DocumentsWorld,
) {
  return {
    timestamp: world.now().toISOString(),
    taskId: taskId ?? "",
    machine: "document",
    entityId: path,
    from: `revision ${rev}`,
    to: `revision ${rev + more}`,
    trigger,
    metadata,
  };
}
