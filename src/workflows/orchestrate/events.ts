// What can happen in an orchestrate run, and what it comes to.
import type { Move } from "../../core/graph.ts";
import type { UnitEvent } from "../../core/machines/unit.ts";
import type { Message } from "../../core/messages.ts";
import type { ContextLevel } from "../../core/retry.ts";
import type { UnitStatus } from "../../core/vocabulary.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import type { Rules } from "./next.ts";
import type { PlanFacts } from "./plan.ts";
import type { Holder, RunData, UnitData } from "./private.ts";

export type OrchestrateEvent =
  | {
      readonly on: "start";
      readonly unit: string;
      readonly holder: Holder;
      /** Of its phase, where it is not worked on in the project's own tree (S2.6). */
      readonly worktree?: string;
    }
  | {
      readonly on: "done";
      readonly unit: string;
      readonly session: string;
      /** `gate`: the commands that a whole phase must pass were run as well. */
      readonly check: "none" | "passed";
      readonly gate: boolean;
      /** The merge of its phase; of phase 0, which is on the target already, where that stands. */
      readonly landed?: string;
    }
  /** Its work is on its phase's branch; with it the phase is to be tested and merged. */
  | {
      readonly on: "merged";
      readonly unit: string;
      readonly session: string;
      readonly commit: string;
    }
  | {
      readonly on: "fail";
      readonly unit: string;
      readonly session: string;
      readonly reason: string;
      /** With what others have merged meanwhile: it begins anew on top of that. */
      readonly conflict?: true;
    }
  /** A person opens a failed unit again. */
  | { readonly on: "retry"; readonly unit: string }
  /** A person decides about a phase: the next may begin, or what is done about failures (S2.6). */
  | {
      readonly on: "choose";
      readonly phase: number;
      readonly choice: "continue" | "fix" | "skip" | "merge" | "stop";
    }
  /**
   * What was done of a phase with failures is merged; or one that a person completed by hand has passed its
   * gate. `commit`: null where nothing is merged, since all work in the project's own tree.
   */
  | { readonly on: "landed"; readonly phase: number; readonly commit: string | null }
  /** Nothing but what is to be taken in. */
  | { readonly on: "settle" };

export interface Situation {
  readonly state: OrchestrateState;
  readonly run: RunData;
  readonly facts: PlanFacts;
  readonly rules: Rules;
  /** Of the unit the event is about, where it was begun before. */
  readonly unit: UnitData | undefined;
  /** Units in progress that nobody works on any more. */
  readonly lost: ReadonlySet<string>;
  /** ISO 8601. */
  readonly now: string;
}

export type Answer =
  | { readonly kind: "started" }
  | { readonly kind: "done"; readonly again: boolean }
  | {
      readonly kind: "retry";
      readonly retry: number;
      readonly limit: number;
      readonly context: ContextLevel;
    }
  | { readonly kind: "limited" }
  | { readonly kind: "failed"; readonly blocked: number }
  | { readonly kind: "opened" }
  | { readonly kind: "settled" };

export interface Accepted {
  readonly ok: true;
  /** The same object where nothing has changed. */
  readonly state: OrchestrateState;
  readonly run: RunData;
  /** Of the event's unit, as it is now. */
  readonly unit: UnitData | null;
  /** Units that were open again because nobody worked on them. */
  readonly released: readonly string[];
  readonly journal: readonly Journaled[];
  /** What somebody decided, rather than what followed: enough to do it again on another state. */
  readonly decided: readonly (readonly [string, UnitStatus])[];
  readonly ended: readonly number[];
  readonly allDone: boolean;
  readonly answer: Answer;
}

export interface Journaled extends Move {
  readonly trigger: UnitEvent;
  readonly metadata: Readonly<Record<string, string | number>>;
}

export interface RefusedEvent {
  readonly ok: false;
  /** `gate`: nothing is wrong yet; the phase ends with this and its commands have to run first. */
  readonly kind: "refused" | "not_found" | "gate";
  readonly why: Message;
  readonly hint?: Message;
}
