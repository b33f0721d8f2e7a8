// What a server has as well as a test: nothing here needs more than the product itself.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { agentEnvironment } from "../../src/agents/environment.ts";
import { runFolder } from "../../src/agents/run.ts";
import { type RunSpec, Supervisor, type SupervisorWorld } from "../../src/agents/supervisor.ts";

export function supervisorAt(home: string, more: Partial<SupervisorWorld> = {}): Supervisor {
  return new Supervisor({ home, now: () => performance.now(), wait: pause, ...more });
}

export function specAt(
  home: string,
  cwd: string,
  run: string,
  command: readonly string[],
  extra: Record<string, string> = {},
): RunSpec {
  const env = agentEnvironment(process.env, { run, home, root: cwd }, extra);
  return { run, folder: runFolder(home, run), command, cwd, env };
}

/** Has it said which process it is? A line counts once its newline is there. */
export function hasBegun(folder: string): boolean {
  return isWritten(join(folder, "pid"));
}

/** Does it stand there how it ended? The file is there a moment before its line, and says nothing yet. */
export function hasEnded(folder: string): boolean {
  return isWritten(join(folder, "exit"));
}

// --- internal ---

function isWritten(path: string): boolean {
  return existsSync(path) && readFileSync(path, "utf8").endsWith("\n");
}
