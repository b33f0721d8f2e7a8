// What the guards of the phases ask, as far as it follows from where the run stands.
import type { DevelopFacts } from "../../core/machines/develop-phase.ts";
import type { Situation } from "./events.ts";

export function phaseFacts(
  { state, run }: Pick<Situation, "state" | "run">,
  more: Partial<DevelopFacts> = {},
): DevelopFacts {
  const unpassed = Object.entries(state.checkpoints ?? {}).filter(
    ([, one]) => one.status !== "passed",
  );
  return {
    checkpointsDefined: run.definitions?.length ?? 0,
    designApproved: false,
    blockingFindings: 0,
    strategy: state.strategy ?? null,
    rounds: run.rounds,
    byPerson: false,
    unpassedCheckpoints: unpassed.map(([id]) => id),
    mergeApproved: false,
    failingChecks: [],
    ...more,
  };
}
