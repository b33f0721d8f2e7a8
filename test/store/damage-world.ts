// Documents on a disk of memory where there is one (a sync costs nothing there, and the tests
// damage a hundred thousand files), with the product's own ways to recover.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rebuild, repair } from "../../src/app/_recovery.ts";
import type { Message } from "../../src/core/messages.ts";
import { type Codec, loadCodec } from "../../src/formats/codec.ts";
import type { FormatName } from "../../src/formats/registry.ts";
import { loadDriver } from "../../src/store/database/driver.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import type { Store, TransitionRow } from "../../src/store/database/store.ts";
import { realDisk } from "../../src/store/disk.ts";
import { type DocumentRef, Documents } from "../../src/store/documents.ts";
import { expect } from "vitest";
import { fixtureOf } from "../fixtures/documents.ts";

export interface DamageWorld {
  readonly project: string;
  readonly quarantine: string;
  readonly store: Store;
  readonly told: Message[];
  readonly documents: Documents;
  /** What the journal has gained since it was last asked. */
  journal(): Promise<TransitionRow[]>;
  /** As if the user had never been here: no row, no revision (S7.5). */
  loseHome(path: string): Promise<void>;
  /** Damages a revision inside the database: other bytes, or none. */
  damageRevision(path: string, rev: number, bytes: Uint8Array | null): void;
  write(path: string, bytes: Uint8Array | string): void;
  close(): Promise<void>;
}

export const today = "2026-01-31T09:00:00.000Z";

export async function damageWorld(rebuildAsked = false): Promise<DamageWorld> {
  const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const folder = realpathSync(mkdtempSync(join(memory, "holdfast-damage-")));
  const [project, home] = [join(folder, "project"), join(folder, "home")];
  mkdirSync(project);
  const store = await openSqlite(join(home, "holdfast.db"));
  await store.commit({
    projects: [{ id: "p1", root: project, hash: "00000000", createdAt: today }],
  });
  const told: Message[] = [];
  const now = (): Date => new Date(today);
  const recovery = { now, ...(rebuildAsked ? { rebuildIn: project } : {}) };
  let [ids, seen] = [0, 0];
  const documents = new Documents({
    store,
    disk: realDisk,
    lockWorld: {
      disk: realDisk,
      now: () => now().getTime(),
      wait: async () => {
        throw new Error("nobody else is here to wait for");
      },
      random: () => `t${++ids}`,
      alone: async (work) => work(),
    },
    codec: async (format) => (await loadCodec(format)) as Codec<unknown>,
    projectId: "p1",
    quarantine: join(home, "quarantine"),
    now,
    tell: ({ text }) => told.push(text),
    replay: (_format, document) => document,
    repair: (...damaged) => repair(recovery, ...damaged),
    rebuild: (...lost) => rebuild(recovery, ...lost),
  });
  return {
    project,
    quarantine: join(home, "quarantine"),
    store,
    told,
    documents,
    journal: async () => {
      const rows = await store.transitions({ after: seen, machine: "document" });
      seen = rows.at(-1)?.seq ?? seen;
      return rows;
    },
    loseHome: async (path) => {
      await store.commit({ documentsGone: [path] });
    },
    damageRevision: (path, rev, bytes) => {
      const database = loadDriver()(join(home, "holdfast.db"));
      if (bytes)
        database
          .prepare("update revision set content = ? where path = ? and rev = ?")
          .run(bytes, path, rev);
      else database.prepare("delete from revision where path = ? and rev = ?").run(path, rev);
      database.close();
    },
    write: (path, bytes) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
    },
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The fixture of a format, at its own place in the project. */
export function refOf(world: DamageWorld, format: FormatName): DocumentRef {
  const inProject = fixtureOf(format).path.replace(/^(?:full|initial)\//, "");
  return { path: join(world.project, inProject), format };
}

export interface Base {
  readonly ref: DocumentRef;
  readonly codec: Codec<unknown>;
  readonly bytes: Uint8Array;
  readonly value: unknown;
}

/** The fixture as Documents has it: adopted, then updated once. */
export async function written(
  world: DamageWorld,
  format: FormatName,
  change?: (document: unknown) => unknown,
): Promise<Base> {
  const ref = refOf(world, format);
  const codec = (await loadCodec(format)) as Codec<unknown>;
  world.write(ref.path, fixtureOf(format).bytes);
  await world.documents.update({
    files: [ref],
    event: "first",
    apply: (all) => ({
      documents: new Map([[ref.path, (change ?? touched(codec))(all.get(ref.path))]]),
      result: null,
    }),
  });
  expect((await world.store.revisions(ref.path)).map(({ kind }) => kind)).toEqual([
    "adopted",
    "ours",
  ]);
  await world.journal();
  world.told.length = 0;
  const value = await world.documents.read(ref);
  return { ref, codec, bytes: readFileSync(ref.path), value };
}

// --- internal ---

/** The first text that may be another one is. */
function touched(codec: Codec<unknown>): (document: unknown) => unknown {
  return (document) => {
    const made = placesOf(document)
      .map((steps) => changedAt(document, steps))
      .find((next) => codec.check(next).every(({ level }) => level !== "error"));
    if (made === undefined) throw new Error("nothing in it can be changed");
    return made;
  };
}

function placesOf(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value === "string") return [at];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...at, key]));
}

function changedAt(document: unknown, steps: readonly string[]): unknown {
  const copy = structuredClone(document) as Record<string, unknown>;
  let inner = copy;
  for (const step of steps.slice(0, -1)) inner = inner[step] as Record<string, unknown>;
  const last = steps.at(-1) ?? "";
  const text = String(inner[last]);
  // Another minute of a time, another word of a text.
  inner[last] = /T\d\d:\d\d/.test(text) ? text.replace(/T\d\d:\d\d/, "T23:57") : `${text} again`;
  return copy;
}
