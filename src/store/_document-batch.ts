// Updates of the same files that wait in this process while another is written: they are applied
// one after another, each to what the one before made, and written once (S5.1, S5.2).
//
//   arrived ──▶ applied in that order ──▶ one commit, one file ──▶ each is answered
//                   │ throws, or makes a document invalid         │ refused for one of them
//                   ▼                                             ▼
//            its own caller's error, and the                each again, alone: only the guilty
//            next one builds on what stood before it        caller is refused
//
// The revision's event is the list of those that changed the document, in that order, so that they
// can be run again one by one. Whoever was refused while others were accepted hears of it only when
// these are durable: it was refused because of what they wrote.
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import type { Opened } from "./_document.ts";
import { checkChange } from "./_document-check.ts";
import { freeze } from "../formats/frozen.ts";
import type { Change } from "./database/store.ts";
import type { Applied, DocumentMap, Update } from "./documents.ts";

/** A caller: what it wants, and where its answer goes. */
export interface Waiting {
  readonly update: Update<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (cause: unknown) => void;
}

/** What a batch comes to, before anything is written. */
export interface Together {
  /** By path, what is to be written; see `Applied.documents`. */
  readonly wanted: DocumentMap;
  /** By path, the events that changed it. */
  readonly events: ReadonlyMap<string, readonly unknown[]>;
  readonly changes: readonly Change[];
  /** Has anyone been accepted, so that something may have to be written? */
  readonly accepted: boolean;
  /** Tells each caller its own result or refusal. */
  answer(): void;
  /** The same updates once more, with another version of one document. */
  reapply(path: string, theirs: unknown): unknown;
}

export function applyTogether(batch: readonly Waiting[], opened: readonly Opened[]): Together {
  const run: Run = {
    now: new Map(opened.map(({ ref, value }) => [ref.path, value])),
    wanted: new Map(),
    events: new Map(),
  };
  const accepted: { readonly update: Update<unknown>; readonly applied: Applied<unknown> }[] = [];
  const answers: (() => void)[] = [];
  for (const { update, resolve, reject } of batch) {
    try {
      const applied = update.apply(new Map(run.now));
      requireValid(applied, opened, run.now);
      take(update.event, applied, opened, run);
      accepted.push({ update, applied });
      answers.push(() => resolve(applied.result));
    } catch (cause) {
      answers.push(() => reject(cause));
    }
  }
  return {
    ...run,
    changes: accepted.flatMap(({ applied }) => applied.change ?? []),
    accepted: accepted.length > 0,
    answer: () => answers.forEach((tell) => tell()),
    reapply: (path, theirs) => {
      const values = new Map(opened.map(({ ref, value }) => [ref.path, value]));
      values.set(path, theirs);
      for (const { update } of accepted)
        for (const [name, value] of update.apply(new Map(values)).documents)
          values.set(name, value ?? undefined);
      return values.get(path);
    },
  };
}

/** A commit that failed because of what somebody wanted stored: nothing of it is. */
export function isUnstorable(cause: unknown): boolean {
  return isOf(unstorable, cause);
}

/** A commit that failed, and nothing of it is stored. Of any other nobody knows. */
export function isNotStored(cause: unknown): boolean {
  return isOf(notStored, cause);
}

// --- internal ---

const unstorable = ["store.not_json", "store.rule"];
/** Refused before the log had the whole of it. */
const notStored = [...unstorable, "store.full", "store.locked", "store.readonly"];

function isOf(keys: readonly string[], cause: unknown): boolean {
  return cause instanceof Fault && keys.includes(cause.text.key);
}

interface Run {
  readonly now: Map<string, unknown>;
  readonly wanted: Map<string, unknown>;
  readonly events: Map<string, unknown[]>;
}

/** All of an update's documents, or none of them (S3.4). */
function requireValid(
  { documents }: Applied<unknown>,
  opened: readonly Opened[],
  now: DocumentMap,
): void {
  for (const { ref } of opened) {
    const value = documents.get(ref.path) ?? undefined;
    const before = now.get(ref.path);
    freeze(value, before);
    const bad = value === undefined ? undefined : checkChange(ref, before, value);
    if (bad)
      throw new Fault(
        "invalid_input",
        msg("document.invalid", { path: ref.path, pointer: bad.pointer || "/", problem: bad.text }),
      );
  }
}

function take(
  event: unknown,
  { documents }: Applied<unknown>,
  opened: readonly Opened[],
  { now, wanted, events }: Run,
): void {
  for (const { ref } of opened) {
    const { path } = ref;
    if (!documents.has(path)) continue;
    const value = documents.get(path) ?? undefined;
    if (value === now.get(path)) continue;
    now.set(path, value);
    wanted.set(path, value ?? null);
    events.set(path, [...(events.get(path) ?? []), event]);
  }
}
