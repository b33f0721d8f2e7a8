// Documents as a process of the product has them: real clock, real ids, real processes, the
// database's write lock between them.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { msg } from "../../src/core/messages.ts";
import { type Codec, loadCodec } from "../../src/formats/codec.ts";
import type { SharedContext } from "../../src/formats/shared-context.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import type { Store } from "../../src/store/database/store.ts";
import { realDisk } from "../../src/store/disk.ts";
import {
  type DocumentRef,
  Documents,
  type DocumentsWorld,
  type Told,
  type Update,
} from "../../src/store/documents.ts";
import { livenessOf } from "../../src/store/identity.ts";
import type { LockWorld } from "../../src/store/lock.ts";

export interface RealWorld {
  readonly store: Store;
  readonly documents: Documents;
  readonly lockWorld: LockWorld;
  readonly ref: DocumentRef;
  readonly told: Told[];
  close(): Promise<void>;
}

export async function openRealWorld(home: string, project: string): Promise<RealWorld> {
  const store = await openSqlite(join(home, "holdfast.db"));
  const root = project;
  if (!(await store.projectAt(root))) {
    const createdAt = new Date().toISOString();
    await store.commit({ projects: [{ id: "p1", root, hash: "00000000", createdAt }] });
  }
  const lockWorld = lockWorldOf(store);
  const told: Told[] = [];
  const documents = new Documents({
    store,
    disk: realDisk,
    lockWorld,
    codec: async (format) => (await loadCodec(format)) as Codec<unknown>,
    projectId: "p1",
    quarantine: join(home, "quarantine"),
    now: () => new Date(),
    tell: (each) => told.push(each),
    replay: (_format, document, event) =>
      counted(document as SharedContext, (event as { add: string }).add),
  } satisfies DocumentsWorld);
  return {
    store,
    documents,
    lockWorld,
    ref: documentOf(project),
    told,
    close: () => store.close(),
  };
}

export function documentOf(project: string): DocumentRef {
  return { path: join(project, ".claude/memory/shared-context.json"), format: "shared-context" };
}

/** One more of this name; `meanwhile` runs under the lock, before anything is written. */
export function add(ref: DocumentRef, name: string, meanwhile = (): void => {}): Update<number> {
  return {
    files: [ref],
    event: { add: name },
    apply: (documents) => {
      meanwhile();
      const next = counted((documents.get(ref.path) as SharedContext | undefined) ?? empty, name);
      return { documents: new Map([[ref.path, next]]), result: countOf(next, name) };
    },
  };
}

export function countOf(document: unknown, name: string): number {
  return Number((document as SharedContext | undefined)?.shared_data[name] ?? 0);
}

// --- internal ---

const empty: SharedContext = {
  version: "1.0",
  session: { id: "session-2026-01-01-001", started_at: "2026-01-01T00:00:00Z" },
  shared_data: {},
  preferences: {},
  last_updated: "2026-01-01T00:00:00Z",
};

function counted(document: SharedContext, name: string): SharedContext {
  const value = countOf(document, name) + 1;
  return { ...document, shared_data: { ...document.shared_data, [name]: value } };
}

function lockWorldOf(store: Store): LockWorld {
  return {
    disk: realDisk,
    now: Date.now,
    wait: (milliseconds) => pause(milliseconds),
    random: () => randomBytes(8).toString("hex"),
    alone: async (work) => {
      let done = false;
      // A guard may be asked twice, and what was done once can not be done again.
      const guard = () => (done ||= work()) || msg("document.lock_lost");
      await store.commit({ guard });
      return done;
    },
    liveness: livenessOf,
  };
}
