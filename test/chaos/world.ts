// A home, a supervisor and real agents for the tests, and an oracle of its own: what belongs to a
// home is read from /proc here, not by the code under test.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runFolder } from "../../src/agents/run.ts";
import type { RunSpec, Supervisor } from "../../src/agents/supervisor.ts";
import { environmentOf, until } from "../crash/programs.ts";
import { hasBegun, specAt, supervisorAt } from "./parts.ts";

export interface ChaosWorld {
  readonly home: string;
  /** Where agents work. */
  readonly place: string;
  readonly supervisor: Supervisor;
  folder(run: string): string;
  spec(run: string, command: readonly string[], extra?: Record<string, string>): RunSpec;
  /** Starts a script of sh as an agent, and waits until it runs. */
  startShell(run: string, script: string): Promise<number>;
  out(run: string): string;
  /** Ends whatever is left, which a test may not leave; then removes the folder. */
  close(): Promise<void>;
}

export function chaosWorld(): ChaosWorld {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-chaos-")));
  const [home, place] = [join(root, "home"), join(root, "place")];
  mkdirSync(place, { recursive: true });
  const supervisor = supervisorAt(home);
  const world: ChaosWorld = {
    home,
    place,
    supervisor,
    folder: (run) => runFolder(home, run),
    spec: (run, command, extra) => specAt(home, place, run, command, extra),
    startShell: async (run, script) => {
      await supervisor.start(world.spec(run, ["sh", "-c", script]));
      await until("the agent runs", () => hasBegun(world.folder(run)));
      const { pid } = await supervisor.look(world.folder(run));
      return pid ?? 0;
    },
    out: (run) => readFileSync(join(world.folder(run), "out"), "utf8"),
    close: async () => {
      // What has ended may need a moment to be gone.
      await until("all is gone", () => living(home).length === 0).catch(() => undefined);
      const left = living(home);
      for (const { pid } of left) kill(pid);
      await until("nothing is left", () => living(home).length === 0);
      rmSync(root, { recursive: true, force: true });
      if (left.length > 0)
        throw new Error(`the test left ${left.length} processes: ${describe(left)}`);
    },
  };
  return world;
}

export interface Living {
  readonly pid: number;
  /** Of each thread. */
  readonly states: string[];
  readonly run: string;
  readonly command: string;
}

/** Every process that carries this home in its environment and is no zombie. */
export function living(home: string): Living[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const environment = environmentOf(Number(name));
    if (!environment.includes(`HOLDFAST_HOME=${home}`)) return [];
    const states = statesOf(Number(name));
    if (states.every((state) => /[ZX]/.test(state))) return [];
    const run = environment.find((entry) => entry.startsWith("HOLDFAST_RUN="))?.slice(13) ?? "";
    const command = read(`/proc/${name}/cmdline`).replaceAll("\0", " ");
    return { pid: Number(name), states, run, command };
  });
}

/** Those that could still run. A parent may wait in the kernel for a vforked child that is stopped. */
export function moving(all: readonly Living[]): Living[] {
  const parents = new Set(
    all.flatMap(({ pid, states }) => (states.includes("T") ? parentOf(pid) : [])),
  );
  return all.filter(({ pid, states }) =>
    states.some((state) => state !== "T" && !(state === "D" && parents.has(pid))),
  );
}

export function statesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(
      (task) => /\) ([A-Za-z]) /.exec(read(`/proc/${pid}/task/${task}/stat`))?.[1] ?? "X",
    );
  } catch {
    return [];
  }
}

export const isThere = (pid: number): boolean => statesOf(pid).some((state) => !/[ZX]/.test(state));

export function parentOf(pid: number): number {
  return Number(/\) [A-Za-z] (\d+) /.exec(read(`/proc/${pid}/stat`))?.[1] ?? 0);
}

/** A test that found nothing must not end its own group: that is what 0 means. */
export function kill(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  if (pid <= 1) throw new Error(`no process to signal: ${pid}`);
  process.kill(pid, signal);
}

export function killGroup(group: number, signal: NodeJS.Signals): void {
  if (group <= 1) throw new Error(`no group to signal: ${group}`);
  process.kill(-group, signal);
}

/** Our own children that nobody has reaped. */
export function ownZombies(): number[] {
  return readdirSync("/proc").flatMap((name) => {
    const [, state, parent] = /\) ([A-Za-z]) (\d+) /.exec(read(`/proc/${name}/stat`)) ?? [];
    return state === "Z" && Number(parent) === process.pid ? Number(name) : [];
  });
}

// --- internal ---

function describe(left: readonly Living[]): string {
  return left
    .map(
      ({ pid, states, run, command }) => `${pid} ${states.join("")} ${run} ${command.slice(-60)}`,
    )
    .join("; ");
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
