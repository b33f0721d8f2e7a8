// Phases one after another with one agent: create_app, modify_app, workflow, custom, and the types
// a project defines for itself (S1.17).
//
//   work ──claimed──▶ check ──passed──▶ review ──approved──▶ work of the next phase … ▶ end
//    ▲                  │ refused         │ changes
//    └──────────────────┴─────────────────┘
//
// How often a check may refuse is the task machine's rule (S1.6), not this one's: it stops asking.
import type { Language } from "../../core/messages.ts";
import { retryLimits } from "../../core/retry.ts";
import type { ProjectSettings } from "../../formats/project-settings.ts";
import type { Deliverable, Outcome, Place, Step, Workflow } from "../workflow.ts";
import { promptOf, verifierPromptOf } from "./_prompt.ts";

export interface PhaseDefinition {
  readonly name: string;
  /** What the agent is to do; the parts every prompt has are added. */
  readonly instructions: string;
  readonly deliverables: readonly Deliverable[];
  readonly verify: readonly string[];
  /** `prompt`: what is to be judged. `agent`: who does; null: the task's own. */
  readonly verifier: { readonly prompt: string; readonly agent: string | null } | null;
  readonly review: boolean;
}

/** A task type, with nothing left to look up: a task keeps the one it was submitted with. */
export interface TaskType {
  readonly name: string;
  readonly title: string;
  /** May it begin in an empty folder? */
  readonly startsEmpty: boolean;
  /** What its agents may do unasked (S1.16). */
  readonly permissions: NonNullable<ProjectSettings["permissions"]>;
  readonly phases: readonly PhaseDefinition[];
  /** How often a refused claim goes back to its agent; without it as often as anywhere (S1.6). */
  readonly reworks?: number;
}

export interface PhasesInput {
  readonly type: TaskType;
  readonly title: string;
  readonly description: string;
}

export interface PhasesDocument extends PhasesInput {
  readonly language: Language;
  /** Counted from 1. */
  readonly phase: number;
  readonly stage: "work" | "check" | "review" | "end";
  /** Refused claims of this phase, by checks and by people; part of the steps' keys. */
  readonly round: number;
  /** Of those, by checks. */
  readonly reworks: number;
  /** What the last refusal said. */
  readonly feedback: string | null;
}

export const phases: Workflow<PhasesInput, PhasesDocument> = {
  name: "phases",
  start: (input, language) => ({
    ...input,
    language,
    phase: 1,
    stage: "work",
    round: 0,
    reworks: 0,
    feedback: null,
  }),
  next: (document) => [stepOf(document)],
  apply: (document, outcome) =>
    outcome.key === stepOf(document).key ? moved(document, outcome) : document,
  place,
};

// --- internal ---

function stepOf(document: PhasesDocument): Step {
  const { phase, stage, round, feedback } = document;
  const definition = phaseOf(document);
  const { deliverables, verify } = definition;
  const key = `${stage}-${phase}-${round}`;
  if (stage === "end") return { kind: "end", key, result: "completed" };
  if (stage === "review") return { kind: "review", key, phase };
  if (stage === "check") {
    const verifier = definition.verifier && {
      prompt: verifierPromptOf(document, definition, definition.verifier.prompt),
      agent: definition.verifier.agent,
    };
    return { kind: "check", key, phase, deliverables, commands: verify, verifier };
  }
  return {
    kind: "work",
    key,
    agent: "main",
    phase,
    prompt: feedback ?? promptOf(document, phaseOf(document)),
    message: feedback === null ? "prompt" : "feedback",
    deliverables,
  };
}

function moved(document: PhasesDocument, outcome: Outcome): PhasesDocument {
  const { round, reworks } = document;
  if (outcome.kind === "claimed") return { ...document, stage: "check" };
  if (outcome.kind === "approved") return onward(document);
  if (outcome.kind === "passed")
    return phaseOf(document).review ? { ...document, stage: "review" } : onward(document);
  return {
    ...document,
    stage: "work",
    round: round + 1,
    // A person who looks gives the checks a new start: their limit is against blind repetition.
    reworks: outcome.kind === "refused" ? reworks + 1 : 0,
    feedback: outcome.feedback,
  };
}

function onward(document: PhasesDocument): PhasesDocument {
  if (document.phase >= document.type.phases.length) return { ...document, stage: "end" };
  return {
    ...document,
    phase: document.phase + 1,
    stage: "work",
    round: 0,
    reworks: 0,
    feedback: null,
  };
}

function place(document: PhasesDocument): Place {
  const { deliverables, review } = phaseOf(document);
  return {
    phase: document.phase,
    phases: document.type.phases.length,
    deliverables,
    reviewed: review,
    // Who may be sent back less often counts as sent back before.
    reworks: document.reworks + retryLimits.rework - (document.type.reworks ?? retryLimits.rework),
  };
}

function phaseOf({ type, phase }: PhasesDocument): PhaseDefinition {
  const found = type.phases[phase - 1];
  // A type has at least one phase, and `onward` stops at the last.
  if (found === undefined) throw new RangeError(`${type.name} has no phase ${phase}`);
  return found;
}
