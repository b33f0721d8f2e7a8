// The real world of the sample agent: its standard streams, the clock, the disk, a tool.
import { type ChildProcess, spawn } from "node:child_process";
import { fstatSync, readlinkSync, statSync, writeSync } from "node:fs";
import { variableOf } from "../../core/variable.ts";
import { createFrameReader } from "../adapters/frames.ts";
import type { World } from "./play.ts";
import type { SessionFile } from "./session.ts";
import { placeFor, writeBelow } from "./_write.ts";

export interface RealWorld extends World {
  /** Ends what was started: called on SIGTERM. */
  close(): void;
}

/** Null: it is no verifier. */
export function lookOf(environment: NodeJS.ProcessEnv): number | null {
  return environment["HOLDFAST_ROLE"] === "verifier"
    ? Number(environment["HOLDFAST_LOOK"] ?? 1)
    : null;
}

export function realWorld(
  environment: NodeJS.ProcessEnv,
  file: SessionFile | null,
  cwd: string,
): RealWorld {
  const tools = createTools(cwd);
  return {
    token: environment["HOLDFAST_TOKEN"],
    look: lookOf(environment),
    pace: Number(environment["HOLDFAST_SAMPLE_PACE"] ?? 400),
    output: outputOf(environment["HOLDFAST_OUTPUT"]),
    sizeOf: (path) => statSync(path, { throwIfNoEntry: false })?.size ?? null,
    print: printAll,
    save: (session) => file?.save(session),
    write: (path, text) => writeBelow(cwd, path, text),
    variable: (name) => environment[variableOf(name)],
    now: Date.now,
    pause: (milliseconds) =>
      new Promise((done) => {
        if (milliseconds > 0) setTimeout(done, milliseconds);
        else setImmediate(done);
      }),
    tool: tools.run,
    receive: createStdin(),
    close: () => tools.close(),
  };
}

// --- internal ---

const STDOUT = 1;

/** By name where it is told; Linux knows it without. A pipe or a terminal has no size to look at. */
function outputOf(told: string | undefined): World["output"] {
  const status = fstatSync(STDOUT);
  if (!status.isFile()) return { path: null, size: 0 };
  const { size } = status;
  if (told !== undefined) return { path: told, size };
  try {
    return { path: readlinkSync(`/proc/self/fd/${STDOUT}`), size };
  } catch {
    return { path: null, size };
  }
}

/** Synchronous: what is recorded next must be out. */
function printAll(bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length;) {
    try {
      from += writeSync(STDOUT, bytes, from);
    } catch (error) {
      // A full pipe that does not block: its reader needs a moment.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

/** Read only while somebody waits; what is not read stays with whoever wrote it. */
function createStdin(): World["receive"] {
  const frames = createFrameReader();
  // Asked for one chunk at a time.
  const chunks = process.stdin.iterator({ destroyOnReturn: false });
  return async () => {
    try {
      const { value, done } = (await chunks.next()) as IteratorResult<Buffer, undefined>;
      return done ? null : frames.push(value);
    } catch {
      return null; // Torn off: as good as closed.
    }
  };
}

/** As agents run their tools: in a session of its own, out of reach of a signal to our group. */
function createTools(cwd: string) {
  let running: ChildProcess | null = null;
  const ticks =
    'echo "pid $$" >"$2"; i=0; while [ $i -lt $1 ]; do i=$((i+1)); echo "$i" >>"$2"; sleep 0.1; done';
  return {
    run: (seconds: number, path: string) =>
      new Promise<void>((done, failed) => {
        const file = placeFor(cwd, path);
        const words = ["-c", ticks, "tool", String(seconds * 10), file];
        running = spawn("sh", words, { cwd, detached: true, stdio: "ignore" });
        running.once("error", failed).once("exit", () => {
          running = null;
          done();
        });
      }),
    close(): void {
      if (running?.pid !== undefined) process.kill(-running.pid, "SIGKILL");
    },
  };
}
