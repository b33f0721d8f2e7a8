// Documents: the files people read, kept in step with the database (S5). One small API for every
// workflow: `update` takes the files, an event for the journal and a pure function from the old
// documents to the new ones.
//
// The order of a write, and what a crash after each step leaves behind:
//
//   1 lock           nothing; the lock is taken over                         → old state
//   2 read, apply    as 1
//   3 temp, syncing  a temporary file; swept with the takeover               → old state
//   4 commit         THE COMMIT POINT: the new bytes lie in the database     → new state: whoever
//   5 temp synced                                                              opens it next writes
//   6 old linked     a second name for the old file; swept                     the file from there
//   7 renamed        the new file, perhaps not yet durable: as 4 after a cut
//   8 folder synced  all durable                                             → new state
//   9 old → .bak, unlock, acknowledge
//
// So a reader never sees half a file, and what was acknowledged is the new state. An error before
// 4 means nothing happened; one after it, that the file follows later: read again.
//
// Several files: locks in the order of their paths, one commit, then each file's steps 5 to 9.
import { dirname } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import type { FormatName } from "../formats/registry.ts";
import type { Change, DocumentWrite } from "./database/store.ts";
import { asFault } from "./disk.ts";
import { type Lock, acquire, holds, release, sweepLeft, sweepOwn } from "./lock.ts";
import { type DocumentsWorld, type Opened, type Ref, checksum } from "./_document.ts";
import { openDocument } from "./_document-open.ts";
import { type Prepared, discard, prepare, publish } from "./_document-publish.ts";

export type { DocumentsWorld, Told } from "./_document.ts";

export interface DocumentRef {
  /** Absolute, without links: see files.ts. */
  readonly path: string;
  readonly format: FormatName;
}

/** By path; undefined where there is no file yet. */
export type DocumentMap = ReadonlyMap<string, unknown>;

export interface Applied<R> {
  /** What is to be written; null removes the file; a path that is not named stays as it is. */
  readonly documents: DocumentMap;
  /** What goes into the same transaction. */
  readonly change?: Omit<Change, "documents" | "guard">;
  readonly result: R;
}

export interface Update<R> {
  readonly files: readonly DocumentRef[];
  /** Journaled with the revision; run again on a file that a person changed meanwhile. */
  readonly event: unknown;
  /** Pure: it may run more than once. A Fault it throws leaves everything as it was. */
  readonly apply: (documents: DocumentMap) => Applied<R>;
}

/** How often a change that lost its lock before the commit starts again. */
const mostTries = 20;

export class Documents {
  readonly #world: DocumentsWorld;
  /** Files whose sync failed: the kernel may have dropped the data, nothing here is sure of it. */
  readonly #suspect = new Set<string>();
  /** Files around which this process has looked for what the dead left. */
  readonly #swept = new Set<string>();

  constructor(world: DocumentsWorld) {
    this.#world = world;
  }

  /** The document as it stands. Takes the lock only when the file is not as last published. */
  async read(ref: DocumentRef): Promise<unknown> {
    const full = await this.#ref(ref);
    const { disk, store } = this.#world;
    const row = await store.document(ref.path);
    const bytes = disk.read(ref.path);
    if (row && bytes && checksum(bytes) === row.after) return valueOf(full, bytes);
    if (!row && !bytes) return undefined;
    return this.#locked([full], async ([lock]) => {
      if (!lock) return undefined;
      return (await openDocument(full, lock, this.#world)).value;
    });
  }

  async update<R>(update: Update<R>): Promise<R> {
    const refs = await Promise.all(update.files.map((ref) => this.#ref(ref)));
    for (const { path } of refs) {
      if (this.#suspect.has(path))
        throw new Fault("refused", msg("document.suspect", { path }), {
          hint: msg("document.suspect.hint"),
        });
    }
    for (let tries = 1; ; tries++) {
      const done = await this.#locked(refs, (locks) => this.#once(update, refs, locks));
      if (done !== "fenced") return done.result;
      if (tries >= mostTries)
        throw new Fault("locked", msg("document.fenced", { path: refs[0]?.path ?? "" }));
    }
  }

  // --- internal ---

  async #ref({ path, format }: DocumentRef): Promise<Ref> {
    return { path, format, codec: await this.#world.codec(format) };
  }

  async #locked<T>(refs: readonly Ref[], work: (locks: readonly Lock[]) => Promise<T>): Promise<T> {
    const { disk, lockWorld } = this.#world;
    const locks: Lock[] = [];
    try {
      // Always in the same order: two updates of the same files can not wait for each other.
      for (const path of refs.map((ref) => ref.path).toSorted()) {
        disk.makeFolder(dirname(path));
        if (!this.#swept.has(path)) sweepOwn(path, lockWorld);
        const lock = await acquire(path, lockWorld);
        locks.push(lock);
        if (!this.#swept.has(path)) sweepLeft(lock, disk);
        this.#swept.add(path);
      }
      return await work(locks);
    } catch (cause) {
      throw asFault(refs[0]?.path ?? "", cause);
    } finally {
      for (const lock of locks) {
        try {
          release(lock, disk);
        } catch {
          // What was done stays done. The lock stays too, until this process ends: it must not
          // wait for itself.
          this.#suspect.add(lock.file);
        }
      }
    }
  }

  async #once<R>(
    update: Update<R>,
    refs: readonly Ref[],
    locks: readonly Lock[],
  ): Promise<{ result: R } | "fenced"> {
    const { disk, store } = this.#world;
    const lockOf = new Map(locks.map((lock) => [lock.file, lock]));
    const opened: Opened[] = [];
    for (const ref of refs) {
      const lock = lockOf.get(ref.path);
      if (lock) opened.push(await openDocument(ref, lock, this.#world));
    }
    const applied = update.apply(new Map(opened.map(({ ref, value }) => [ref.path, value])));
    const prepared: Prepared[] = [];
    try {
      for (const document of opened) {
        const next = prepare(document, applied.documents, this.#world);
        if (next) prepared.push(next);
      }
      const documents = prepared.map((next): DocumentWrite => next.write(update.event));
      const guard = () => locks.every((lock) => holds(lock, disk)) || msg("document.lock_lost");
      const outcome = await store.commit({ ...applied.change, documents, guard });
      if (!outcome.ok) {
        if (outcome.code === "guarded") {
          await discard(prepared, disk);
          return "fenced";
        }
        throw new Fault(outcome.code === "fenced" ? "refused" : "locked", outcome.what);
      }
    } catch (cause) {
      await discard(prepared, disk);
      throw cause;
    }
    const values = new Map(opened.map(({ ref, value }) => [ref.path, value]));
    await this.#publishAll(prepared, (path, theirs) =>
      update.apply(new Map(values).set(path, theirs)).documents.get(path),
    );
    return { result: applied.result };
  }

  async #publishAll(
    prepared: readonly Prepared[],
    reapply: (path: string, theirs: unknown) => unknown,
  ): Promise<void> {
    for (const next of prepared) {
      const { path } = next.document.ref;
      try {
        await publish(next, this.#world, (theirs) => reapply(path, theirs));
      } catch (cause) {
        // It is committed: the file follows when it is opened next. Only this process must not
        // go on as if it knew what is on the disk.
        this.#suspect.add(path);
        await discard(prepared, this.#world.disk);
        throw new Fault("internal", msg("document.not_published", { path }), {
          hint: msg("document.suspect.hint"),
          cause,
        });
      }
    }
  }
}

function valueOf(ref: Ref, bytes: Uint8Array): unknown {
  const read = ref.codec.read(bytes);
  if (!read.ok)
    throw new Fault(
      "corrupt",
      msg("document.corrupt", {
        path: ref.path,
        problem: read.findings[0]?.text ?? msg("format.expected.anything"),
      }),
    );
  return read.value;
}
