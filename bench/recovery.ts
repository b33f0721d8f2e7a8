// Job 9: ready again after kill -9. A writer is killed in the midst of its work, again and again; each
// time a new process opens the database, whose log nobody closed, and takes over what the engine needs
// to go on: the leases of a dead one, the state of tasks at work, what is still to be done, timers,
// unanswered messages, the first of the queue. The limit is a process that does nothing at all; what
// the same questions cost without our code is measured beside it (recovery-floor.ts).
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "../src/store/database/sqlite.ts";
import type { TaskRow } from "../src/store/database/store.ts";
import { compare, demand } from "./harness.ts";
import { bundleAsProduct, call, environment } from "./program.ts";
import { makeFloor } from "./recovery-floor.ts";
import { type Loaded, countOf, step } from "./recovery-program.ts";
import { makeTasks } from "./samples.ts";
import { cache } from "./shim.ts";

const job = "recovery";
const rounds = 60;
const size = 10_000;
/** Every twentieth (fill). */
const working = size / 20;
const kills = 20;
/** Those that are measured afterwards. */
const measured = 4;

export async function bench(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "bench-recovery-"));
  try {
    const source = join(import.meta.dirname, "recovery-program.ts");
    const program = bundleAsProduct(source, join(folder, "program"));
    await fill(join(folder, "live"));
    const tally = await killAgainAndAgain(folder, program);
    demand(job, `databases not sound, of ${kills} kills`, tally.corrupt, 0);
    demand(job, `acknowledged changes lost, of ${tally.acknowledged}`, tally.lost, 0);
    demand(job, "changes there by half", tally.half, 0);
    await ready(folder, program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// --- internal ---

async function ready(folder: string, program: string): Promise<void> {
  let turn = 0;
  // Copied in this process, whose own CPU is not counted.
  const fresh = (): string => {
    const work = join(folder, "work");
    rmSync(work, { recursive: true, force: true });
    cpSync(join(folder, `killed-${turn++ % measured}`), work, { recursive: true });
    return work;
  };
  const floor = makeFloor(join(folder, "floor.cjs"));
  const loaded = (words: readonly string[]): Loaded => JSON.parse(call(words, folder)) as Loaded;
  const done = await compare({
    job: `${job}, ${size} tasks, ${working} of them at work`,
    rounds,
    measure: "children",
    contenders: [
      { name: "node -e 0", run: () => call(["-e", "0"], folder) },
      { name: "the same questions, bare", run: () => loaded([floor, fresh()]) },
      { name: "ready again", run: () => loaded([program, "load", fresh()]) },
    ],
    equal: ([, ...found]) =>
      (found as Loaded[]).every(
        ({ owned, effects, timers, mail, next }) =>
          owned === working && effects >= 100 && timers >= 100 && mail === 50 && next === 64,
      ),
  });
  const bare = done.ratio("the same questions, bare", "node -e 0");
  demand(job, "ready again, times node -e 0", done.ratio("ready again", "node -e 0"), 1.8, "max", {
    ratio: done.ratio("ready again", "the same questions, bare"),
    most: 1.5,
    reason: `the same questions to SQLite without any of our code take ${bare.toPrecision(3)}`,
  });
}

/** Half of them over; of the others every tenth at work, some with messages. */
async function fill(folder: string): Promise<void> {
  const store = await openSqlite(join(folder, "holdfast.db"));
  await store.commit({ projects: [{ id: "p", root: "/p", hash: "h", createdAt: "2026" }] });
  const statuses = ["completed", "failed", "completed", "completed", "completed"];
  const status = (n: number): string =>
    n % 2 === 0 ? (statuses[(n / 2) % 5] ?? "") : n % 20 === 1 ? "in_progress" : "pending";
  const rows = makeTasks(size).map((row, n) => ({ ...row, status: status(n) }));
  for (let n = 0; n < size; n += 1_000) await store.commit({ tasks: rows.slice(n, n + 1_000) });
  const mail = rows.filter(({ status: is }) => is === "in_progress").slice(0, 50);
  await store.commit({
    inbox: mail.map(({ id }) => ({ key: id, taskId: id, name: "answer", data: {}, createdAt: 1 })),
    next: rows
      .filter(({ status: is }) => is === "in_progress")
      .slice(0, 100)
      .map((row) => step({ ...row, rev: 1 }, 1)),
  });
  await store.close();
}

interface Tally {
  acknowledged: number;
  corrupt: number;
  lost: number;
  half: number;
}

async function killAgainAndAgain(folder: string, program: string): Promise<Tally> {
  const tally: Tally = { acknowledged: 0, corrupt: 0, lost: 0, half: 0 };
  const acknowledged = new Map<string, number>();
  const live = join(folder, "live");
  let largest = 0;
  for (let kill = 0; kill < kills; kill++) {
    // After another number of changes each time, always the same ones.
    for (const line of await writeAndKill(program, live, 50 + ((kill * 7_919) % 2_000))) {
      const [id = "", count] = line.split(" ");
      acknowledged.set(id, Number(count));
      tally.acknowledged++;
    }
    largest = Math.max(largest, statSync(join(live, "holdfast.db-wal")).size);
    const copy = join(folder, `killed-${kill % measured}`);
    rmSync(copy, { recursive: true, force: true });
    cpSync(live, copy, { recursive: true });
    await look(live, acknowledged, tally);
  }
  console.log(`\n${job}: ${kills} kills, a log of up to ${Math.round(largest / 1024)} KiB`);
  return tally;
}

/** The lines it said until it was dead. */
async function writeAndKill(program: string, folder: string, after: number): Promise<string[]> {
  const child = spawn(process.execPath, [program, "write", folder], {
    env: environment(folder),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  let lines = 0;
  child.stdout.setEncoding("latin1").on("data", (piece: string) => {
    text += piece;
    lines += piece.split("\n").length - 1;
    if (lines > after) child.kill("SIGKILL");
  });
  const signal = await new Promise((end) => child.once("close", (_code, by) => end(by)));
  if (signal !== "SIGKILL") throw new Error(`${job}: the writer ended by itself`);
  return text.split("\n").slice(1, -1);
}

/** Sound, nothing lost that was acknowledged, and of each change all of it or nothing. */
async function look(
  folder: string,
  acknowledged: ReadonlyMap<string, number>,
  tally: Tally,
): Promise<void> {
  const store = await openSqlite(join(folder, "holdfast.db"));
  if (!(await store.check()).ok) tally.corrupt++;
  const tasks = await store.tasks({ status: "in_progress" });
  const rows = new Map(tasks.map((row) => [row.id, row]));
  for (const [id, count] of acknowledged) {
    const row = rows.get(id) as TaskRow;
    if (countOf(row) < count) tally.lost++;
    const [effect, ...more] = await store.openEffects(id);
    const journal = await store.transitions({ taskId: id });
    const agree = effect?.key === `${id}:${countOf(row)}` && journal.length === countOf(row);
    if (more.length > 0 || !agree) tally.half++;
  }
  await store.close();
}
