// What can happen to a plan, and what it comes to.
import type { Language, Message } from "../../core/messages.ts";
import type { FailureType } from "../../core/vocabulary.ts";
import type { SharedContext } from "../../formats/shared-context.ts";
import type { TaskHistory } from "../../formats/task-history.ts";
import type { PlanTask, TaskState } from "../../formats/task-state.ts";
import type { Holder } from "../orchestrate/private.ts";
import type { PlanRun } from "./run.ts";

export type Decision = "retry" | "replan" | "fail";

/** `tokens`: what it cost, where that is known. */
export type PlanEvent = Happened & { readonly tokens?: number | undefined };

type Happened =
  | {
      readonly on: "begin";
      readonly goal: string;
      readonly queue: boolean;
      readonly review: boolean;
      readonly driver: PlanRun["driver"];
      /** Ids that were given before and no file names any more. */
      readonly taken: readonly string[];
    }
  /** An agent's answer to what the stage asks for: steps, verdict or lessons. */
  | {
      readonly on: "answer";
      readonly stage: AnswerStage;
      readonly text: string;
      /** Undefined: an agent of ours, which does nothing else in the plan. */
      readonly session?: string | undefined;
    }
  /** No answer came: the agent gave up. */
  | { readonly on: "no_answer"; readonly stage: AnswerStage; readonly reason: string }
  | { readonly on: "approve" }
  /** A person's own steps in the place of those that are not finished. */
  | { readonly on: "edit"; readonly text: string }
  | { readonly on: "start"; readonly step: number; readonly holder: Holder }
  | {
      readonly on: "done";
      readonly step: number;
      readonly session: string;
      readonly output: string;
    }
  | {
      readonly on: "fail";
      readonly step: number;
      readonly session: string;
      readonly type: FailureType;
      readonly message: string;
    }
  /** Its agent was ended by a person: the step is open again, and the plan waits. */
  | { readonly on: "stopped"; readonly step: number; readonly session: string }
  | {
      readonly on: "decide";
      readonly decision: Decision;
      readonly step: number | null;
      readonly because: string;
    }
  | { readonly on: "pause" }
  /** `driver`: who works on it from now on, where that changes. */
  | { readonly on: "resume"; readonly driver?: PlanRun["driver"] | undefined }
  /** Null: the current one. */
  | { readonly on: "cancel"; readonly plan: string | null }
  /** A failed one is taken up again (S3.2): `run` is how it ended. */
  | { readonly on: "recover"; readonly run: PlanRun }
  /** Nothing but what is to be taken in. */
  | { readonly on: "settle" };

export type AnswerStage = "plan" | "judge" | "close";

/** All that a plan's steps change together. */
export interface PlanWorld {
  readonly state: TaskState;
  readonly history: TaskHistory;
  readonly context: SharedContext;
  /** By the plan's id: the current one, and those that wait. */
  readonly runs: ReadonlyMap<string, PlanRun>;
}

export interface Situation extends PlanWorld {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly language: Language;
  /** Steps in progress that nobody works on any more. */
  readonly lost: ReadonlySet<number>;
}

export interface Journaled {
  readonly machine: "plan-task" | "plan-step";
  readonly plan: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
  readonly metadata: Readonly<Record<string, string | number>>;
}

export type PlanReply =
  | { readonly kind: "begun"; readonly plan: string; readonly queued: number }
  | { readonly kind: "taken" }
  /** Told before: nothing has changed. */
  | { readonly kind: "again" }
  | { readonly kind: "complaint"; readonly complaint: string; readonly left: number }
  | { readonly kind: "retry"; readonly retry: number; readonly notBefore: number | null }
  | { readonly kind: "replan" }
  | { readonly kind: "asks"; readonly report: string };

export interface PlanAccepted extends PlanWorld {
  readonly ok: true;
  readonly reply: PlanReply;
  readonly journal: readonly Journaled[];
  /** Plans that ended with this, as they were. */
  readonly ended: readonly { readonly task: PlanTask; readonly run: PlanRun }[];
  /** What the user should hear: what was pruned, put right, started. */
  readonly told: readonly Message[];
}

export interface PlanRefused {
  readonly ok: false;
  readonly kind: "refused" | "not_found";
  readonly why: Message;
  readonly hint?: Message;
}
