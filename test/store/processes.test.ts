// Real processes on one database: no update is lost, and none that was acknowledged goes missing
// when they are killed at any moment. (A kill does not show a missing sync: the page cache
// survives it.)
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import type { Store } from "../../src/store/database/store.ts";

const full = process.env["HOLDFAST_FULL"] === "1";
const processes = 8;
const each = full ? 250 : 40;
const kills = full ? 100 : 12;
const root = resolve(import.meta.dirname, "../..");

let bundles: string;
let folder: string;
let file: string;
let store: Store;
/** All that was started here, to be ended whatever happens. */
const started = new Set<ChildProcess>();

beforeAll(async () => {
  // Bundled once: a start costs a tenth of what compiling it each time would.
  const cache = join(root, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  bundles = mkdtempSync(join(cache, "processes-"));
  const bundle = await rolldown({
    input: join(import.meta.dirname, "worker.ts"),
    platform: "node",
    external: /^(?![./]|[A-Za-z]:)/,
  });
  await bundle.write({ dir: bundles, entryFileNames: "worker.mjs" });
  await bundle.close();
});
afterAll(() => rmSync(bundles, { recursive: true, force: true }));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-processes-"));
  file = join(folder, "holdfast.db");
  store = await openSqlite(file);
  const at = "2026-01-02T03:04:05Z";
  await store.commit({
    projects: [{ id: "p1", root: "/p", hash: "h", createdAt: at }],
    tasks: [
      {
        id: "t1",
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
});
afterEach(async () => {
  for (const child of started) child.kill("SIGKILL");
  started.clear();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Worker {
  readonly child: ChildProcess;
  /** Lines of what was acknowledged so far: `id revision`. */
  readonly lines: () => string[];
  readonly ended: Promise<unknown>;
  readonly errors: () => string;
}

function start(updates: number, first: number): Worker {
  const child = spawn(
    process.execPath,
    [join(bundles, "worker.mjs"), file, String(updates), String(first)],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  started.add(child);
  let out = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const ended = once(child, "close").then(() => started.delete(child));
  // A kill may cut the last line: what has no line end was not said.
  return { child, lines: () => out.split("\n").slice(0, -1), ended, errors: () => errors };
}

/** What the journal says was done, in order: `id revision`. */
async function journal(): Promise<string[]> {
  const rows = await store.transitions({ taskId: "t1" });
  return rows.map(({ metadata }) => {
    const { id, rev } = metadata as { id: number; rev: number };
    return `${id} ${rev}`;
  });
}

/** The row, the journal and the revisions tell the same story, without a gap. */
async function expectSound(): Promise<string[]> {
  const done = await journal();
  const task = await store.task("t1");
  expect(done.map((line) => Number(line.split(" ")[1]))).toEqual(done.map((_, n) => n + 2));
  expect(task).toMatchObject({ rev: done.length + 1, data: { count: done.length } });
  expect(await store.check()).toEqual({ ok: true, detail: "ok" });
  return done;
}

test(`S5.2 ${processes} processes × ${each} updates of one row: none lost, no revision skipped`, async () => {
  const workers = Array.from({ length: processes }, (_, n) => start(each, n * each));
  await Promise.all(workers.map(({ ended }) => ended));
  expect(workers.map(({ errors }) => errors()).join("")).toBe("");
  const done = await expectSound();
  expect(done.length).toBe(processes * each);
  expect(done.toSorted()).toEqual(workers.flatMap((worker) => worker.lines()).toSorted());
});

test(`S5.2 the same while ${kills} of them are killed: what was acknowledged is there, once`, async () => {
  const workers: Worker[] = [];
  let running: Worker[] = [];
  let seed = 42;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (seed >>> 8) % below;
  };
  const add = (): void => {
    // As many as it can do until it is killed, or the end.
    const worker = start(100_000, workers.length * 1_000_000);
    workers.push(worker);
    running.push(worker);
  };
  for (let n = 0; n < processes; n++) add();
  for (let killed = 0; killed < kills; killed++) {
    const victim = running[random(running.length)] as Worker;
    // Not before it has written something, then at any moment.
    await new Promise<void>((go) => victim.child.stdout?.once("data", () => go()));
    await new Promise((go) => setTimeout(go, random(20)));
    victim.child.kill("SIGKILL");
    await victim.ended;
    running = running.filter((worker) => worker !== victim);
    add();
  }
  for (const { child } of running) child.kill("SIGKILL");
  await Promise.all(workers.map(({ ended }) => ended));
  expect(workers.map(({ errors }) => errors()).join("")).toBe("");
  const done = await expectSound();
  expect(new Set(done).size).toBe(done.length);
  const acknowledged = workers.flatMap((worker) => worker.lines());
  expect(acknowledged.length).toBeGreaterThan(kills);
  const stored = new Set(done);
  expect(acknowledged.filter((line) => !stored.has(line))).toEqual([]);
  // Stored and not acknowledged is legal (killed in between), at most one for each kill.
  expect(done.length - acknowledged.length).toBeLessThanOrEqual(kills + processes);
});

test("several processes that open a new database at once make one schema", async () => {
  for (let round = 0; round < (full ? 20 : 3); round++) {
    const fresh = join(folder, `fresh-${round}`, "holdfast.db");
    file = fresh;
    const workers = Array.from({ length: processes }, () => start(0, 0));
    await Promise.all(workers.map(({ ended }) => ended));
    expect(workers.map(({ errors }) => errors()).join("")).toBe("");
    expect(workers.map(({ child }) => child.exitCode)).toEqual(workers.map(() => 0));
    const opened = await openSqlite(fresh);
    expect(await opened.tasks()).toEqual([]);
    await opened.close();
  }
});
