// What can happen in a develop run, and what it comes to. Whoever drives it, a session's report or a
// run without one, tells the same events.
import type { CheckpointEvent } from "../../core/machines/checkpoint.ts";
import type { DevelopEvent as PhaseEvent } from "../../core/machines/develop-phase.ts";
import type { Message } from "../../core/messages.ts";
import type { FailureClass } from "../../core/retry.ts";
import type { Strategy } from "../../core/vocabulary.ts";
import type { DevelopState } from "../../formats/develop-state.ts";
import type { Verdict } from "./halt.ts";
import type { Checkpoint, DevelopRun, Holder } from "./private.ts";
import type { Means } from "./strategy.ts";

/** Phases that are one piece of work each. FIX is MERGE sent back: IMPLEMENT, all passed. */
export const phaseUnits = ["DESIGN", "REVIEW", "FIX", "MERGE"] as const;
export type PhaseUnit = (typeof phaseUnits)[number];

/** Of a run without a session: the task of the phase's own piece of work, as a resume finds it. */
export interface PhaseWork {
  readonly key: string;
  readonly task: string;
  /** `finished`: it waits for a person, or for the run to take it. */
  readonly stands: "finished" | "interrupted";
}

export type DevelopEvent =
  /** A session takes a unit. */
  | { readonly on: "start"; readonly unit: string; readonly holder: Holder }
  /** The design is claimed, and its checkpoints are sound. `approved`: a person has seen it. */
  | {
      readonly on: "designed";
      readonly checkpoints: readonly Checkpoint[];
      readonly approved: boolean;
      readonly session?: string;
    }
  /** Null: nothing blocks. */
  | { readonly on: "reviewed"; readonly findings: string | null; readonly session?: string }
  /** The engine ran the checkpoint's command in its attempt `attempt`. */
  | {
      readonly on: "halted";
      readonly unit: string;
      readonly attempt: number;
      readonly verdict: Verdict;
      readonly reason: string;
      readonly session?: string;
    }
  /** Who works on it says that it can not be done so. */
  | {
      readonly on: "failed";
      readonly unit: string;
      readonly attempt: number;
      readonly failure: FailureClass;
      readonly reason: string;
      readonly session?: string;
    }
  /** FIX or MERGE was claimed, and every check of the whole passed. */
  | { readonly on: "checked"; readonly unit: "FIX" | "MERGE"; readonly session?: string }
  /** The branch is where it belongs. */
  | { readonly on: "landed" }
  /** A person's words. */
  | { readonly on: "approve" }
  | { readonly on: "send_back"; readonly feedback: string }
  | { readonly on: "retry"; readonly unit: string; readonly definition?: Checkpoint }
  | { readonly on: "skip"; readonly unit: string }
  /** A person goes on with it, here or headless (S0.9). */
  | {
      readonly on: "resume";
      readonly headless: boolean;
      readonly branch: string | null;
      readonly wish: Strategy | null;
      readonly work: PhaseWork | null;
    };

export interface Rules {
  readonly slots: number;
  readonly means: Means;
}

export interface Situation {
  readonly state: DevelopState;
  readonly run: DevelopRun;
  readonly rules: Rules;
  /** Units whose session is gone: they are free. */
  readonly lost: ReadonlySet<string>;
  /** ISO 8601. */
  readonly now: string;
}

export interface Journaled {
  readonly machine: "checkpoint" | "develop-phase";
  /** A checkpoint; "" stands for the run. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly trigger: CheckpointEvent | PhaseEvent;
  readonly metadata: Readonly<Record<string, string | number>>;
}

export type Answer =
  | { readonly kind: "ok" }
  /** Told before: nothing has changed. */
  | { readonly kind: "again" }
  /** A person decides. */
  | { readonly kind: "asks" }
  | { readonly kind: "retry"; readonly iteration: number; readonly failure: FailureClass }
  | { readonly kind: "escalated"; readonly failure: FailureClass };

export interface Accepted {
  readonly ok: true;
  /** The same object where the file stays as it is (S0.3). */
  readonly state: DevelopState;
  readonly run: DevelopRun;
  readonly journal: readonly Journaled[];
  readonly answer: Answer;
}

export interface RefusedEvent {
  readonly ok: false;
  readonly kind: "refused" | "not_found";
  readonly why: Message;
  readonly hint?: Message;
}
