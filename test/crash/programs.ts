// Real processes for the tests: bundles a program, builds the C ones, starts, watches, ends them.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { rolldown } from "rolldown";
import { patience } from "../patience.ts";

/** Every case instead of some of them: minutes instead of seconds. */
export const full = process.env["HOLDFAST_FULL"] === "1";

/** For a whole test: it counts cases, so only a process that hangs should meet it. */
export const limit = { timeout: full ? 3_600_000 : 1_200_000 };

export interface Workshop {
  readonly folder: string;
  /** Bundles a TypeScript file of this folder, packages outside. */
  bundle(file: string): Promise<string>;
  /** Ends whatever is still running and removes the folder. */
  close(): Promise<void>;
  start(args: readonly string[], environment?: Record<string, string>): Running;
}

export interface Running {
  readonly pid: number;
  readonly lines: string[];
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** When this line has come so often. */
  said(line: string, times?: number): Promise<void>;
  tell(line: string): void;
  signal(signal: NodeJS.Signals): void;
  /** Acknowledged so far: the last value. */
  acked(): number;
}

export function workshop(): Workshop {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-crash-")));
  // What is bundled here finds its packages.
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const running = new Set<ChildProcess>();
  return {
    folder,
    bundle: (file) => bundle(file, folder),
    start: (args, environment) => {
      const child = spawn(args[0] ?? "", args.slice(1), {
        stdio: ["pipe", "pipe", "inherit"],
        env: { ...process.env, ...environment },
      });
      running.add(child);
      child.once("close", () => running.delete(child));
      return watch(child);
    },
    close: async () => {
      const ends = [...running].map((child) => new Promise((end) => child.once("close", end)));
      for (const child of running) child.kill("SIGKILL");
      await Promise.all(ends);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A new folder in memory, where a sync costs nothing; undefined where there is none. */
export function memoryFolder(): string | undefined {
  try {
    return realpathSync(mkdtempSync("/dev/shm/holdfast-crash-"));
  } catch {
    return undefined;
  }
}

/** Builds a C file of this folder; a sentence saying why not, where there is no compiler. */
export function compile(file: string, into: string, library: boolean): string | { why: string } {
  const output = join(into, library ? `${file}.so` : `${file}.bin`);
  const flags = library ? ["-shared", "-fPIC", "-O1"] : ["-O1"];
  const source = join(import.meta.dirname, file);
  const built = spawnSync("cc", [...flags, "-Wall", "-o", output, source, "-ldl"], {
    encoding: "utf8",
  });
  if (built.error) return { why: "there is no C compiler (cc)" };
  if (built.status !== 0) throw new Error(built.stderr);
  return output;
}

/** Looks until it is so; a deadline, not a wait: it fails loudly. */
export async function until(what: string, is: () => boolean): Promise<void> {
  const deadline = Date.now() + patience;
  while (!is()) {
    if (Date.now() > deadline) throw new Error(`waited ${patience} ms for: ${what}`);
    await pause(2);
  }
}

/**
 * `NAME=value` of each variable of a process; none where it is gone. In the middle of an exec there is
 * none for a moment, which is waited for: such a process must not be overlooked.
 */
export function environmentOf(pid: number): string[] {
  for (let look = 0; ; look++) {
    const text = readProc(`/proc/${pid}/environ`);
    if (text !== "") return text?.split("\0") ?? [];
    const fields = (readProc(`/proc/${pid}/stat`) ?? "").replace(/^.*\) /s, "").split(" ");
    const [memory, begin, end] = [20, 47, 48].map((place) => Number(fields[place] ?? 0));
    if (look > 100 || memory === 0 || (look > 3 && begin !== 0 && begin === end)) return [];
    Atomics.wait(blink, 0, 0, 1);
  }
}

/** Stops a process, and sees every thread of it stopped. */
export async function stop(running: Running): Promise<void> {
  running.signal("SIGSTOP");
  await until("every thread stopped", () => isStopped(running));
}

/** Or gone. */
export function isStopped({ pid }: Running): boolean {
  const tasks = `/proc/${pid}/task`;
  try {
    return readdirSync(tasks).every((task) =>
      /\) [TtZX] /.test(readFileSync(join(tasks, task, "stat"), "latin1")),
    );
  } catch {
    return true;
  }
}

/** Numbers that are the same each time: a failure can be run again. */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

// --- internal ---

const root = resolve(import.meta.dirname, "../..");
const blink = new Int32Array(new SharedArrayBuffer(4));

/** Undefined: it is gone, or not ours to read. */
function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

async function bundle(file: string, folder: string): Promise<string> {
  const input = join(import.meta.dirname, file);
  const made = await rolldown({
    input,
    platform: "node",
    external: /^(?![./]|[A-Za-z]:)/,
    transform: { define: { "import.meta.dirname": JSON.stringify(import.meta.dirname) } },
  });
  const name = file.replace(/\.ts$/, ".mjs");
  await made.write({ dir: folder, entryFileNames: name, codeSplitting: false });
  return join(folder, name);
}

function watch(child: ChildProcess): Running {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest = "";
  let over = false;
  const wake = (): void => {
    for (const look of waiting) look();
  };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    wake();
  });
  // A process that is gone hears nothing more.
  child.stdin?.on("error", () => undefined);
  const ended = new Promise<Awaited<Running["ended"]>>((end) => {
    child.once("close", (code, signal) => {
      over = true;
      wake();
      end({ code, signal });
    });
  });
  return {
    pid: child.pid ?? 0,
    lines,
    ended,
    said: (line, times = 1) =>
      new Promise((done, failed) => {
        const look = (): void => {
          const enough = lines.filter((each) => each === line).length >= times;
          if (!enough && !over) return;
          waiting.delete(look);
          if (enough) done();
          else failed(new Error(`it ended without “${line}”: ${lines.join(" | ")}`));
        };
        waiting.add(look);
        look();
      }),
    tell: (line) => child.stdin?.write(`${line}\n`),
    signal: (signal) => child.kill(signal),
    acked: () => Number(lines.findLast((each) => each.startsWith("ack "))?.slice(4) ?? 0),
  };
}
