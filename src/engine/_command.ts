// A command of the project (setup, verify) in a workspace: `sh -c`, a group of its own, a limit on
// time and output. It ends with everything it started: some of it would hold the output open, some
// would go on changing files that are being looked at.
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { startedByUs } from "../agents/supervisor.ts";
import type { Redactor } from "../core/redact.ts";
import { tagVariable } from "../git/_environment.ts";
import { endLeftovers } from "../git/leftovers.ts";

export interface CommandRun {
  readonly command: string;
  readonly cwd: string;
  /** Of this kind of command in this folder: only one at a time has it. */
  readonly tag: string;
  /** All that it sees. */
  readonly env: Readonly<Record<string, string>>;
  readonly seconds: number;
  /** The end of its output is kept, at most so many bytes. */
  readonly maxOutput: number;
  readonly redactor: Redactor;
  readonly signal?: AbortSignal;
  /** Gets all of it, redacted, as it comes. */
  readonly onOutput?: (piece: Uint8Array) => void;
  /** A service it started may stay, if it succeeded. */
  readonly keepServices?: boolean;
}

export interface CommandOutcome {
  readonly ended: "exit" | "late" | "stopped" | "not_started";
  /** As a shell says it: 128 + the number of a signal. */
  readonly exitCode: number;
  readonly output: string;
  /** Bytes of output that came before. */
  readonly cut: number;
}

export type RunCommand = (run: CommandRun) => Promise<CommandOutcome>;

export const runCommand: RunCommand = async (run) => {
  if (run.signal?.aborted === true) return { ended: "stopped", exitCode: 1, output: "", cut: 0 };
  // No program can be given one, and Node would throw.
  if (run.command.includes("\0"))
    return { ended: "not_started", exitCode: 127, output: "it holds a NUL character", cut: 0 };
  const { tag } = run;
  // What one left behind that died with us, in the middle of it.
  await endLeftovers(tag);
  // Both streams as one, in the order in which they were written.
  const child = spawn("/bin/sh", ["-c", `exec 2>&1\n${run.command}`], {
    cwd: run.cwd,
    env: { ...run.env, [tagVariable]: tag, ...startedByUs() },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  const tail = keepTail(child, run);
  const { ended, exitCode, detail } = await ending(child, run);
  if (ended !== "exit" || exitCode !== 0 || run.keepServices !== true) {
    endGroup(child, "SIGKILL");
    await endLeftovers(tag);
  }
  await drained(child);
  const { output, cut } = tail();
  return { ended, exitCode, output: detail ?? output, cut };
};

// --- internal ---

const graceMs = 2_000;
const drainMs = 1_000;

/** Collects what it prints. A flood costs no memory: only the end is kept. */
function keepTail(child: ChildProcess, run: CommandRun): () => { output: string; cut: number } {
  const { maxOutput, redactor, onOutput } = run;
  const stream = redactor.stream();
  const parts: Uint8Array[] = [];
  let [size, cut] = [0, 0];
  const take = (piece: Uint8Array): void => {
    if (piece.length === 0) return;
    onOutput?.(piece);
    parts.push(piece);
    size += piece.length;
    while (size - (parts[0]?.length ?? 0) >= maxOutput) {
      const gone = parts.shift()?.length ?? 0;
      size -= gone;
      cut += gone;
    }
  };
  child.stdout?.on("data", (piece: Buffer) => take(stream.push(piece)));
  return () => {
    take(stream.end());
    const all = Buffer.concat(parts);
    const over = Math.max(0, all.length - maxOutput);
    return { output: all.subarray(over).toString("utf8"), cut: cut + over };
  };
}

interface Ending {
  readonly ended: CommandOutcome["ended"];
  readonly exitCode: number;
  readonly detail?: string;
}

function ending(child: ChildProcess, { seconds, signal }: CommandRun): Promise<Ending> {
  return new Promise((done) => {
    let why: Ending["ended"] = "exit";
    let grace: NodeJS.Timeout | undefined;
    const stop = (reason: Ending["ended"]): void => {
      why = reason;
      endGroup(child, "SIGTERM");
      grace = setTimeout(() => endGroup(child, "SIGKILL"), graceMs);
    };
    const limit = setTimeout(() => stop("late"), seconds * 1000);
    const abort = (): void => stop("stopped");
    signal?.addEventListener("abort", abort, { once: true });
    const finish = (end: Ending): void => {
      clearTimeout(limit);
      clearTimeout(grace);
      signal?.removeEventListener("abort", abort);
      done(end);
    };
    child.once("error", ({ message }) =>
      finish({ ended: "not_started", exitCode: 127, detail: message }),
    );
    // Not “close”: something it left behind may hold the output open for hours.
    child.once("exit", (code, by) => finish({ ended: why, exitCode: code ?? signalCode(by) }));
  });
}

function signalCode(signal: NodeJS.Signals | null): number {
  return 128 + (signal === null ? 0 : (constants.signals[signal] ?? 0));
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // Nobody is left in it.
  }
}

/** What it wrote before it ended is still in the pipe; who holds it open is not waited for. */
async function drained(child: ChildProcess): Promise<void> {
  const { stdout } = child;
  if (stdout === null || stdout.readableEnded) return;
  await new Promise<void>((done) => {
    // Not before it was looked at once more: who had no time meanwhile has not read what is there.
    const timer = setTimeout(() => setImmediate(done), drainMs);
    stdout.once("close", () => {
      clearTimeout(timer);
      done();
    });
  });
  stdout.destroy();
}
