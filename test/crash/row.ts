// One row of the database that processes count in; each change also writes a line of the journal.
import assert from "node:assert/strict";
import { join } from "node:path";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import type { Store } from "../../src/store/database/store.ts";

const at = "2026-01-02T03:04:05Z";
const taskId = "t1";

/** Makes what is missing. */
export async function openRow(home: string): Promise<Store> {
  // Patient: many processes want the same row, on a machine that may be busy.
  const store = await openSqlite(join(home, "holdfast.db"), { patience: 60_000 });
  if (!(await store.task(taskId)))
    // Refused if another has just done the same.
    await store.commit({
      projects: [{ id: "p1", root: "/p", hash: "h", createdAt: at }],
      tasks: [
        {
          id: taskId,
          projectId: "p1",
          workflow: "plan",
          status: "in_progress",
          priority: 0,
          queuedAt: null,
          archived: false,
          retryOf: null,
          rev: 0,
          data: { count: 0 },
          createdAt: at,
          updatedAt: at,
        },
      ],
    });
  return store;
}

/** Reads, adds one, and reads again if somebody was faster. */
export async function addToRow(store: Store, by: string): Promise<number> {
  for (;;) {
    const row = await store.task(taskId);
    if (row === undefined) throw new Error("the row is gone");
    const count = (row.data as { count: number }).count + 1;
    const outcome = await store.commit({
      tasks: [{ ...row, data: { count } }],
      transitions: [
        {
          timestamp: at,
          taskId,
          machine: "task",
          entityId: taskId,
          from: "in_progress",
          to: "in_progress",
          trigger: "update",
          metadata: { by, count },
        },
      ],
    });
    if (outcome.ok) return count;
    if (outcome.code !== "stale") throw new Error(outcome.code);
  }
}

/** Row, journal and revisions tell the same story, without a gap. Who did what, in order. */
export async function journalOf(store: Store): Promise<string[]> {
  const rows = await store.transitions({ taskId });
  const done = rows.map(({ metadata }) => metadata as { by: string; count: number });
  assert.deepEqual(
    done.map(({ count }) => count),
    done.map((_, place) => place + 1),
  );
  const row = await store.task(taskId);
  assert.equal(row?.rev, done.length + 1);
  assert.deepEqual(row?.data, { count: done.length });
  assert.deepEqual(await store.check(), { ok: true, detail: "ok" });
  return done.map(({ by, count }) => `${by} ${count}`);
}

/** After an accident: what was acknowledged is there, and one more may be. */
export async function checkRow(home: string, acked: number): Promise<void> {
  const store = await openRow(home);
  try {
    const { length } = await journalOf(store);
    assert(length >= acked && length <= acked + 1, `${acked} acknowledged, ${length} found`);
    assert.equal(await addToRow(store, "check"), length + 1);
  } finally {
    await store.close();
  }
}
