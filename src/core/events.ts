// The record of a transition (S1.21): what the journal stores, `holdfast log` prints and the
// stream carries. Every taken step becomes one, also a step that keeps its state.
//
// `machine` and `entityId` are ours: the seed's example mixes a task's state with its agent's,
// and a log of nine machines would else not say whose state moved.
import type { MachineTypes, Taken } from "./machine.ts";
import type { MachineName } from "./machines/index.ts";

/** What JSON can hold, so that a record reads back as it was written. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

export interface Transition {
  /** ISO 8601. */
  readonly timestamp: string;
  readonly taskId: string;
  readonly type: "state_transition";
  readonly machine: MachineName;
  /** Whose state it is: the task's id again, or an agent's, a checkpoint's, a unit's. */
  readonly entityId: string;
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
  readonly metadata: Readonly<Record<string, Json>>;
}

export interface TransitionContext {
  readonly machine: MachineName;
  readonly taskId: string;
  readonly entityId: string;
  /** The clock's word, as ISO 8601: the core has no clock of its own. */
  readonly at: string;
  /** What set it off, where that says more than the event: the seed logs PHASE_COMPLETE. */
  readonly trigger?: string;
  readonly metadata?: Readonly<Record<string, Json>>;
}

export function transitionOf<T extends MachineTypes>(
  step: Taken<T>,
  context: TransitionContext,
): Transition {
  return {
    timestamp: context.at,
    taskId: context.taskId,
    type: "state_transition",
    machine: context.machine,
    entityId: context.entityId,
    from: step.from,
    to: step.to,
    trigger: context.trigger ?? step.row.on,
    metadata: context.metadata ?? {},
  };
}
