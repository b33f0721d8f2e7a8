// Which branch a phase of the plan is worked on (S2.6).
import type { ReadPlan } from "./_session-orchestrate-sources.ts";

/** Phase 0 has none: it is worked on where the project is. */
export function branchesIn(plan: ReadPlan | undefined): Map<number, string> {
  const named = (plan?.list.phases ?? []).filter(({ number }) => number > 0);
  return new Map(named.map(({ number, slug }) => [number, branchName(number, slug)]));
}

export function branchName(phase: number, slug = ""): string {
  return slug === "" ? `phase-${phase}` : `phase-${phase}-${slug}`;
}
