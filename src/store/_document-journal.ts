// What happens to a document beside our own updates, for the journal: each is a transition of the
// machine "document" (S5.3), from the revision that was to the one that is.
import { Fault } from "../core/errors.ts";
import { type Message, msg } from "../core/messages.ts";
import type { Finding } from "../formats/format.ts";
import type { DocumentsWorld, Opened, Ref } from "./_document.ts";
import { rowAfter } from "./_document-publish.ts";
import type { DocumentRow, RevisionKind } from "./database/store.ts";
import { holds } from "./lock.ts";

/** A revision that somebody else made, or one of ours made again; with its line in the journal. */
export async function record(
  found: Opened,
  bytes: Uint8Array,
  kind: RevisionKind,
  metadata: object,
  world: DocumentsWorld,
): Promise<void> {
  const { ref, row, lock } = found;
  const document = { ...rowAfter(found, bytes, world), before: row?.after ?? null };
  const createdAt = world.now().toISOString();
  const revision = { kind, base: null, content: bytes, event: null, createdAt };
  const rev = row?.rev ?? 0;
  const outcome = await world.store.commit({
    documents: [{ document, revision }],
    transitions: [transition(ref, kind, metadata, row, rev + 1, world)],
    guard: () => holds(lock, world.disk) || msg("document.lock_lost"),
  });
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
  await world.store.commit({
    transitions: [transition(ref, trigger, metadata, row, row.rev, world)],
  });
}

/** Where, what was expected and what stands there (S4.3). */
export function problemOf([first]: readonly Finding[]): Message {
  if (!first) return msg("format.expected.anything");
  const { pointer, text } = first;
  return pointer === "" ? text : msg("status.at", { pointer, problem: text });
}

// --- internal ---

function transition(
  ref: Ref,
  trigger: string,
  metadata: object,
  row: DocumentRow | undefined,
  to: number,
  world: DocumentsWorld,
) {
  return {
    timestamp: world.now().toISOString(),
    taskId: row?.taskId ?? "",
    machine: "document",
    entityId: ref.path,
    from: `revision ${row?.rev ?? 0}`,
    to: `revision ${to}`,
    trigger,
    metadata,
  };
}
