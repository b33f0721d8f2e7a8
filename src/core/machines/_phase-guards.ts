// What the task and its agent both ask about the phase they are in (S1.4–S1.6).
import { msg } from "../messages.ts";
import type { Verdict } from "../machine.ts";
import { retryLimits } from "../retry.ts";

/** How often a failed verification goes back to the agent before the task fails (S1.6). */
const maxReworks = retryLimits.rework;

export interface PhaseFacts {
  /** The current phase, counted from 1. */
  readonly phase: number;
  readonly totalPhases: number;
  /** Does the current phase ask for a human review? (S1.4b) */
  readonly reviewAsked: boolean;
  /** Reworks already sent for the current phase. */
  readonly reworks: number;
}

const lastPhase = (facts: PhaseFacts): boolean => facts.phase >= facts.totalPhases;

export const phaseLeft = (facts: PhaseFacts): Verdict => !lastPhase(facts) || msg("phase.was_last");
export const noneLeft = (facts: PhaseFacts): Verdict =>
  lastPhase(facts) || msg("phase.left", { phase: facts.phase, total: facts.totalPhases });
export const reviewed = (facts: PhaseFacts): Verdict =>
  facts.reviewAsked || msg("phase.no_review_asked");
export const unreviewed = (facts: PhaseFacts): Verdict =>
  !facts.reviewAsked || msg("phase.review_asked");
export const reworkLeft = (facts: PhaseFacts): Verdict =>
  facts.reworks < maxReworks || msg("phase.no_rework_left", { max: maxReworks });
export const noReworkLeft = (facts: PhaseFacts): Verdict =>
  facts.reworks >= maxReworks || msg("phase.rework_left", { done: facts.reworks, max: maxReworks });

export function hasFeedback(input: { readonly feedback?: string }): Verdict {
  return (input.feedback ?? "").trim() !== "" || msg("phase.needs_feedback");
}
