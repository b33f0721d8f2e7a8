// Jobs 1 and 1b: a durable transition, alone and from many callers at once.
//
// The limit is what no store can go below: the same bytes appended to a file, and one fdatasync.
// Ours checks a revision, writes the task's row and a line of the journal with their indexes, and
// can find them again. Growth is measured against a database of 100,000 tasks.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "../src/store/database/sqlite.ts";
import type { Change, Store, TaskRow } from "../src/store/database/store.ts";
import { compare, demand } from "./harness.ts";
import { makeTask, makeTasks } from "./samples.ts";
import { cache, countsIn, underShim } from "./shim.ts";

const job = "transition";
// Many short rounds: a shared disk changes its mind several times a second, and a ratio holds only
// between neighbours in time.
const updates = 50;
const rounds = 100;
const at = "2026-01-02T03:04:05.678Z";

export async function bench(): Promise<void> {
  countSyncs();
  const folder = mkdtempSync(join(cache, "bench-transition-"));
  const log = openSync(join(folder, "log"), "a", 0o600);
  const small = await Tasks.make(join(folder, "small.db"), 1_000);
  const large = await Tasks.make(join(folder, "large.db"), 100_000);
  try {
    await job1(log, small, large);
    await job1b(log, small, large);
  } finally {
    await small.store.close();
    await large.store.close();
    closeSync(log);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function job1(log: number, small: Tasks, large: Tasks): Promise<void> {
  const done = await compare({
    job: `${job}, ${updates} in sequence`,
    rounds,
    measure: "wall",
    contenders: [
      { name: "append + fdatasync", run: () => append(log, updates) },
      { name: "ours at 1,000 tasks", run: () => small.update(updates, 1) },
      { name: "ours at 100,000 tasks", run: () => large.update(updates, 1) },
    ],
    equal: ([limit, ...ours]) => ours.every((count) => count === limit),
  });
  for (const name of ["ours at 1,000 tasks", "ours at 100,000 tasks"])
    demand(job, `${name}, times append + fdatasync`, done.ratio(name, "append + fdatasync"), 1.3);
  const growth = done.ratio("ours at 100,000 tasks", "ours at 1,000 tasks");
  demand(job, "growth from 1,000 to 100,000 tasks", growth, 1.5);
}

async function job1b(log: number, small: Tasks, large: Tasks): Promise<void> {
  const many = 400;
  const done = await compare({
    job: `${job}, ${updates} appends, ${many} updates from several callers`,
    rounds,
    measure: "wall",
    contenders: [
      { name: "append + fdatasync", run: () => append(log, updates) },
      { name: "10 callers", run: () => small.update(many, 10) },
      { name: "200 callers", run: () => small.update(many, 200) },
      { name: "200 callers at 100,000 tasks", run: () => large.update(many, 200) },
      { name: "10 callers, scattered", run: () => small.update(many, 10, 7) },
      { name: "200 callers, scattered", run: () => small.update(many, 200, 7) },
    ],
    equal: ([, ...ours]) => ours.every((count) => count === many),
  });
  const each = (name: string): number => (done.ratio(name, "append + fdatasync") * updates) / many;
  demand(job, "10 callers, an update, times append + fdatasync", each("10 callers"), 0.15);
  demand(job, "200 callers, an update, times append + fdatasync", each("200 callers"), 0.05);
  // Not demanded, but said: each task on pages of its own is the dearest case, since the log takes
  // whole pages (200 callers: 0.48 an update instead of 0.19; 10 callers: 1.4 instead of 0.98).
  for (const name of [
    "200 callers at 100,000 tasks",
    "10 callers, scattered",
    "200 callers, scattered",
  ])
    console.log(`  not demanded: ${name}, an update: ${each(name).toPrecision(3)}`);
}

// --- contenders ---

/** As many bytes as one of our updates holds. */
const line = Buffer.from(`${JSON.stringify(changeOf(makeTask(0), 1))}\n`);

function append(log: number, count: number): number {
  for (let n = 0; n < count; n++) {
    if (writeSync(log, line) !== line.length) throw new Error("short write");
    fdatasyncSync(log);
  }
  return count;
}

class Tasks {
  readonly store: Store;
  readonly #rows: TaskRow[];
  #next = 0;

  private constructor(store: Store, rows: TaskRow[]) {
    this.store = store;
    this.#rows = rows;
  }

  static async make(file: string, size: number): Promise<Tasks> {
    const store = await openSqlite(file);
    const rows = makeTasks(size).map((row) => ({ ...row, rev: 1 }));
    const project = { id: "p", root: "/p", hash: "h", createdAt: at };
    await store.commit({ projects: [project] });
    for (let n = 0; n < size; n += 5_000)
      await store.commit({ tasks: rows.slice(n, n + 5_000).map((row) => ({ ...row, rev: 0 })) });
    return new Tasks(store, rows);
  }

  /**
   * `callers` at a time, each with a task of its own, each waiting for its answer before it goes on.
   * `apart`: so many rows from one task to the next.
   */
  async update(count: number, callers: number, apart = 1): Promise<number> {
    let done = 0;
    const caller = async (own: number): Promise<void> => {
      for (let n = 0; n < count / callers; n++) {
        const row = this.#rows[own];
        if (row === undefined) throw new Error(`no task ${own}`);
        const outcome = await this.store.commit(changeOf(row, row.rev % 2));
        if (!outcome.ok) throw new Error(outcome.code);
        this.#rows[own] = { ...row, rev: row.rev + 1 };
        done++;
      }
    };
    // Others in each round, and neighbours: tasks at work were made at about the same time.
    const first = this.#next;
    this.#next = (first + 7_919) % this.#rows.length;
    const owners = Array.from(
      { length: callers },
      (_, n) => (first + n * apart) % this.#rows.length,
    );
    await Promise.all(owners.map(caller));
    return done;
  }
}

function changeOf(row: TaskRow, odd: number): Change {
  const [from, to] = odd === 1 ? ["pending", "in_progress"] : ["in_progress", "pending"];
  return {
    tasks: [{ ...row, status: to }],
    transitions: [
      {
        timestamp: at,
        taskId: row.id,
        machine: "task",
        entityId: row.id,
        from,
        to,
        trigger: "start",
        metadata: { slot: 3 },
      },
    ],
  };
}

// --- counting syncs ---

interface SyncCounts {
  sequence: number;
  ten: number;
  all: number;
}

/** A counter first: it can not be noisy. */
function countSyncs(): void {
  const counts = underShim<SyncCounts>(job, join(import.meta.dirname, "transition.ts"));
  if (!counts) return;
  console.log(`\n${job}: syncs, counted under the process`);
  demand(job, "syncs for 100 updates in sequence, over 100", counts.sequence / 100, 1);
  demand(job, "no fewer than one each", counts.sequence / 100, 1, "min");
  demand(job, "syncs for 10 updates of each of 10 callers", counts.ten, 10);
  demand(job, "syncs for one update of each of 200 callers", counts.all, 1);
}

/** In the process under the shim. Stays below 1,000 pages of log, where a checkpoint would come. */
async function syncsIn(folder: string): Promise<SyncCounts> {
  const tasks = await Tasks.make(join(folder, "syncs.db"), 200);
  const seen = (): number => countsIn(folder).syncs;
  const during = async (act: () => Promise<unknown>): Promise<number> => {
    const before = seen();
    await act();
    return seen() - before;
  };
  const counts = {
    sequence: await during(() => tasks.update(100, 1)),
    ten: await during(() => tasks.update(100, 10)),
    all: await during(() => tasks.update(200, 200)),
  };
  await tasks.store.close();
  return counts;
}

const [, script, folder] = process.argv;
if (script?.endsWith("transition.ts") && folder !== undefined)
  console.log(JSON.stringify(await syncsIn(folder)));
