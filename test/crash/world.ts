// A world for documents: real disk, real SQLite, a clock that stands still, ids that count.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCodec } from "../../src/formats/codec.ts";
import type { Codec } from "../../src/formats/codec.ts";
import type { SharedContext } from "../../src/formats/shared-context.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import type { Store } from "../../src/store/database/store.ts";
import { type Disk, realDisk } from "../../src/store/disk.ts";
import { Documents, type DocumentsWorld, type Told } from "../../src/store/documents.ts";
import type { Liveness } from "../../src/store/identity.ts";

export const emptyContext: SharedContext = {
  version: "1.0",
  session: { id: "session-2026-01-01-001", started_at: "2026-01-01T00:00:00Z" },
  shared_data: {},
  preferences: {},
  last_updated: "2026-01-01T00:00:00Z",
};

export interface TestWorld {
  readonly folder: string;
  readonly store: Store;
  readonly told: Told[];
  /** A process: what it holds is lost when it is dropped, what it wrote is not. */
  process(disk?: Disk, liveness?: Liveness, clock?: "still" | "real"): Documents;
  /** One whose formats have been changed. */
  changed(change: (codec: Codec<unknown>) => Partial<Codec<unknown>>): Documents;
  /** One that hears something else of its commits. */
  committing(commit: Store["commit"]): Documents;
  close(): Promise<void>;
}

let count = 0;

export async function testWorld(
  replay: DocumentsWorld["replay"] = (_format, document) => document,
): Promise<TestWorld> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-documents-"));
  const store = await openSqlite(join(folder, "home", "holdfast.db"));
  await store.commit({
    projects: [{ id: "p1", root: folder, hash: "00000000", createdAt: "2026-01-01T00:00:00.000Z" }],
  });
  const told: Told[] = [];
  const make = (
    disk: Disk = realDisk,
    liveness: Liveness = "gone",
    clock = "still",
    change: (codec: Codec<unknown>) => Partial<Codec<unknown>> = () => ({}),
    commit: Store["commit"] = (wanted) => store.commit(wanted),
  ): Documents => {
    let now = Date.now();
    return new Documents({
      store: { ...store, commit },
      disk,
      lockWorld: {
        disk,
        now: () => (clock === "real" ? Date.now() : now),
        wait: async (milliseconds) => {
          now += milliseconds;
          await new Promise((turn) => setTimeout(turn, clock === "real" ? milliseconds : 0));
        },
        random: () => `t${++count}`,
        alone: async (work) => work(),
        liveness: () => liveness,
      },
      codec: async (format) => {
        const codec = (await loadCodec(format)) as Codec<unknown>;
        return { ...codec, ...change(codec) };
      },
      projectId: "p1",
      quarantine: join(folder, "home", "quarantine"),
      now: () => new Date("2026-01-01T00:00:00.000Z"),
      tell: (each) => told.push(each),
      replay,
    });
  };
  const close = async (): Promise<void> => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const changed: TestWorld["changed"] = (change) => make(realDisk, "gone", "still", change);
  const committing: TestWorld["committing"] = (commit) =>
    make(realDisk, "gone", "still", undefined, commit);
  return { folder, store, told, process: make, changed, committing, close };
}
