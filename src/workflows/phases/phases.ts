// Phases one after another with one agent: create_app, modify_app, workflow, custom, and the types
// a project defines for itself (S1.17).
//
//   work ──claimed──▶ check ──passed──▶ review ──approved──▶ work of the next phase … ▶ end
//    ▲                  │ refused         │ changes
//    └──────────────────┴─────────────────┘
//
// How often a check may refuse is the task machine's rule (S1.6), not this one's: it stops asking.
import type { Language } from "../../core/messages.ts";
import type { Deliverable, Outcome, Place, Step, Workflow } from "../workflow.ts";
import { promptOf } from "./_prompt.ts";

export interface PhaseDefinition {
  readonly name: string;
  /** What the agent is to do; the parts every prompt has are added. */
  readonly instructions: string;
  readonly deliverables: readonly Deliverable[];
  readonly verify: readonly string[];
  readonly verifier: string | null;
  readonly review: boolean;
}

/** A task type, with nothing left to look up: a task keeps the one it was submitted with. */
export interface TaskType {
  readonly name: string;
  readonly title: string;
  /** May it begin in an empty folder? */
  readonly startsEmpty: boolean;
  readonly phases: readonly PhaseDefinition[];
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
  const { deliverables, verify, verifier } = phaseOf(document);
  const key = `${stage}-${phase}-${round}`;
  if (stage === "end") return { kind: "end", key, result: "completed" };
  if (stage === "review") return { kind: "review", key, phase };
  if (stage === "check")
    return { kind: "check", key, phase, deliverables, commands: verify, verifier };
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
    reworks: document.reworks,
  };
}

function phaseOf({ type, phase }: PhasesDocument): PhaseDefinition {
  const found = type.phases[phase - 1];
  // A type has at least one phase, and `onward` stops at the last.
  if (found === undefined) throw new RangeError(`${type.name} has no phase ${phase}`);
  return found;
}
