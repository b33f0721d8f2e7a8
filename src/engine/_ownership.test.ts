import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqlite } from "../store/database/sqlite.ts";
import type { Store, TaskRow } from "../store/database/store.ts";
import { Ownership, tasksToOwn } from "./_ownership.ts";

const at = "2026-01-02T03:04:05.678Z";
const now = Date.parse(at);
let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-ownership-"));
  store = await openSqlite(join(folder, "holdfast.db"), { now: () => now });
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

test("S1.20 a start takes over what a dead one held with one commit and one reading", async () => {
  const ids = await fill(40);
  for (const id of ids) await store.claim(id, id === "t7" ? "living" : "dead", now, 60_000);
  const asked: string[] = [];
  const reads: number[] = [];
  const owned = ownership({
    isDead: (owner) => {
      asked.push(owner);
      return owner === "dead";
    },
    store: {
      ...store,
      wholeTasks: (wanted) => {
        reads.push(wanted.length);
        return store.wholeTasks(wanted);
      },
    },
  });
  const before = await store.version();
  const taken = await Promise.all((await tasksToOwn(store)).map((id) => owned.own(id)));
  expect((await store.version()) - before).toBe(1);
  expect(reads).toEqual([39]);
  // Who lives is asked about again each time; there is one task of it.
  expect(asked.toSorted()).toEqual(["dead", "living"]);
  expect(taken.filter((live) => live === undefined).length).toBe(1);
  expect([...owned.live.keys()].toSorted()).toEqual(ids.filter((id) => id !== "t7").toSorted());
  for (const live of owned.live.values()) {
    expect(live.state.task).toEqual(await store.task(live.id));
    expect(live.effects.map(({ key }) => key)).toEqual([`${live.id}:1`, `${live.id}:2`]);
    expect(await store.lease(live.id)).toEqual({ ...live.lease, owner: "us", epoch: 2 });
  }

  const renewed = await store.version();
  await owned.renew();
  expect((await store.version()) - renewed).toBe(1);
  expect(owned.live.size).toBe(39);
});

test("S1.20 a task that is gone is let go again, and whoever lost its lease is dropped", async () => {
  const [first = "", second = ""] = await fill(2);
  const owned = ownership({ store, isDead: () => true });
  expect(await owned.own("nobody")).toBeUndefined();
  expect((await store.lease("nobody"))?.until).toBe(0);
  await Promise.all([owned.own(first), owned.own(second), owned.own(second)]);
  await store.claim(second, "another", now, 60_000, "us");
  await owned.renew();
  expect([...owned.live.keys()]).toEqual([first]);
});

// --- internal ---

function ownership(parts: { store: Store; isDead: (owner: string) => boolean }): Ownership {
  return new Ownership({ ...parts, clock: { now: () => now }, owner: "us", slots: 4 });
}

/** At work, each with two effects; one is over and has left them open. */
async function fill(count: number): Promise<string[]> {
  await store.commit({ projects: [{ id: "p", root: "/p", hash: "h", createdAt: at }] });
  const ids = Array.from({ length: count }, (_, n) => `t${n}`);
  await store.commit({
    tasks: ids.map((id, n) => row(id, n === 3 ? "completed" : "in_progress")),
    effects: ids.flatMap((id) => [effect(id, 2), effect(id, 1)]),
  });
  return ids;
}

function effect(taskId: string, n: number) {
  return { key: `${taskId}:${n}`, taskId, name: "prompt", data: {}, createdAt: now };
}

function row(id: string, status: string): TaskRow {
  return {
    id,
    projectId: "p",
    workflow: "create_app",
    status,
    priority: 0,
    queuedAt: null,
    archived: false,
    retryOf: null,
    rev: 0,
    data: {},
    createdAt: at,
    updatedAt: at,
  };
}
