// What every test of the engine does around itself: a world and an engine at work before it; after it
// all tasks ended, no complaint, and no process left that carries the home's tag.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { rolldown } from "rolldown";
import { afterEach, beforeEach, expect } from "vitest";
import type { EngineOptions } from "../../src/app/_engine.ts";
import type { TaskView } from "../../src/app/task-views.ts";
import { environmentOf, until } from "../crash/programs.ts";
import { patience } from "../patience.ts";
import { type EngineWorld, type Open, engineWorld, git } from "./world.ts";

export interface Stage {
  readonly world: EngineWorld;
  readonly open: Open;
  /** Closes the engine, as a server that is stopped, and opens another one. */
  again(options?: Partial<EngineOptions>): Promise<void>;
  /** Complaints that a test provokes: taken away, and given back to be looked at. */
  complaints(): string[];
}

export function onStage(options: Partial<EngineOptions> = {}): Stage {
  let world: EngineWorld;
  let open: Open;
  const begin = async (more: Partial<EngineOptions> = {}): Promise<void> => {
    open = await world.open({ ...options, ...more });
    await open.service.start();
  };
  beforeEach(async () => {
    world = engineWorld();
    await begin();
  });
  afterEach(async () => {
    await endAll(open);
    await open.close();
    await closeWorld(world);
    expect(world.complaints).toEqual([]);
  });
  return {
    get world() {
      return world;
    },
    get open() {
      return open;
    },
    again: async (more) => {
      await open.close();
      await begin(more);
    },
    complaints: () => world.complaints.splice(0),
  };
}

/** Looks until it is so, for as long as a busy machine may take. */
export function soon<T>(look: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(look, { timeout: patience, interval: 20 });
}

/** A task from inside: its agent, and its processes and attempts as they came. */
export async function inside(open: Open, id: string) {
  const { task, entities } = await open.tasks.state(id);
  const agents = [...entities.agent.values()];
  const agent = agents.find(({ status }) => status !== "failed") ?? agents[0];
  if (agent === undefined) throw new Error(`${id} has no agent`);
  return {
    task,
    agent,
    entities,
    processes: [...entities.process.values()].toSorted(
      (a, b) => a.data.startedAt - b.data.startedAt,
    ),
    attempts: [...entities.attempt.values()]
      .toSorted((a, b) => ((a.data.endedAt ?? "") < (b.data.endedAt ?? "") ? -1 : 1))
      .map(({ status, data }) => `${status} ${data.problem}`),
  };
}

/** holdfast.yaml of the project, committed: a tree with changes of its own is refused. */
export function settings({ root, env }: EngineWorld, text: string): void {
  writeFileSync(join(root, "holdfast.yaml"), `version: 1\n${text}\n`);
  git(root, ["add", "."], env);
  git(root, ["commit", "-q", "--allow-empty", "-m", "settings"], env);
}

export const isOver = ({ status }: TaskView): boolean =>
  status === "completed" || status === "failed";

/** Cancels what is not over, and waits until everything that was decided is done. */
export async function endAll(open: Open): Promise<void> {
  for (const { id, status } of (await open.tasks.list({ limit: 10_000 })).tasks)
    if (status === "in_progress" || status === "review" || status === "pending")
      await open.tasks.act(id, { name: "cancel" }).catch(async (cause: unknown) => {
        // It may come to its end by itself meanwhile.
        if (!isOver(await open.tasks.show(id))) throw cause;
      });
  await nothingLeft(open);
}

/** No effect is open and no process is thought to live. */
export async function nothingLeft(open: Open): Promise<void> {
  await soon(async () => [
    ...(await open.store.tasksWithEffects()),
    ...(await open.store.entities({ kind: "process" }))
      .filter(({ status }) => status !== "ended")
      .map(({ id }) => id),
  ]).toEqual([]);
}

/** Processes that carry this home's tag. Zombies have no environment: nobody here reaps them. */
export function tagged(home: string, run?: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const variables = environmentOf(pid);
      const found = runOf(variables);
      const isMeant = run === undefined ? found !== undefined : found === run;
      return isMeant && variables.includes(`HOLDFAST_HOME=${home}`);
    });
}

/** All of this home's agents, or one run, die at once, as when the power goes: nobody sees how. */
export async function powerCut(home: string, run?: string): Promise<number> {
  const all = tagged(home, run);
  // Stopped first: a holder that lives on for a moment would write down how its agent ended.
  for (const signal of ["SIGSTOP", "SIGKILL"] as const) for (const pid of all) send(pid, signal);
  await until("nothing is left", () => tagged(home, run).length === 0);
  return all.length;
}

/** The folder is removed; a process that was left is an error, and ended. */
export async function closeWorld(world: EngineWorld): Promise<void> {
  const left = await powerCut(world.home);
  await world.close();
  if (left > 0) throw new Error(`the test left ${left} processes`);
}

/** The agent's own process of a run. */
export function pidOf(home: string, run: string): number {
  const [, words = ""] = readFileSync(join(home, "runs", run, "pid"), "latin1").split("\n");
  return Number.parseInt(words, 10);
}

export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}

/** A TypeScript file of this folder as a program of its own. */
export async function bundled(file: string, folder: string): Promise<string> {
  const made = await rolldown({
    input: join(import.meta.dirname, file),
    platform: "node",
    external: /^(?![./]|[A-Za-z]:)/,
    transform: { define: { "import.meta.dirname": JSON.stringify(import.meta.dirname) } },
  });
  const name = basename(file).replace(/\.ts$/, ".mjs");
  await made.write({ dir: folder, entryFileNames: name, codeSplitting: false });
  return join(folder, name);
}

// --- internal ---

function runOf(variables: readonly string[]): string | undefined {
  return variables.find((each) => each.startsWith("HOLDFAST_RUN="))?.slice("HOLDFAST_RUN=".length);
}
