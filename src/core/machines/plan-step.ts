// A step of `plan` (S3.2, S3.8): `steps[].status` in .claude/memory/task-state.json.
//
//   pending ──start──▶ in_progress ──complete──▶ completed
//      ▲                │   │  ▲
//      └───release──────┘   │  └── retry (≤ 3, not critical) ──┐
//                           └──fail──▶ failed ────────────────┘
//                                       │ ▲
//                                       └─┘ escalate: a person is asked
//
// `release` is ours: an interrupted step would else stay in_progress with nobody at work on it.
import { msg } from "../messages.ts";
import { STAY, type Verdict, all, defineMachine } from "../machine.ts";
import { retryLimits } from "../retry.ts";
import { type FailureType, type PlanStepStatus, planStepStatuses } from "../vocabulary.ts";

export const planStepEvents = [
  "start",
  "complete",
  "fail",
  "retry",
  "escalate",
  "release",
] as const;
export type PlanStepEvent = (typeof planStepEvents)[number];

/** How often a failed step is tried again before a person is asked (S3.2). */
const maxStepRetries = retryLimits.step;

export interface PlanStepFacts {
  /** Names of steps this one waits for. */
  readonly unfinishedDependencies: readonly string[];
  /** Retries made so far. */
  readonly retries: number;
  /** How the failure was classed. */
  readonly failure: FailureType | null;
}

export type PlanStepEffect =
  | "run_step"
  | "clear_start"
  | "record_error"
  | "record_issue"
  | "write_report"
  | "ask_human";

export interface PlanStepRecord {
  readonly status: PlanStepStatus;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly error: object | string | null;
}

interface PlanStepTypes {
  name: "plan-step";
  state: PlanStepStatus;
  event: PlanStepEvent;
  facts: PlanStepFacts;
  input: object;
  effect: PlanStepEffect;
  record: PlanStepRecord;
}

// --- guards ---

const dependenciesDone = (facts: PlanStepFacts): Verdict =>
  facts.unfinishedDependencies.length === 0 ||
  msg("plan-step.waits_for", { steps: facts.unfinishedDependencies.join(", ") });
const classed = (facts: PlanStepFacts): Verdict =>
  facts.failure !== null || msg("plan-step.unclassed");

function retryLeft(facts: PlanStepFacts): Verdict {
  if (facts.failure === "critical") return msg("plan-step.critical");
  return facts.retries < maxStepRetries || msg("plan-step.no_retry_left", { max: maxStepRetries });
}

const noRetryLeft = (facts: PlanStepFacts): Verdict =>
  retryLeft(facts) !== true ||
  msg("plan-step.retry_left", { done: facts.retries, max: maxStepRetries });

// --- the table ---

export const planStepMachine = defineMachine<PlanStepTypes>({
  name: "plan-step",
  title: msg("machine.plan-step"),
  states: planStepStatuses,
  events: planStepEvents,
  initial: "pending",
  final: ["completed"],
  stateOf: (record) => record.status,
  // oxfmt-ignore
  rows: [
    { from: "pending",     on: "start",    to: "in_progress", when: dependenciesDone, effects: ["run_step"] },
    { from: "in_progress", on: "complete", to: "completed" },
    { from: "in_progress", on: "fail",     to: "failed",      when: classed, effects: ["record_error", "record_issue"] },
    { from: "in_progress", on: "release",  to: "pending",     effects: ["clear_start"] },
    { from: "failed",      on: "retry",    to: "in_progress", when: all(classed, retryLeft), effects: ["run_step"] },
    { from: "failed",      on: "escalate", to: STAY,          when: all(classed, noRetryLeft), effects: ["write_report", "ask_human"] },
  ],
  guarantees: {
    pending: [{ rule: msg("plan-step.holds.no_times"), holds: hasTimes(false, false) }],
    in_progress: [{ rule: msg("plan-step.holds.started"), holds: hasTimes(true, false) }],
    completed: [{ rule: msg("plan-step.holds.both_times"), holds: hasTimes(true, true) }],
    failed: [
      { rule: msg("plan-step.holds.started"), holds: hasTimes(true, false) },
      { rule: msg("plan-step.holds.error"), holds: (r) => r.error !== null },
    ],
  },
});

// --- what holds ---

function hasTimes(started: boolean, completed: boolean): (record: PlanStepRecord) => boolean {
  return (record) =>
    (record.startedAt !== null) === started && (record.completedAt !== null) === completed;
}
