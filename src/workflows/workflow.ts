// What every workflow is: pure functions over its document (S1 and the table of SPEC's head).
//
//   start(input)  → document
//   next(document) → the steps that should be under way now
//   apply(document, outcome) → document
//
// `next` is a statement, not a command: asked twice it says the same, so after a crash the engine
// asks again and does what is missing. A step's key names it for ever: work that was begun under a
// key is found again under it. Headless the engine carries steps out; in session `holdfast next`
// prints them and `holdfast report` applies their outcomes. Nothing here knows which.
import type { Language } from "../core/messages.ts";
import type { FormatName } from "../formats/registry.ts";

export interface Deliverable {
  readonly path: string;
  readonly minCharacters: number;
  /** It has to be valid in this format; the check says everything that is wrong with it. */
  readonly format?: FormatName;
}

/** One conversation works until it claims to be done; the claim is checked by another step. */
export interface WorkStep {
  readonly kind: "work";
  readonly key: string;
  /** Steps with the same name go on in the same conversation. */
  readonly agent: string;
  /** Counted from 1. */
  readonly phase: number;
  readonly prompt: string;
  /** A prompt opens the phase; feedback sends a refused claim back. */
  readonly message: "prompt" | "feedback";
  readonly deliverables: readonly Deliverable[];
}

/** The engine looks for itself (S1.14): files, commands, then a verifier where one is named. */
export interface CheckStep {
  readonly kind: "check";
  readonly key: string;
  readonly phase: number;
  readonly deliverables: readonly Deliverable[];
  readonly commands: readonly string[];
  readonly verifier: VerifierStep | null;
}

/** Another agent, with a copy of the workspace, judges what the checks can not. */
export interface VerifierStep {
  readonly prompt: string;
  /** Null: the agent that works on the task, in a conversation of its own. */
  readonly agent: string | null;
}

/** A person looks at what was made. */
export interface ReviewStep {
  readonly kind: "review";
  readonly key: string;
  readonly phase: number;
}

export interface EndStep {
  readonly kind: "end";
  readonly key: string;
  readonly result: "completed" | "failed";
}

export type Step = WorkStep | CheckStep | ReviewStep | EndStep;

/** `key` is the step's: an outcome of a step that is no longer under way changes nothing. */
export type Outcome =
  | { readonly kind: "claimed"; readonly key: string }
  | { readonly kind: "passed"; readonly key: string }
  | { readonly kind: "refused"; readonly key: string; readonly feedback: string }
  | { readonly kind: "approved"; readonly key: string }
  | { readonly kind: "changes"; readonly key: string; readonly feedback: string };

export interface Place {
  /** Counted from 1; null before the start. */
  readonly phase: number | null;
  readonly phases: number;
  /** What the phase asks for: a step of S1.21b is one of its deliverables. */
  readonly deliverables: readonly Deliverable[];
  readonly reviewed: boolean;
  /** How often the claim of this phase was refused by a check. */
  readonly reworks: number;
}

export interface Workflow<Input, Document> {
  readonly name: string;
  start(input: Input, language: Language): Document;
  next(document: Document): readonly Step[];
  apply(document: Document, outcome: Outcome): Document;
  place(document: Document): Place;
}
