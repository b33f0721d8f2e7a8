// The two processes of the recovery bench. `write <folder>`: tasks take turns, each in a change of
// its own, acknowledged on a line once it is durable, until the process is killed. `load <folder>`:
// opens the database and reads what the engine needs to go on.
import { writeSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "../src/store/database/sqlite.ts";
import type { Change, Store, TaskRow } from "../src/store/database/store.ts";

/** What a task can be before it is completed or failed (S1.1). */
const notOver = ["draft", "pending", "in_progress", "review"];

export interface Loaded {
  readonly tasks: readonly TaskRow[];
  readonly effects: number;
  readonly timers: number;
  readonly mail: number;
}

export async function load(store: Store): Promise<Loaded> {
  const tasks = await store.tasks({ statuses: notOver });
  let effects = 0;
  for (const id of await store.tasksWithEffects()) effects += (await store.openEffects(id)).length;
  let mail = 0;
  for (const id of await store.tasksWithMail()) mail += (await store.openInbox(id)).length;
  const timers = (await store.timersDue(Number.MAX_SAFE_INTEGER)).length;
  return { tasks, effects, timers, mail };
}

/** One step of a task: its row, a line of the journal, something to do, when to look again. */
export function step(row: TaskRow, count: number): Change {
  const key = `${row.id}:${count}`;
  return {
    tasks: [{ ...row, data: { ...(row.data as object), count } }],
    transitions: [
      {
        timestamp: row.updatedAt,
        taskId: row.id,
        machine: "task",
        entityId: row.id,
        from: row.status,
        to: row.status,
        trigger: "step",
        metadata: { count },
      },
    ],
    effects: [{ key, taskId: row.id, name: "prompt", data: {}, createdAt: count }],
    effectsDone: [{ key: `${row.id}:${count - 1}`, at: count }],
    timers: [{ key: row.id, taskId: row.id, name: "wake", dueAt: count, data: {} }],
  };
}

export function countOf({ data }: TaskRow): number {
  return (data as { count?: number }).count ?? 0;
}

// --- internal ---

/** At once: a killed process would have said less than it did. */
const say = (text: string): void => void writeSync(1, `${text}\n`);

async function write(store: Store): Promise<void> {
  const rows = await store.tasks({ status: "in_progress" });
  say("ready");
  for (;;) {
    // Ten at a time, so that a kill meets several on their way.
    for (let n = 0; n < rows.length; n += 10)
      await Promise.all(
        rows.slice(n, n + 10).map(async (row, at) => {
          const count = countOf(row) + 1;
          const outcome = await store.commit(step(row, count));
          if (!outcome.ok) throw new Error(outcome.code);
          say(`${row.id} ${count}`);
          rows[n + at] = { ...row, rev: row.rev + 1, data: { ...(row.data as object), count } };
        }),
      );
  }
}

const [, script, what, folder] = process.argv;
if (script?.endsWith("recovery-program.js") && folder !== undefined) {
  const store = await openSqlite(join(folder, "holdfast.db"));
  if (what === "write") await write(store);
  const { tasks, ...rest } = await load(store);
  say(JSON.stringify({ tasks: tasks.length, ...rest }));
  await store.close();
}
