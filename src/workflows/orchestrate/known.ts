// What a step leaves behind for the next one (formats/memo.ts): a state that was made by it is tidy, every
// unit stands where it should, and how many that are is known. Of any other, and with another plan, all of
// it is worked out from the lists.
import { memoOf, remember } from "../../formats/memo.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import type { PhaseCount } from "./board.ts";
import type { PlanFacts } from "./plan.ts";
import type { UnitCounts } from "./standing.ts";

export interface Known {
  /** Another number whenever what is known means something else, or steps are taken by other rules. */
  readonly version: typeof version;
  /** By which plan the phases were counted. */
  readonly plan: string;
  readonly counts: UnitCounts;
  /** In order. */
  readonly phases: readonly Readonly<PhaseCount>[];
  readonly head: Head;
}

/** So many units at the head of the plan are completed, and this is the one behind them; "": none. */
export interface Head {
  readonly count: number;
  readonly next: string;
}

export function knownOf(state: OrchestrateState, { name }: PlanFacts): Known | undefined {
  const known = memoOf(state) as Known | undefined;
  return known?.version === version && known.plan === name ? known : undefined;
}

export function know(
  state: OrchestrateState,
  { name }: PlanFacts,
  found: Pick<Known, "counts" | "phases" | "head">,
): void {
  if (name === undefined) return;
  const counts = { ...found.counts };
  remember(state, { ...found, version, plan: name, counts } satisfies Known);
}

// --- internal ---

const version = 1;
