// Job 9: ready again after kill -9. A writer is killed in the midst of its work, again and again; each
// time a new process opens the database, whose log nobody closed, and reads what the engine needs
// to go on: tasks that are not over, what is still to be done, timers, unanswered messages. The
// limit is a process that does nothing at all.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "../src/store/database/sqlite.ts";
import type { TaskRow } from "../src/store/database/store.ts";
import { compare, demand } from "./harness.ts";
import { bundleProgram, call, environment } from "./program.ts";
import { countOf, load, step } from "./recovery-program.ts";
import { makeTasks } from "./samples.ts";
import { cache } from "./shim.ts";

const job = "recovery";
const rounds = 20;
const size = 10_000;
const kills = 20;
/** Those that are measured afterwards. */
const measured = 4;

export async function bench(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "bench-recovery-"));
  try {
    const program = await bundleProgram(join(import.meta.dirname, "recovery-program.ts"), folder);
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
  const done = await compare({
    job: `${job}, ${size} tasks, half of them not over`,
    rounds,
    measure: "children",
    contenders: [
      { name: "node -e 0", run: () => call(["-e", "0"], folder) },
      { name: "ready again", run: () => JSON.parse(call([program, "load", fresh()], folder)) },
    ],
    equal: ([, found]) => {
      const { tasks, effects, timers, mail } = found as Record<string, number>;
      return tasks === size / 2 && (effects ?? 0) >= 100 && (timers ?? 0) >= 100 && mail === 50;
    },
  });
  demand(job, "ready again, times node -e 0", done.ratio("ready again", "node -e 0"), 1.8);
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
  const { tasks } = await load(store);
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
