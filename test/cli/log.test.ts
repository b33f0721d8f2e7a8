import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { beforeEach, describe, expect, test } from "vitest";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import type { Store, TransitionRow } from "../../src/store/database/store.ts";
import { type Ended, dist, freshPlace, holdfast, nowhere } from "./program.ts";

let { project, home } = nowhere;
beforeEach(() => {
  ({ project, home } = freshPlace());
});

const log = (words: readonly string[] = [], locale = "C"): Ended =>
  holdfast(["log", ...words], { cwd: project, locale, env: { HOLDFAST_HOME: home } });
const lines = (words: readonly string[]): TransitionRow[] =>
  log([...words, "--json"])
    .out.split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as TransitionRow);

const at = "2026-01-01T00:00:00.000Z";

const transition = (taskId: string, number: number) => ({
  timestamp: at,
  taskId,
  machine: "task",
  entityId: taskId,
  from: "pending",
  to: `step-${number}`,
  trigger: "start",
  metadata: { number },
});

/** Two projects, a task in each. */
async function journal(): Promise<Store> {
  const store = await openSqlite(join(home, "holdfast.db"));
  const task = {
    workflow: "custom",
    status: "pending",
    priority: 0,
    queuedAt: 1,
    archived: false,
    retryOf: null,
    rev: 0,
    createdAt: at,
    updatedAt: at,
    data: {},
  };
  await store.commit({
    projects: [
      { id: "p1", root: project, hash: "00000000", createdAt: at },
      { id: "p2", root: "/other", hash: "00000001", createdAt: at },
    ],
    tasks: [
      { ...task, id: "task_a", projectId: "p1" },
      { ...task, id: "task_b", projectId: "p2" },
    ],
  });
  return store;
}

async function filled(count: number): Promise<void> {
  const store = await journal();
  const numbers = Array.from({ length: count }, (_, number) => number);
  await store.commit({
    transitions: numbers.flatMap((n) => [transition("task_a", n), transition("task_b", n)]),
  });
  await store.close();
}

describe("holdfast log", () => {
  test("S7.6 without a database nothing has happened yet: exit 0, and none is made", () => {
    expect(log()).toEqual({ code: 0, out: "Nothing has happened yet.\n", err: "" });
    expect(log([], "ko_KR.UTF-8").out).toBe("아직 아무 일도 없었습니다.\n");
    expect(log(["--json"])).toEqual({ code: 0, out: "", err: "" });
    expect(log(["--task", "task_x"]).code).toBe(0);
    expect(existsSync(home)).toBe(false);
  });

  test("S1.21 --task --json prints each transition as one JSON a line, newest last", async () => {
    await filled(3);
    expect(lines(["--task", "task_b"])).toEqual(
      [0, 1, 2].map((n) => ({
        ...transition("task_b", n),
        type: "state_transition",
        seq: expect.any(Number) as number,
      })),
    );
    expect(log(["--task", "task_b"]).out.split("\n")[0]).toBe(
      `${at}  task task_b  pending → step-0  (start) {"number":0}`,
    );
  });

  test("without a task it shows this project's, and --limit the newest of them", async () => {
    await filled(60);
    const recent = lines([]);
    expect(recent).toHaveLength(50);
    expect(recent.every(({ taskId }) => taskId === "task_a")).toBe(true);
    expect(recent.at(-1)?.to).toBe("step-59");
    expect(lines(["--limit", "2"]).map(({ to }) => to)).toEqual(["step-58", "step-59"]);
    expect(lines(["--limit", "0"])).toHaveLength(60);
    expect(lines(["--limit", "0", "--task", "task_b"])).toHaveLength(60);
  });

  test("S7.2 a task nobody knows exits 3, a wrong limit 2", async () => {
    await filled(1);
    expect(log(["--task", "task_x"])).toMatchObject({ code: 3 });
    expect(log(["--limit", "many"])).toMatchObject({ code: 2 });
    expect(log(["--limit", "-1"])).toMatchObject({ code: 2 });
  });

  test("S7.6 --follow goes on with what another process commits, and Ctrl-C ends it with 0", async () => {
    const store = await journal();
    await store.commit({ transitions: [transition("task_a", 1)] });
    const program = spawn(
      process.execPath,
      [resolve(dist, "cli.cjs"), "log", "--follow", "--json"],
      { cwd: project, env: { PATH: process.env["PATH"] ?? "", HOLDFAST_HOME: home } },
    );
    const printed = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<TransitionRow> =>
      JSON.parse(String((await printed.next()).value)) as TransitionRow;
    expect((await next()).to).toBe("step-1");
    for (const number of [2, 3]) {
      await store.commit({
        transitions: [transition("task_b", number), transition("task_a", number)],
      });
      expect(await next()).toMatchObject({ taskId: "task_a", to: `step-${number}` });
    }
    program.kill("SIGINT");
    expect(await once(program, "close")).toEqual([0, null]);
    await store.close();
  });

  test("S7.6 --follow waits for the first database, and ends when its reader goes away", async () => {
    const program = spawn(process.execPath, [resolve(dist, "cli.cjs"), "log", "--follow"], {
      cwd: project,
      env: { PATH: process.env["PATH"] ?? "", HOLDFAST_HOME: home },
    });
    const closed = once(program, "close");
    const store = await journal();
    await store.commit({ transitions: [transition("task_a", 1)] });
    await once(program.stdout, "data");
    program.stdout.destroy();
    // The next line meets a closed pipe; so does one more, should the first have been buffered.
    await store.commit({ transitions: [transition("task_a", 2)] });
    await store.commit({ transitions: [transition("task_a", 3)] });
    expect(await closed).toEqual([0, null]);
    await store.close();
  });
});
