// What a look at ended tasks reads does not grow with how many there are (S8.4).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type KeptTask, Retention } from "../../src/engine/retention.ts";
import type { Kept } from "../../src/engine/state.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import type { Store, TaskRow } from "../../src/store/database/store.ts";

const day = 86_400_000;
const now = Date.parse("2026-06-01T00:00:00.000Z");
const limits = { keepMs: 30 * day, keepBytes: 1e12, removalNoticeMs: day };

let home: string;
let store: Store;
/** Rows that the store returned, in all. */
let read: number;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "holdfast-many-"));
  store = counting(await openSqlite(join(home, "holdfast.db")));
  const createdAt = new Date(now).toISOString();
  await store.commit({ projects: [{ id: "p", root: "/p", hash: "h", createdAt }] });
  read = 0;
});
afterEach(async () => {
  await store.close();
  rmSync(home, { recursive: true, force: true });
});

async function counted<R>(rows: Promise<R[]>): Promise<R[]> {
  read += (await rows).length;
  return rows;
}

/** The real store; how many rows it returns is counted. */
function counting(real: Store): Store {
  return {
    ...real,
    projects: () => counted(real.projects()),
    tasks: (filter) => counted(real.tasks(filter)),
    keptTasks: (filter) => counted(real.keptTasks(filter)),
    entities: (filter) => counted(real.entities(filter)),
  };
}

const retention = (more: Partial<typeof limits> = {}): Retention =>
  new Retention({ store, home, now: () => now, limitsFor: async () => ({ ...limits, ...more }) });

async function dueOf(looked: Retention): Promise<KeptTask[]> {
  const found: KeptTask[] = [];
  for await (const task of looked.due()) found.push(task);
  return found;
}

/** Ended so many days ago. */
function ended(id: string, days: number, kept: Partial<Kept> | null = {}): TaskRow {
  const at = new Date(now - days * day).toISOString();
  const known = { bytes: 10, removeAt: null, why: null, removedAt: null, ...kept };
  return {
    id,
    projectId: "p",
    workflow: "custom",
    status: "completed",
    priority: 0,
    queuedAt: null,
    archived: false,
    retryOf: null,
    rev: 0,
    data: { title: id, completedAt: at, failedAt: null, kept: kept && known },
    createdAt: at,
    updatedAt: at,
  };
}

/** Each a minute younger than the one before, all younger than ten days. */
const settled = (count: number): TaskRow[] =>
  Array.from({ length: count }, (_, n) => ended(`s${n}`, 9 - n / 1_440));
const few = (): TaskRow[] => [
  ended("old", 40),
  ended("told", 39, { removeAt: now - 1, why: "age" }),
  ended("new", 1, null),
  ended("back", 2, { removeAt: now + day, why: "size" }),
  ended("gone", 50, { removeAt: 1, why: "age", removedAt: "2026" }),
];

test("S8.4 with 5,000 ended tasks as many rows are read as with 500, and the same is found", async () => {
  const looks: { found: string[]; read: number }[] = [];
  for (const more of [500, 4_500]) {
    const from = more === 500 ? 0 : 500;
    await store.commit({
      tasks: [...(from === 0 ? few() : []), ...settled(from + more).slice(from)],
    });
    read = 0;
    const found = await dueOf(retention());
    looks.push({ found: found.map(({ id, removal }) => `${id} ${removal?.why ?? "-"}`), read });
  }
  expect(looks[0]?.found).toEqual(["new -", "old age", "told age", "back -"]);
  expect(looks[1]).toEqual(looks[0]);
});

test("S1.21c by size the walk ends where the rest fits, across pages; the list agrees with it", async () => {
  await store.commit({ tasks: settled(1_000) });
  const looked = retention({ keepBytes: 10 * (1_000 - 450) });
  const near = (await looked.list()).filter(({ removal }) => removal?.near === true);
  expect(near.map(({ id }) => id)).toEqual(settled(450).map(({ id }) => id));
  read = 0;
  expect(await dueOf(looked)).toEqual(near);
  expect(read).toBeLessThan(700);
});

test("S1.21c one that a retry needs is passed over, and its announced removal taken back", async () => {
  const retry: TaskRow = { ...ended("r", 1), status: "pending", retryOf: "needed" };
  const needed = ended("needed", 45, { removeAt: now + day, why: "age" });
  await store.commit({ tasks: [needed, ended("old", 40), retry] });
  const found = await dueOf(retention());
  expect(found.map(({ id, removal }) => [id, removal?.why])).toEqual([
    ["needed", undefined],
    ["old", "age"],
  ]);
});
