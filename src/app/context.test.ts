import {
  chmodSync,
  existsSync,
  symlinkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Message } from "../core/messages.ts";
import { type OpenContext, createContext } from "./context.ts";

let folder = "";
let told: Message[] = [];
let asked = 0;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-context-")));
  mkdirSync(join(folder, "project"));
  told = [];
  asked = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function context(home = join(folder, "home")): OpenContext {
  return createContext({
    cwd: join(folder, "project"),
    env: { HOLDFAST_HOME: home },
    language: "en",
    ended: () => {
      asked++;
      return new AbortController().signal;
    },
    tell: (text) => told.push(text),
    emit: () => {},
  });
}

describe("the context of a call", () => {
  test("S6.1 opens nothing before it is asked, and a look makes no database", async () => {
    const one = context();
    expect(one.project.root).toBe(join(folder, "project"));
    expect(await one.existingStore()).toBeUndefined();
    await one.close();
    expect(existsSync(join(folder, "home"))).toBe(false);
    expect(asked).toBe(0);
  });

  test("one store, one row and one set of documents for the whole call", async () => {
    const one = context();
    expect(await one.store()).toBe(await one.store());
    expect(await one.existingStore()).toBe(await one.store());
    expect(await one.documents()).toBe(await one.documents());
    expect(await one.projectRow()).toBe(await one.projectRow());
    await one.close();
  });

  test("processes that meet a new project at the same time agree on its row", async () => {
    const many = Array.from({ length: 8 }, () => context());
    const rows = await Promise.all(many.map((one) => one.projectRow()));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
    expect(await (await many[0]?.store())?.projects()).toHaveLength(1);
    await Promise.all(many.map((one) => one.close()));
  });

  test("S7.5 a home inside the project is refused before anything is made there", async () => {
    const one = context(join(folder, "project/.holdfast"));
    await expect(one.store()).rejects.toMatchObject({ code: "refused" });
    await expect(one.documents()).rejects.toMatchObject({ code: "refused" });
    await one.close();
    expect(existsSync(join(folder, "project/.holdfast"))).toBe(false);
  });

  test("S7.5 a database behind a link that others may replace is not even looked into", async () => {
    mkdirSync(join(folder, "open"));
    mkdirSync(join(folder, "theirs"), { mode: 0o700 });
    writeFileSync(join(folder, "theirs/holdfast.db"), "");
    symlinkSync(join(folder, "theirs"), join(folder, "open/home"));
    chmodSync(join(folder, "open"), 0o777);
    const one = context(join(folder, "open/home"));
    await expect(one.existingStore()).rejects.toMatchObject({ code: "refused" });
    await one.close();
  });

  test("S2.7 a takeover runs inside the database's transaction, and once", async () => {
    const one = context();
    const { alone } = await one.lockWorld();
    let runs = 0;
    expect(await alone(() => ++runs === 1)).toBe(true);
    expect(runs).toBe(1);
    expect(await alone(() => false)).toBe(false);
    await one.close();
  });

  test("S5.3 what a person should hear of a file is handed on as it happens", async () => {
    const path = join(folder, "project/.claude/orchestrate-state.json");
    mkdirSync(join(folder, "project/.claude"));
    writeFileSync(path, "{");
    const one = context();
    const read = (await one.documents()).read({ path, format: "orchestrate-state" });
    await expect(read).rejects.toMatchObject({ code: "corrupt" });
    const tasks = {
      pending: [],
      ready: [],
      in_progress: [],
      completed: [],
      failed: [],
      blocked: [],
    };
    const at = "2026-01-01T00:00:00Z";
    const state = {
      version: "2.0",
      mode: "normal",
      project: "p",
      execution: { current_phase: 0, worktree: null, started_at: at, last_updated: at },
      tasks,
      dependencies: {},
      checkpoints: {},
      metrics: {
        total_tasks: 0,
        completed_count: 0,
        failed_count: 0,
        average_task_time_seconds: 0,
      },
      config: { max_parallel: 0, retry_limit: 10, slack_webhook_url: null },
    };
    writeFileSync(path, JSON.stringify(state));
    await (await one.documents()).read({ path, format: "orchestrate-state" });
    expect(told.map(({ key }) => key)).toEqual(["document.adopted"]);
    await one.close();
  });
});
