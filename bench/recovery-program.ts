// The two processes of the recovery bench. `write <folder>`: tasks take turns, each in a change of
// its own, acknowledged on a line once it is durable, until the process is killed. `load <folder>`:
// opens the database and takes over what the engine needs to go on, as the engine does.
import { writeSync } from "node:fs";
import { join } from "node:path";
import { Ownership, tasksToOwn } from "../src/engine/_ownership.ts";
import { type ProcessIdentity, livenessOf, self } from "../src/os/identity.ts";
import { openSqlite } from "../src/store/database/sqlite.ts";
import type { Change, Store, TaskRow } from "../src/store/database/store.ts";

export interface Loaded {
  /** Under our lease, with their state in memory. */
  readonly owned: number;
  readonly effects: number;
  readonly timers: number;
  readonly mail: number;
  /** Of the queue. */
  readonly next: number;
}

/** Service.start() of the engine, without its hands: whatever it decides now, it can decide. */
export async function load(store: Store): Promise<Loaded> {
  const { live } = await own(store);
  const states = [...live.values()];
  const timers = (await store.timersDue(Number.MAX_SAFE_INTEGER)).length;
  let mail = 0;
  for (const id of await store.tasksWithMail()) mail += (await store.openInbox(id)).length;
  const next = (await store.tasks({ status: "pending", limit: 64 })).length;
  const effects = states.reduce((sum, state) => sum + state.effects.length, 0);
  return { owned: states.length, effects, timers, mail, next };
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

async function own(store: Store): Promise<Ownership> {
  const owned = new Ownership({
    store,
    clock: { now: Date.now },
    owner: JSON.stringify(self()),
    isDead: (owner) => livenessOf(JSON.parse(owner) as ProcessIdentity) === "gone",
    slots: 4,
  });
  await Promise.all((await tasksToOwn(store)).map((id) => owned.own(id)));
  return owned;
}

async function write(store: Store): Promise<void> {
  // So that the next one has leases of a dead one to take over.
  await own(store);
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

async function main(what: string | undefined, folder: string): Promise<void> {
  const store = await openSqlite(join(folder, "holdfast.db"));
  if (what === "write") await write(store);
  say(JSON.stringify(await load(store)));
  // It is ready. In good order it would copy the log back now, which is not what is measured.
  process.exit(0);
}

const [, script, what, folder] = process.argv;
if (script?.endsWith("recovery-program.cjs") && folder !== undefined) void main(what, folder);
