// Processes that outlived who started them. Each carries a tag in its environment, which whatever
// it starts inherits: a new session or a double fork does not hide it (an emptied environment does).
import { setTimeout as pause } from "node:timers/promises";
import { isGone, processes } from "../os/processes.ts";
import { tagVariable } from "./_git-environment.ts";

/** Ends every process with this tag, and sees them gone. A tag is never shared with an agent. */
export async function endLeftovers(tag: string): Promise<void> {
  // One that forks while we look is found in the next round.
  for (let round = 0; round < mostRounds; round++) {
    const found = leftovers(tag);
    if (found.length === 0) return;
    for (const pid of found) kill(pid);
    await pause(pauseMs);
  }
}

export function leftovers(tag: string): number[] {
  return processes
    .list()
    .filter((row) => !isGone(row) && row.pid !== process.pid)
    .map(({ pid }) => pid)
    .filter((pid) => processes.variable(pid, tagVariable) === tag);
}

// --- internal ---

const mostRounds = 500;
const pauseMs = 10;

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}
