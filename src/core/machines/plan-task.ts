// A task of `plan` (S3.2, S3.3): `current_task.status` in .claude/memory/task-state.json.
//
//   pending ──start──▶ in_progress ──complete──▶ completed
//      │                │ ▲  │ ▲ │
//      │           pause▼ │  │ │ └──fail──▶ failed ──recover──▶ in_progress
//      │             paused  │ └── resume
//      └──────────────┴──────┴── cancel ──▶ cancelled
//
// Only one task is current. A paused one keeps the place, so it can be cancelled, and a pending
// one too (ours: the seed draws cancel from in_progress alone). A failed one leaves for the
// history, so recovering it needs the place to be free.
import { msg } from "../messages.ts";
import { type Verdict, all, defineMachine } from "../machine.ts";
import { type PlanTaskStatus, planTaskStatuses } from "../vocabulary.ts";

export const planTaskEvents = [
  "start",
  "complete",
  "fail",
  "recover",
  "pause",
  "resume",
  "cancel",
] as const;
export type PlanTaskEvent = (typeof planTaskEvents)[number];

export interface PlanTaskFacts {
  /** Another task that holds the one current place. */
  readonly otherCurrent: string | null;
  readonly steps: number;
  /** Steps that are not completed, by name. */
  readonly unfinishedSteps: readonly string[];
}

export type PlanTaskEffect =
  | "backup"
  | "run_steps"
  | "freeze_agents"
  | "thaw_agents"
  | "end_agents"
  | "judge_criteria"
  | "write_history"
  | "start_next";

export interface PlanTaskRecord {
  readonly status: PlanTaskStatus;
  /** Set from the beginning: the seed gives it to a pending task too. */
  readonly startedAt: string;
  readonly steps: readonly { readonly status: string }[];
}

interface PlanTaskTypes {
  name: "plan-task";
  state: PlanTaskStatus;
  event: PlanTaskEvent;
  facts: PlanTaskFacts;
  input: object;
  effect: PlanTaskEffect;
  record: PlanTaskRecord;
}

// --- guards ---

const placeFree = (facts: PlanTaskFacts): Verdict =>
  facts.otherCurrent === null || msg("plan-task.other_current", { id: facts.otherCurrent });
const hasSteps = (facts: PlanTaskFacts): Verdict => facts.steps > 0 || msg("plan-task.no_steps");
const stepsDone = (facts: PlanTaskFacts): Verdict =>
  facts.unfinishedSteps.length === 0 ||
  msg("plan-task.steps_left", { steps: facts.unfinishedSteps.join(", ") });

// A backup comes before a task starts and before it ends (S3.5); the place is free after an end.
const ending = ["end_agents", "backup", "judge_criteria", "write_history", "start_next"] as const;

// --- the table ---

export const planTaskMachine = defineMachine<PlanTaskTypes>({
  name: "plan-task",
  title: msg("machine.plan-task"),
  states: planTaskStatuses,
  events: planTaskEvents,
  initial: "pending",
  final: ["completed", "cancelled"],
  stateOf: (record) => record.status,
  // oxfmt-ignore
  rows: [
    { from: "pending",                            on: "start",    to: "in_progress", when: placeFree, effects: ["backup", "run_steps"] },
    { from: "in_progress",                        on: "complete", to: "completed",   when: all(hasSteps, stepsDone), effects: ending },
    { from: "in_progress",                        on: "fail",     to: "failed",      effects: ending },
    { from: "failed",                             on: "recover",  to: "in_progress", when: placeFree, effects: ["backup", "run_steps"] },
    { from: "in_progress",                        on: "pause",    to: "paused",      effects: ["freeze_agents"] },
    { from: "paused",                             on: "resume",   to: "in_progress", effects: ["thaw_agents", "run_steps"] },
    { from: ["pending", "in_progress", "paused"], on: "cancel",   to: "cancelled",   effects: ["end_agents", "backup", "write_history", "start_next"] },
  ],
  guarantees: {
    pending: [{ rule: msg("plan-task.holds.none_begun"), holds: everyStep("pending") }],
    in_progress: [],
    completed: [{ rule: msg("plan-task.holds.all_completed"), holds: everyStep("completed") }],
    failed: [],
    paused: [],
    cancelled: [],
  },
});

// --- what holds ---

function everyStep(status: string): (record: PlanTaskRecord) => boolean {
  return (record) => record.steps.every((step) => step.status === status);
}
