// The Task machine (S1.1–S1.7): what a person submits, watches and approves.
//
//   draft ──submit──▶ pending ──start──▶ in_progress ──phase_passed──▶ review
//     ▲                  │                 │  ▲  │ ▲                     │
//     └─────cancel───────┘                 │  │  └─┘ next phase, rework  │
//                                          │  └── approve (phase left) ──┤
//                                          │      request_changes        │
//              fatal_error, cancel,        │                             │
//              verification_failed (4th)   ▼        approve (last phase) ▼
//                                        failed                     completed
//
// A pause is the agent's affair: the task stays in_progress (S1.7). Edit, delete, archive and retry
// keep the state and act by their effect: `failed` is final because a retry is a new task.
import { type Message, msg } from "../messages.ts";
import { STAY, type Verdict, all, defineMachine } from "../machine.ts";
import {
  type PhaseFacts,
  hasFeedback,
  noReworkLeft,
  noneLeft,
  phaseLeft,
  reviewed,
  reworkLeft,
  unreviewed,
} from "./_phase-guards.ts";
import { type TaskStatus, taskStatuses } from "../vocabulary.ts";

export const taskEvents = [
  "submit",
  "edit",
  "start",
  "phase_passed",
  "verification_failed",
  "approve",
  "request_changes",
  "pause",
  "resume",
  "cancel",
  "fatal_error",
  "retry",
  "archive",
  "delete",
] as const;
export type TaskEvent = (typeof taskEvents)[number];

/** What a person may ask for, as doors list it (S1.7). */
export const taskActions = [
  "submit",
  "edit",
  "pause",
  "resume",
  "approve",
  "request_changes",
  "retry",
  "cancel",
  "archive",
  "delete",
] as const satisfies readonly TaskEvent[];

export interface TaskFacts extends PhaseFacts {
  readonly title: string;
  readonly type: string;
  readonly description: string;
  readonly slotFree: boolean;
  /** Ids of tasks this one waits for. */
  readonly unfinishedDependencies: readonly string[];
  /** What else keeps new work from starting: a spent budget, a rate limit, a full disk. */
  readonly holdBack: Message | null;
  readonly agentPaused: boolean;
  /** Hash of the artefacts under review, as they are now. */
  readonly artefactsHash: string | null;
  readonly archived: boolean;
}

export interface TaskInput {
  /** Hash of what the approver was shown. */
  readonly hash: string;
  readonly feedback: string;
}

/** What is done to the agent (freeze, thaw, prompt, end, snapshot) is said by its own table alone:
 * `tell_agent` hands the event on to it. */
export type TaskEffect =
  | "enqueue"
  | "dequeue"
  | "make_workspace"
  | "tell_agent"
  | "create_review"
  | "pack_deliverables"
  | "keep_error_log"
  | "notify"
  | "create_retry"
  | "hide"
  | "remove";

export interface TaskRecord {
  readonly status: TaskStatus;
  readonly currentPhase: number | null;
  readonly totalPhases: number;
  readonly progress: number;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly failedAt: string | null;
}

interface TaskTypes {
  name: "task";
  state: TaskStatus;
  event: TaskEvent;
  facts: TaskFacts;
  input: TaskInput;
  effect: TaskEffect;
  record: TaskRecord;
}

// --- guards ---

function filledIn(facts: TaskFacts): Verdict {
  const missing = (["title", "type", "description"] as const).filter(
    (field) => facts[field].trim() === "",
  );
  return missing.length === 0 || msg("task.incomplete", { fields: missing.join(", ") });
}

function mayStart(facts: TaskFacts): Verdict {
  if (facts.unfinishedDependencies.length > 0) {
    return msg("task.waits_for_tasks", { ids: facts.unfinishedDependencies.join(", ") });
  }
  if (facts.holdBack) return facts.holdBack;
  return facts.slotFree || msg("task.no_slot");
}

const paused = (facts: TaskFacts): Verdict => facts.agentPaused || msg("task.not_paused");
const notPaused = (facts: TaskFacts): Verdict => !facts.agentPaused || msg("task.already_paused");
const notArchived = (facts: TaskFacts): Verdict => !facts.archived || msg("task.already_archived");

/** An approval counts only for what was shown (an agent may have written since). */
function approvesWhatWasShown(input: Partial<TaskInput>, facts: TaskFacts): Verdict {
  if (input.hash === undefined) return msg("task.needs_hash");
  return input.hash === facts.artefactsHash || msg("task.artefacts_changed");
}

const ending = ["tell_agent", "pack_deliverables", "notify"] as const;
const failing = ["tell_agent", "keep_error_log", "notify"] as const;

// --- the table ---

export const taskMachine = defineMachine<TaskTypes>({
  name: "task",
  title: msg("machine.task"),
  states: taskStatuses,
  events: taskEvents,
  initial: "draft",
  final: ["completed", "failed"],
  asked: taskActions,
  stateOf: (record) => record.status,
  // oxfmt-ignore
  rows: [
    { from: "draft",       on: "submit",              to: "pending",     when: filledIn, effects: ["enqueue"] },
    { from: "draft",       on: "edit",                to: STAY },
    { from: "draft",       on: "delete",              to: STAY,          effects: ["remove"] },
    { from: "pending",     on: "start",               to: "in_progress", when: mayStart, effects: ["make_workspace", "tell_agent"] },
    { from: "pending",     on: "cancel",              to: "draft",       effects: ["dequeue"] },
    { from: "in_progress", on: "phase_passed",        to: "review",      when: reviewed, effects: ["tell_agent", "create_review", "notify"] },
    { from: "in_progress", on: "phase_passed",        to: STAY,          when: all(unreviewed, phaseLeft), effects: ["tell_agent"] },
    { from: "in_progress", on: "phase_passed",        to: "completed",   when: all(unreviewed, noneLeft), effects: ending },
    { from: "in_progress", on: "verification_failed", to: STAY,          when: reworkLeft, effects: ["tell_agent"] },
    { from: "in_progress", on: "verification_failed", to: "failed",      when: noReworkLeft, effects: failing },
    { from: "in_progress", on: "pause",               to: STAY,          when: notPaused, effects: ["tell_agent"] },
    { from: "in_progress", on: "resume",              to: STAY,          when: paused, effects: ["tell_agent"] },
    { from: "in_progress", on: "fatal_error",         to: "failed",      effects: failing },
    { from: "in_progress", on: "cancel",              to: "failed",      effects: failing },
    { from: "review",      on: "approve",             to: "in_progress", when: phaseLeft, needs: approvesWhatWasShown, effects: ["tell_agent"] },
    { from: "review",      on: "approve",             to: "completed",   when: noneLeft, needs: approvesWhatWasShown, effects: ending },
    { from: "review",      on: "request_changes",     to: "in_progress", needs: hasFeedback, effects: ["tell_agent"] },
    { from: "review",      on: "cancel",              to: "failed",      effects: failing },
    { from: "completed",   on: "archive",             to: STAY,          when: notArchived, effects: ["hide"] },
    { from: "completed",   on: "delete",              to: STAY,          effects: ["remove"] },
    { from: "failed",      on: "retry",               to: STAY,          effects: ["create_retry"] },
    { from: "failed",      on: "delete",              to: STAY,          effects: ["remove"] },
  ],
  guarantees: {
    draft: [{ rule: msg("task.holds.not_started"), holds: notStarted }],
    pending: [{ rule: msg("task.holds.not_started"), holds: notStarted }],
    in_progress: [{ rule: msg("task.holds.in_a_phase"), holds: inAPhase }],
    review: [{ rule: msg("task.holds.in_a_phase"), holds: inAPhase }],
    completed: [
      {
        rule: msg("task.holds.completed_at"),
        holds: (r) => r.completedAt !== null && r.failedAt === null,
      },
      { rule: msg("task.holds.full_progress"), holds: (r) => r.progress === 100 },
    ],
    failed: [
      {
        rule: msg("task.holds.failed_at"),
        holds: (r) => r.failedAt !== null && r.completedAt === null,
      },
    ],
  },
});

// --- what holds ---

function notStarted(record: TaskRecord): boolean {
  return (
    record.startedAt === null &&
    record.currentPhase === null &&
    record.completedAt === null &&
    record.failedAt === null
  );
}

function inAPhase(record: TaskRecord): boolean {
  const { currentPhase, totalPhases, startedAt, completedAt, failedAt } = record;
  if (startedAt === null || completedAt !== null || failedAt !== null) return false;
  return currentPhase !== null && currentPhase >= 1 && currentPhase <= totalPhases;
}
