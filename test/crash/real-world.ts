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
import { type Kind, countOf, counted, refsOf } from "./kinds.ts";

export interface RealWorld {
  readonly store: Store;
  readonly documents: Documents;
  readonly lockWorld: LockWorld;
  /** Those of its kind, written in one change; and the first of them. */
  readonly refs: readonly DocumentRef[];
  readonly ref: DocumentRef;
  readonly told: Told[];
  close(): Promise<void>;
}

export async function openRealWorld(
  home: string,
  project: string,
  kind: Kind = "shared-context",
): Promise<RealWorld> {
  const store = await openSqlite(join(home, "holdfast.db"));
  const root = project;
  if (!(await store.projectAt(root))) {
    const createdAt = new Date().toISOString();
    await store.commit({ projects: [{ id: "p1", root, hash: "00000000", createdAt }] });
  }
  const lockWorld = lockWorldOf(store);
  const refs = refsOf(project, kind);
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
    replay: (format, document, event) => counted(document, (event as { add: string }).add, format),
  } satisfies DocumentsWorld);
  return {
    store,
    documents,
    lockWorld,
    ref: refs[0] as DocumentRef,
    refs,
    told,
    close: () => store.close(),
  };
}

/** The document of most tests: one that is there from the first write on. */
export function documentOf(project: string): DocumentRef {
  return refsOf(project, "shared-context")[0] as DocumentRef;
}

/** One more of this name, in each; `meanwhile` runs under the lock, before anything is written. */
export function add(
  refs: DocumentRef | readonly DocumentRef[],
  name: string,
  meanwhile = (): void => {},
): Update<number> {
  const files = [refs].flat();
  return {
    files,
    event: { add: name },
    apply: (documents) => {
      meanwhile();
      const next = files.map(({ path, format }): [string, unknown] => [
        path,
        counted(documents.get(path) ?? empty, name, format),
      ]);
      return { documents: new Map(next), result: countOf(next[0]?.[1], name, files[0]?.format) };
    },
  };
}

// --- internal ---

const empty: SharedContext = {
  version: "1.0",
  session: { id: "session-2026-01-01-001", started_at: "2026-01-01T00:00:00Z" },
  shared_data: {},
  preferences: {},
  last_updated: "2026-01-01T00:00:00Z",
};

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
