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
// 4 means nothing happened; one after it, that the file follows later: read again. One at 4 itself
// may be either: it is left as one that may not have followed.
//
// Several files: locks in the order of their paths, one commit, then each file's steps 5 to 9.
// Several updates of the same files at once: all of it once (_document-batch.ts).
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import type { FormatName } from "../formats/registry.ts";
import type { Change, Outcome } from "./database/store.ts";
import { asFault } from "./disk.ts";
import { type Lock, acquireWithFolder, holds, release } from "./lock.ts";
import { type DocumentsWorld, type Opened, type Ref } from "./_document.ts";
import {
  type Together,
  type Waiting,
  applyTogether,
  isNotStored,
  isUnstorable,
} from "./_document-batch.ts";
import { KnownDocuments } from "./_document-known.ts";
import { openDocument } from "./_document-open.ts";
import { publish } from "./_document-place.ts";
import { lookAt } from "./_document-recover.ts";
import { type Prepared, discard, leave, passOn, prepare } from "./_document-publish.ts";
import { watchSyncs } from "./_document-syncs.ts";

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
  readonly change?: Omit<Change, "documents" | "guard" | "next">;
  readonly result: R;
}

export interface Update<R> {
  readonly files: readonly DocumentRef[];
  /** Journaled with the revision; run again on a file that a person changed meanwhile. */
  readonly event: unknown;
  /** Under the lock, before `apply`: reads rows that change with the documents, only under it. */
  readonly before?: () => Promise<void>;
  /**
   * Pure: it may run more than once, and what it is given is frozen. A Fault it throws leaves
   * everything as it was.
   */
  readonly apply: (documents: DocumentMap) => Applied<R>;
}

/** How often a change that lost its lock before the commit starts again. */
const mostTries = 20;
/** How many are written together: the first of them waits until the last has been applied. */
const mostTogether = 256;

export class Documents {
  readonly #world: DocumentsWorld;
  /** Files whose sync failed: the kernel may have dropped the data, nothing here is sure of it. */
  readonly #suspect = new Set<string>();
  #failedSyncs = 0;
  readonly #known = new KnownDocuments();
  readonly #codecs = new Map<FormatName, Ref["codec"]>();
  /** Those that wait, by the files they want to change. */
  readonly #lines = new Map<string, Waiting[]>();

  constructor(world: DocumentsWorld) {
    const replay: DocumentsWorld["replay"] = (format, document, all) =>
      (all as unknown[]).reduce(async (was, one) => world.replay(format, await was, one), document);
    const disk = watchSyncs(world.disk, () => this.#failedSyncs++);
    this.#world = { ...world, disk, replay };
  }

  /** The document as it stands, frozen. Takes the lock only when the file is not as published. */
  async read(ref: DocumentRef): Promise<unknown> {
    const full = await this.#ref(ref);
    const { disk, store } = this.#world;
    const row = await store.document(ref.path);
    const bytes = disk.read(ref.path);
    if (!row && !bytes) return undefined;
    const known = this.#known.find(full, row, bytes) ?? this.#known.parse(full, row, bytes);
    if (known) return known.value;
    return this.#locked([full], async ([lock]) =>
      lock ? (await this.#known.open(full, lock, this.#world)).value : undefined,
    );
  }

  /** As `read`, but nothing is put right: it takes no lock and writes nothing (S3.7). */
  async look(ref: DocumentRef): Promise<unknown> {
    const full = await this.#ref(ref);
    const row = await this.#world.store.document(ref.path);
    const bytes = this.#world.disk.read(ref.path);
    const known = this.#known.find(full, row, bytes) ?? this.#known.parse(full, row, bytes);
    return known ? known.value : lookAt(full, row, bytes, this.#world);
  }

  /** Row, file and what the dead left beside it are put in order, under the lock. */
  async settle(ref: DocumentRef): Promise<void> {
    const full = await this.#ref(ref);
    await this.#locked([full], async ([lock]) => {
      if (lock) await openDocument(full, lock, this.#world);
    });
  }

  /** Resolves when the new documents are durable. Those of the same files are done in order. */
  update<R>(update: Update<R>): Promise<R> {
    const key = update.files
      .map(({ path, format }) => `${path}\0${format}`)
      .toSorted()
      .join("\0");
    return new Promise<R>((resolve, reject) => {
      const waiting: Waiting = { update, resolve: (result) => resolve(result as R), reject };
      const line = this.#lines.get(key);
      if (line) line.push(waiting);
      else {
        const first = [waiting];
        this.#lines.set(key, first);
        void this.#serve(key, update.files, first);
      }
    });
  }

  // --- internal ---

  async #serve(key: string, files: readonly DocumentRef[], line: Waiting[]): Promise<void> {
    while (line.length > 0) {
      const loading = Promise.all(files.map((ref) => this.#ref(ref)));
      // Whoever comes in the same turn goes along.
      await loading.catch(() => undefined);
      const batch = line.splice(0, mostTogether);
      try {
        await this.#together(await loading, batch);
      } catch (cause) {
        for (const { reject } of batch) reject(cause);
      }
    }
    this.#lines.delete(key);
  }

  async #together(refs: readonly Ref[], batch: readonly Waiting[]): Promise<void> {
    for (const { path } of refs) {
      if (this.#suspect.has(path))
        throw new Fault("refused", msg("document.suspect", { path }), {
          hint: msg("document.suspect.hint"),
        });
    }
    for (let tries = 1; ; tries++) {
      const done = await this.#locked(refs, (locks) => this.#once(batch, refs, locks));
      if (done === "apart") {
        for (const one of batch) await this.#together(refs, [one]).catch(one.reject);
        return;
      }
      if (done !== "fenced") return done.answer();
      if (tries >= mostTries)
        throw new Fault("locked", msg("document.fenced", { path: refs[0]?.path ?? "" }));
    }
  }

  /** A codec is asked for once: loading what is loaded takes its time too. */
  async #ref({ path, format }: DocumentRef): Promise<Ref> {
    const codec = this.#codecs.get(format) ?? (await this.#world.codec(format));
    this.#codecs.set(format, codec);
    return { path, format, codec };
  }

  async #locked<T>(refs: readonly Ref[], work: (locks: readonly Lock[]) => Promise<T>): Promise<T> {
    const { disk } = this.#world;
    const locks: Lock[] = [];
    const failed = this.#failedSyncs;
    let inOrder = false;
    try {
      // Always in the same order: two updates of the same files can not wait for each other.
      for (const path of refs.map((ref) => ref.path).toSorted()) {
        locks.push(await acquireWithFolder(path, this.#world.lockWorld));
      }
      const done = await work(locks);
      inOrder = true;
      return done;
    } catch (cause) {
      throw asFault(refs[0]?.path ?? "", cause);
    } finally {
      // Also while it was put right: nothing of it is sure any more.
      if (this.#failedSyncs !== failed) for (const { path } of refs) this.#suspect.add(path);
      for (const lock of locks) {
        try {
          if (!inOrder) await passOn(lock, this.#world);
          release(lock, disk);
        } catch {
          // What was done stays done. The lock stays too, until this process ends: it must not
          // wait for itself.
          this.#suspect.add(lock.file);
        }
      }
    }
  }

  /** apart: refused for one of them, and nothing was written. */
  async #once(
    batch: readonly Waiting[],
    refs: readonly Ref[],
    locks: readonly Lock[],
  ): Promise<Together | "fenced" | "apart"> {
    const lockOf = new Map(locks.map((lock) => [lock.file, lock]));
    const opened: Opened[] = [];
    for (const ref of refs) {
      const lock = lockOf.get(ref.path);
      if (lock) opened.push(await this.#known.open(ref, lock, this.#world));
    }
    for (const { update } of batch) await update.before?.();
    const together = applyTogether(batch, opened);
    if (!together.accepted) return together;
    const prepared: Prepared[] = [];
    let asked = false;
    try {
      this.#prepare(together, opened, prepared);
      asked = true;
      const outcome = await this.#commit(together, prepared, locks);
      if (!outcome.ok) {
        if (outcome.code !== "guarded" && batch.length === 1)
          throw new Fault(outcome.code === "fenced" ? "refused" : "locked", outcome.what);
        await discard(prepared, this.#world.disk);
        return outcome.code === "guarded" ? "fenced" : "apart";
      }
    } catch (cause) {
      // Of a commit that failed nobody knows whether it is stored: it is not run again.
      const unsure = asked && !isNotStored(cause);
      await (unsure ? leave(prepared, this.#world) : discard(prepared, this.#world.disk));
      if (batch.length > 1 && (!asked || isUnstorable(cause))) return "apart";
      throw cause;
    }
    await this.#publishAll(prepared, together);
    return together;
  }

  #prepare(together: Together, opened: readonly Opened[], prepared: Prepared[]): void {
    for (const document of opened) {
      const { ref, row, bytes } = document;
      if (!together.wanted.has(ref.path)) continue;
      const wanted = {
        value: together.wanted.get(ref.path),
        events: together.events.get(ref.path) ?? [],
        indent: this.#known.find(ref, row, bytes)?.indent,
      };
      const next = prepare(document, wanted, this.#world);
      if (next) prepared.push(next);
    }
  }

  #commit(
    { changes }: Together,
    prepared: readonly Prepared[],
    locks: readonly Lock[],
  ): Promise<Outcome> {
    const { disk, store } = this.#world;
    return store.commit({
      documents: prepared.map(({ write }) => write),
      guard: () => locks.every((lock) => holds(lock, disk)) || msg("document.lock_lost"),
      next: changes,
    });
  }

  async #publishAll(prepared: readonly Prepared[], together: Together): Promise<void> {
    for (const next of prepared) {
      const { path } = next.document.ref;
      try {
        const done = await publish(next, this.#world, (theirs) => together.reapply(path, theirs));
        if (done === "as prepared") this.#known.remember(next);
      } catch (cause) {
        // It is committed: the file follows when it is opened next. Only this process must not
        // go on as if it knew what is on the disk.
        this.#suspect.add(path);
        await leave(prepared, this.#world);
        throw new Fault("internal", msg("document.not_published", { path }), {
          hint: msg("document.suspect.hint"),
          cause,
        });
      }
    }
  }
}
