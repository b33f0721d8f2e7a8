// How checkpoints are worked on (S0.6): one after another, by several agents at once, or by a team.
import type { Strategy } from "../../core/vocabulary.ts";
import type { Checkpoint } from "./private.ts";

/** What there is to work with. */
export interface Means {
  /** Can several agents work at once? */
  readonly subagents: boolean;
  /** Is there an agent that can lead a team? */
  readonly teams: boolean;
}

export const mostSubagents = 4;
const fewestForTeam = 5;

export function strategyFor(
  checkpoints: readonly Checkpoint[],
  wish: Strategy | null,
  means: Means,
): Strategy {
  return available(wish ?? chosen(checkpoints), means);
}

/** How many checkpoints may be under way at once. */
export function atOnce(strategy: Strategy, slots: number): number {
  if (strategy === "direct") return 1;
  return strategy === "subagent" ? Math.min(mostSubagents, slots) : slots;
}

// --- internal ---

/** Two to four that build on each other gain nothing from a second agent, which would only wait. */
function chosen(checkpoints: readonly Checkpoint[]): Strategy {
  if (checkpoints.length <= 1 || sameFiles(checkpoints)) return "direct";
  if (checkpoints.length >= fewestForTeam) return "agent-teams";
  return independent(checkpoints) ? "subagent" : "direct";
}

function available(strategy: Strategy, { subagents, teams }: Means): Strategy {
  if (strategy === "agent-teams" && teams) return strategy;
  return strategy !== "direct" && subagents ? "subagent" : "direct";
}

function sameFiles(checkpoints: readonly Checkpoint[]): boolean {
  const [first = "", ...rest] = checkpoints.map(({ interface: files }) =>
    JSON.stringify([...new Set(files)].toSorted()),
  );
  return first !== "[]" && rest.every((files) => files === first);
}

function independent(checkpoints: readonly Checkpoint[]): boolean {
  const files = checkpoints.flatMap(({ interface: own, tests }) => [
    ...new Set([...own, ...tests]),
  ]);
  return (
    new Set(files).size === files.length &&
    checkpoints.every(({ dependencies }) => dependencies.length === 0)
  );
}
