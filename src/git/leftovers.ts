// Processes that outlived who started them. Each carries a tag in its environment, which whatever
// it starts inherits: a new session or a double fork does not hide it (an emptied environment does).
import { setTimeout as pause } from "node:timers/promises";
import { type ProcessRow, isGone, processes } from "../os/processes.ts";
import { tagVariable } from "./_environment.ts";

/** Ends every process with this tag, and sees them gone. A tag is never shared with an agent. */
export async function endLeftovers(tag: string): Promise<void> {
  // One that forks while we look is found in the next round.
  for (let round = 0; round < mostRounds; round++) {
    const found = leftovers(tag);
    if (found.length === 0) return;
    for (const row of found) killThis(row);
    await pause(pauseMs);
  }
}

export function leftovers(tag: string): ProcessRow[] {
  return processes
    .list()
    .filter((row) => !isGone(row) && row.pid !== process.pid)
    .filter(({ pid }) => processes.variable(pid, tagVariable) === tag);
}

/** Only if it is still the process that was found: its number may be another's by now. */
export function killThis({ pid, start }: Pick<ProcessRow, "pid" | "start">): void {
  const now = processes.at(pid);
  if (now === undefined || now.start !== start || isGone(now)) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

// --- internal ---

const mostRounds = 500;
const pauseMs = 10;
