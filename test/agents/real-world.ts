// The built program serving a project, a real agent CLI at work in it, and a model that says what the
// test decides. Nothing is ours between them but the program under test.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import type { ServerFile } from "../../src/app/server-file.ts";
import { living, moving } from "../chaos/world.ts";
import { settings, tagged } from "../engine/stage.ts";
import { type EngineWorld, engineWorld } from "../engine/world.ts";
import { patience } from "../patience.ts";
import { type DenyProxy, denyProxy } from "./model-api/deny-proxy.ts";
import { type ModelApi, modelApi } from "./model-api/model-api.ts";

/** What the tests look at of a task, an agent, a transition. */
export interface TaskLike {
  readonly id: string;
  readonly status: string;
  readonly agentStatus: string | null;
  readonly failure: unknown;
  readonly tokens: number;
  readonly costUsd: number;
  readonly workspace: string | null;
  readonly questions: readonly string[];
  readonly dependencies: readonly string[];
  readonly reviews: readonly string[];
}
export interface Step {
  readonly machine: string;
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
  readonly timestamp: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface RealWorld {
  readonly api: ModelApi;
  readonly proxy: DenyProxy;
  readonly env: Record<string, string>;
  readonly root: string;
  readonly home: string;
  /** Starts the server; again after it was killed. */
  serve(): Promise<void>;
  /** `kill -9` of the server. */
  killServer(): Promise<void>;
  call(path: string, body?: object): Promise<never>;
  /** Made and submitted. */
  task(more?: object): Promise<string>;
  act(id: string, action: string, body?: object): Promise<void>;
  until(id: string, is: (task: TaskLike) => boolean): Promise<TaskLike>;
  steps(id: string): Promise<readonly Step[]>;
  /** holdfast.yaml of the project, committed. */
  settings(text: string): void;
  /** Every process that an agent is or has started. */
  pids(): number[];
  /** Do all of them stand still? */
  isFrozen(): boolean;
  /** One for each process an agent was given, in their order. */
  runs(): string[];
  /** What a run printed, as JSON lines. */
  printed(run: string): readonly Readonly<Record<string, unknown>>[];
  /** Ends all, and sees that nothing is left and nobody else was called. */
  close(): Promise<void>;
}

export async function realWorld(variables: Readonly<Record<string, string>>): Promise<RealWorld> {
  const world = engineWorld();
  const api = await modelApi();
  const proxy = await denyProxy();
  Object.assign(world.env, {
    HTTP_PROXY: proxy.url,
    HTTPS_PROXY: proxy.url,
    NO_PROXY: "127.0.0.1,localhost",
    ...Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, value.replace("{api}", api.url)]),
    ),
  });
  const program = copied(world);
  let server: { child: ChildProcess; file: ServerFile; said: string[] } | undefined;
  const call = async (path: string, body?: object): Promise<never> => {
    if (server === undefined) throw new Error("no server");
    const { url, token } = server.file;
    const answer = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${text}`);
    return JSON.parse(text) as never;
  };
  const until = async (id: string, is: (task: TaskLike) => boolean): Promise<TaskLike> => {
    for (const began = Date.now(); ;) {
      const task: TaskLike = await call(`/api/tasks/${id}`);
      if (is(task)) return task;
      const over = task.status === "completed" || task.status === "failed";
      if (over || Date.now() - began > patience)
        throw new Error(
          `${JSON.stringify(task)}\n${server?.said.join("")}\n${outputs(world.home)}`,
        );
      await new Promise((turn) => setTimeout(turn, 20));
    }
  };
  const steps = async (id: string): Promise<readonly Step[]> =>
    ((await call(`/api/log?task=${id}&limit=1000`)) as { transitions: Step[] }).transitions;
  const stopServer = async (signal: NodeJS.Signals): Promise<void> => {
    const { child } = server ?? {};
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((end) => child.once("close", end));
    child.kill(signal);
    await gone;
  };
  return {
    api,
    proxy,
    env: world.env,
    root: world.root,
    home: world.home,
    call,
    until,
    steps,
    serve: async () => {
      server = await serve(program, world);
    },
    killServer: () => stopServer("SIGKILL"),
    task: async (more = {}) => {
      const body = { type: "custom", title: "A task", description: "Do it.", agent: "claude" };
      const made: TaskLike = await call("/api/tasks", { ...body, submit: true, ...more });
      return made.id;
    },
    act: async (id, action, body = {}) => void (await call(`/api/tasks/${id}/${action}`, body)),
    settings: (text) => settings(world, text),
    pids: () => tagged(world.home),
    isFrozen: () => {
      const all = living(world.home).filter(({ run }) => run !== "");
      return all.length > 0 && moving(all).length === 0;
    },
    runs: () => runsOf(world.home),
    printed: (run) =>
      readFileSync(join(world.home, "runs", run, "out"), "utf8")
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    close: async () => {
      const { tasks } = (await call("/api/tasks")) as { tasks: TaskLike[] };
      for (const { id, status } of tasks)
        if (["in_progress", "review", "pending"].includes(status))
          await call(`/api/tasks/${id}/cancel`, {});
      await expect.poll(() => tagged(world.home), { timeout: patience, interval: 20 }).toEqual([]);
      await stopServer("SIGTERM");
      await Promise.all([api.close(), proxy.close()]);
      await world.close();
      expect(proxy.refused).toEqual([]);
      expect(api.strange).toEqual([]);
    },
  };
}

// --- internal ---

/** A copy, so that a build beside a test does not take it away. */
function copied({ folder }: EngineWorld): string {
  const root = resolve(import.meta.dirname, "../..");
  const place = join(folder, "program");
  cpSync(join(root, "dist"), join(place, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(place, "package.json"));
  symlinkSync(join(root, "node_modules"), join(place, "node_modules"));
  return join(place, "dist", "cli.cjs");
}

async function serve(
  program: string,
  { root, home, env }: EngineWorld,
): Promise<{ child: ChildProcess; file: ServerFile; said: string[] }> {
  const args = [program, "serve", "--port", "0"];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => said.push(text));
  for (const began = Date.now(); !said.join("").includes("#token=");) {
    if (child.exitCode !== null || Date.now() - began > patience) throw new Error(said.join(""));
    await new Promise((turn) => setTimeout(turn, 10));
  }
  const file = JSON.parse(readFileSync(join(home, "server.json"), "utf8")) as ServerFile;
  return { child, file, said };
}

/** In the order in which they were started. */
function runsOf(home: string): string[] {
  const folder = join(home, "runs");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "out")))
    .map((name) => ({ name, at: statSync(join(folder, name)).birthtimeMs }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ name }) => name);
}

/** For a test that failed: the end of what its agents printed. */
function outputs(home: string): string {
  return runsOf(home)
    .flatMap((run) => ["out", "err"].map((name) => join(home, "runs", run, name)))
    .filter(existsSync)
    .map((path) => `${path}\n${readFileSync(path, "utf8").slice(-3_000)}`)
    .join("\n");
}
