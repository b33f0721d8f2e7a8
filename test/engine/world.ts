// An engine with everything real: a project under git, a home, SQLite, processes. The sample agent
// plays what a test writes.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type EngineOptions, type RunningEngine, createEngine } from "../../src/app/_engine.ts";
import { rowOf } from "../../src/app/_wiring.ts";
import type { NewTask } from "../../src/app/tasks.ts";
import type { TaskView } from "../../src/app/task-views.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import type { ProjectRow, Store } from "../../src/store/database/store.ts";
import { homeOf } from "../../src/store/home.ts";
import { patience } from "../patience.ts";

export const sample = [
  process.execPath,
  resolve(import.meta.dirname, "../../dist/sample-agent.js"),
];

export interface EngineWorld {
  readonly folder: string;
  readonly root: string;
  readonly home: string;
  readonly env: Record<string, string>;
  /** How the sample agent is run: a copy, so that a build beside a test does not take it away. */
  readonly sample: readonly [string, string];
  /** What went wrong behind the scenes. */
  readonly complaints: string[];
  readonly notices: string[];
  open(options?: Partial<EngineOptions>): Promise<Open>;
  close(): Promise<void>;
}

export interface Open extends RunningEngine {
  readonly store: Store;
  readonly project: ProjectRow;
  /** Made and submitted. */
  submit(task: Partial<NewTask> & { script?: string }): Promise<TaskView>;
  /** Waits until it is so; looks again whenever something was committed. */
  until(id: string, is: (task: TaskView) => boolean): Promise<TaskView>;
}

export function engineWorld(): EngineWorld {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-engine-")));
  const root = join(folder, "project");
  const home = join(folder, "home");
  mkdirSync(root);
  mkdirSync(home, { mode: 0o700 });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    LANG: "C.UTF-8",
    HOLDFAST_HOME: home,
  };
  writeFileSync(join(root, "README.md"), "# A project\n");
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["config", "user.name", "Test"],
    ["config", "user.email", "test@example.org"],
    ["add", "."],
    ["commit", "-q", "-m", "begin"],
  ])
    git(root, args, env);
  const own = [process.execPath, join(folder, "sample-agent.mjs")] as const;
  copyFileSync(sample[1] ?? "", own[1]);
  const complaints: string[] = [];
  const notices: string[] = [];
  const opened: Open[] = [];
  const open = async (options: Partial<EngineOptions> = {}): Promise<Open> => {
    const store = await openSqlite(join(home, "holdfast.db"));
    const project = await rowOf(store, root);
    const running = createEngine({
      store,
      home: homeOf(env),
      env,
      programs: { sample: own },
      slots: 4,
      notify: async ({ what }) => void notices.push(what),
      complain: (what, cause) =>
        void complaints.push(
          `${what}: ${cause instanceof Error ? (cause.stack ?? "") : String(cause)}`,
        ),
      ...options,
    });
    const result: Open = {
      ...running,
      store,
      project,
      submit: async (task) => {
        const usual = { type: "custom", title: "A task", description: "Do it.", agent: "sample" };
        const given = { ...usual, ...task };
        const made = await running.tasks.create(project, given, "en");
        const submitted = await running.tasks.submit(made.id);
        if ((options.slots ?? 1) > 0) running.service.mailFor(made.id);
        return submitted;
      },
      until: async (id, is) => {
        const started = Date.now();
        for (;;) {
          const task = await running.tasks.show(id);
          if (is(task)) return task;
          const { status, agentStatus, failure } = task;
          // Nothing more comes of a task that ended.
          const ended = status === "completed" || status === "failed";
          if (ended || Date.now() - started > patience)
            throw new Error(
              `${status}/${agentStatus} ${JSON.stringify(failure)}\n${complaints.join("\n")}`,
            );
          await new Promise((turn) => setTimeout(turn, 20));
        }
      },
      close: async () => {
        await running.service.stop();
        await running.close();
        await store.close();
      },
    };
    opened.push(result);
    return result;
  };
  const close = async (): Promise<void> => {
    // A holder that has just said how its agent ended may write one file more.
    rmSync(folder, { recursive: true, force: true, maxRetries: 100, retryDelay: 20 });
  };
  return { folder, root, home, env, sample: own, complaints, notices, open, close };
}

export function git(cwd: string, args: readonly string[], env: Record<string, string>): string {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
  const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], {
    cwd,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}
