// What a guard says: guards are functions that refuse with a sentence. They are asked about worlds
// that differ in everything a guard may look at, and each sentence they refuse with is told once.
import { type Message, render } from "../../core/messages.ts";
import type { AgentFacts } from "../../core/machines/agent.ts";
import type { TaskFacts } from "../../core/machines/task.ts";

interface GuardedRow {
  readonly when?: (facts: never) => true | Message;
  readonly needs?: (input: never, facts: never) => true | Message;
}

/** All sentences with which the row's guard may refuse. */
export function refusalsOf(row: GuardedRow, worlds: readonly object[]): Message[] {
  const found = new Map<string, Message>();
  const take = (verdict: true | Message): void => {
    if (verdict !== true && !found.has(verdict.key)) found.set(verdict.key, verdict);
  };
  if (row.when) for (const facts of worlds) take(row.when(facts as never));
  return [...found.values()];
}

/** What an event has to bring along. */
export function needsOf(row: GuardedRow, worlds: readonly object[]): Message[] {
  const found = new Map<string, Message>();
  for (const facts of row.needs ? worlds.slice(0, 64) : []) {
    const verdict = row.needs?.({} as never, facts as never) ?? true;
    if (verdict !== true) found.set(render("en", verdict), verdict);
  }
  return [...found.values()];
}

export function taskWorlds(): TaskFacts[] {
  const worlds: TaskFacts[] = [];
  for (let bits = 0; bits < 256; bits++) {
    const on = (place: number): boolean => (bits & (1 << place)) !== 0;
    const word = on(0) ? "x" : "";
    worlds.push({
      title: word,
      type: word,
      description: word,
      ...phase(on(1), on(2), on(3)),
      slotFree: on(4),
      unfinishedDependencies: on(5) ? ["task_…"] : [],
      holdBack: null,
      agentPaused: on(6),
      artefactsHash: "x",
      archived: on(7),
    });
  }
  return worlds;
}

export function agentWorlds(): AgentFacts[] {
  const worlds: AgentFacts[] = [];
  for (let bits = 0; bits < 4_096; bits++) {
    if (!isNear(bits, 12)) continue;
    const on = (place: number): boolean => (bits & (1 << place)) !== 0;
    worlds.push({
      ...phase(on(0), on(1), on(2)),
      holds: [...(on(3) ? (["person"] as const) : []), ...(on(4) ? (["limit"] as const) : [])],
      hold: on(5) ? "limit" : null,
      taskStatus: on(6) ? "pending" : "in_progress",
      verifies: on(7),
      dependencyProvided: on(8),
      questionAnswered: on(8),
      dependencyType: "api_key",
      missingDeliverables: on(9) ? ["…"] : [],
      reviewOpen: on(10),
      attemptsLeft: on(11) ? 1 : 0,
    });
  }
  return worlds;
}

// --- internal ---

/** A refusal hangs on three things at most: worlds that differ more from all-off or all-on tell nothing new. */
function isNear(bits: number, size: number): boolean {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count <= 3 || count >= size - 3;
}

function phase(last: boolean, reviewAsked: boolean, tired: boolean) {
  return { phase: last ? 2 : 1, totalPhases: 2, reviewAsked, reworks: tired ? 9 : 0 };
}
