// The Agent machine (S1.9): one conversation in a role, and the process that holds it.
//
//                    ┌──ask──────────────▶ waiting_question ───answer──────────┐
//                    ├──request_dependency▶ waiting_dependency ─provide────────┤
//   idle ──assign──▶ running ──claim_phase──▶ waiting_review ──approve─────────┤
//                    ▲ │ │ ▲                 │ │    request_changes,           │
//                    │ │ │ └─────────────────┼─┼──── verification_failed ──────┤
//     resume, unpark │ │ │ pause, park       │ │ approve (last phase)          │
//     (no hold left) │ │ ▼                   │ ▼                               │
//                   paused ◀─── a hold was remembered while it waited ─────────┘
//                      │                     │ completed
//                      ▼ cancel, fatal_error, exited, verification_failed (4th)
//                    failed ◀────────────────┘
//
// A hold is a reason to stand still: a person's pause, a rate limit (S1.18), a spent budget, a
// full disk. Several may be on at once, and the agent goes on only when the last one is gone. One
// that comes while the agent waits is remembered and takes effect after the wait (S1.9).
//
// A phase that asks for no review never leaves `running` while it is checked (S1.4b). What an
// agent said before it was frozen, and the outcome of a check, wait unread until it is thawed.
//
// A verifier (S1.14) is an agent too: assigned while its task is at work, completed by its verdict.
import { msg } from "../messages.ts";
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
import {
  type Hold,
  type HoldFacts,
  free,
  held,
  isParked,
  isPaused,
  named,
  notParkedYet,
  notPausedYet,
  parkedAndMore,
  parkedOnly,
  pausedAndMore,
  pausedOnly,
} from "./_holds.ts";
import { validValue } from "./_dependency-value.ts";
import {
  type AgentStatus,
  type DependencyType,
  type TaskStatus,
  agentStatuses,
} from "../vocabulary.ts";

export const agentEvents = [
  "assign",
  "request_dependency",
  "provide",
  "ask",
  "answer",
  "claim_phase",
  "phase_passed",
  "verification_failed",
  "verdict",
  "approve",
  "request_changes",
  "pause",
  "resume",
  "park",
  "unpark",
  "exited",
  "fatal_error",
  "cancel",
] as const;
export type AgentEvent = (typeof agentEvents)[number];

export interface AgentFacts extends PhaseFacts, HoldFacts {
  readonly taskStatus: TaskStatus;
  /** Was what it asks for provided or answered before? */
  readonly dependencyProvided: boolean;
  readonly questionAnswered: boolean;
  /** The type of the dependency it waits for. */
  readonly dependencyType: DependencyType | null;
  /** Declared deliverables of the phase that are not there. */
  readonly missingDeliverables: readonly string[];
  /** Has the claimed phase been verified, so that a person has a review to decide on? */
  readonly reviewOpen: boolean;
  /** How often it may still be resumed after ending without a claim (S1.14). */
  readonly attemptsLeft: number;
  /** Does it judge the claim of another agent? */
  readonly verifies: boolean;
}

export interface AgentInput {
  /** The dependency's value; a package is also confirmed by a person (S1.15). */
  readonly value: string;
  readonly confirmed: boolean;
  readonly answer: string;
  readonly feedback: string;
}

export type AgentEffect =
  | "start_agent"
  | "send_prompt"
  | "send_answer"
  | "send_feedback"
  | "inject_value"
  | "freeze_agent"
  | "thaw_agent"
  | "end_agent"
  | "resume_session"
  | "remember_hold"
  | "forget_hold"
  | "snapshot"
  | "show_dependency"
  | "show_question"
  | "verify"
  | "clean_up";

/** The seed's metadata; `holds` and `cost` are ours. `checkpoint` is its word for a snapshot. */
export interface AgentRecord {
  readonly status: AgentStatus;
  readonly currentPhase: number | null;
  readonly currentStep: string | null;
  readonly progress: number;
  readonly tokensUsed: number;
  readonly cost: number;
  readonly blockedBy: "dependency" | "question" | "review" | null;
  readonly holds: readonly Hold[];
  readonly lastUpdate: string;
  readonly checkpoint: { readonly lastSaved: string | null; readonly autoSaveInterval: number };
}

interface AgentTypes {
  name: "agent";
  state: AgentStatus;
  event: AgentEvent;
  facts: AgentFacts;
  input: AgentInput;
  effect: AgentEffect;
  record: AgentRecord;
}

// --- guards ---

function assignable({ taskStatus: status, verifies }: AgentFacts): Verdict {
  if (verifies) return status === "in_progress" || msg("agent.nothing_to_verify", { status });
  return status === "pending" || msg("agent.task_not_pending", { status });
}
const verifies = (facts: AgentFacts): Verdict => facts.verifies || msg("agent.not_a_verifier");
const notProvided = (facts: AgentFacts): Verdict =>
  !facts.dependencyProvided || msg("agent.already_provided");
const notAnswered = (facts: AgentFacts): Verdict =>
  !facts.questionAnswered || msg("agent.already_answered");

/** Under review a person is shown the deliverables, so they must be there (seed 001). */
const showable = (facts: AgentFacts): Verdict =>
  !facts.reviewAsked ||
  facts.missingDeliverables.length === 0 ||
  msg("agent.deliverables_missing", { files: facts.missingDeliverables.join(", ") });
/** Its claim left it running: no review is asked, or the claim was refused by `showable`. */
const claimedInPlace = (facts: AgentFacts): Verdict =>
  showable(facts) !== true || unreviewed(facts);
const reviewOpen = (facts: AgentFacts): Verdict => facts.reviewOpen || msg("agent.no_review_yet");
const reviewNotOpen = (facts: AgentFacts): Verdict =>
  !facts.reviewOpen || msg("agent.review_is_open");

const attemptLeft = (facts: AgentFacts): Verdict =>
  facts.attemptsLeft > 0 || msg("agent.no_attempt_left");
const noAttemptLeft = (facts: AgentFacts): Verdict =>
  facts.attemptsLeft <= 0 || msg("agent.attempts_left", { left: facts.attemptsLeft });

const hasAnswer = (input: Partial<AgentInput>): Verdict =>
  (input.answer ?? "").trim() !== "" || msg("agent.needs_answer");
const hasValidValue = (input: Partial<AgentInput>, facts: AgentFacts): Verdict =>
  validValue(facts.dependencyType, input);

const waiting = ["waiting_dependency", "waiting_question", "waiting_review"] as const;
const ending = ["end_agent", "snapshot", "clean_up"] as const;
const failing = ["end_agent", "snapshot"] as const;

// --- the table ---

// Where a row ends in `paused`, what was sent lies in the agent's input until it is thawed. A
// value reaches a process that can not be given one by a new process in its place (S1.15).
export const agentMachine = defineMachine<AgentTypes>({
  name: "agent",
  title: msg("machine.agent"),
  states: agentStatuses,
  events: agentEvents,
  initial: "idle",
  final: ["completed", "failed"],
  stateOf: (record) => record.status,
  // oxfmt-ignore
  rows: [
    { from: "idle",                 on: "assign",              to: "running",            when: assignable,  effects: ["start_agent", "send_prompt"] },
    { from: "running",              on: "request_dependency",  to: "waiting_dependency", when: notProvided, effects: ["freeze_agent", "snapshot", "show_dependency"] },
    { from: "waiting_dependency",   on: "provide",             to: "running",            when: free, needs: hasValidValue, effects: ["inject_value", "thaw_agent"] },
    { from: "waiting_dependency",   on: "provide",             to: "paused",             when: held, needs: hasValidValue, effects: ["inject_value"] },
    { from: "running",              on: "ask",                 to: "waiting_question",   when: notAnswered, effects: ["freeze_agent", "snapshot", "show_question"] },
    { from: "waiting_question",     on: "answer",              to: "running",            when: free, needs: hasAnswer, effects: ["send_answer", "thaw_agent"] },
    { from: "waiting_question",     on: "answer",              to: "paused",             when: held, needs: hasAnswer, effects: ["send_answer"] },
    { from: "running",              on: "claim_phase",         to: "waiting_review",     when: all(showable, reviewed), effects: ["freeze_agent", "snapshot", "verify"] },
    { from: "running",              on: "claim_phase",         to: STAY,                 when: all(showable, unreviewed), effects: ["verify"] },
    { from: "running",              on: "phase_passed",        to: STAY,                 when: all(unreviewed, phaseLeft), effects: ["snapshot", "send_prompt"] },
    { from: "running",              on: "phase_passed",        to: "completed",          when: all(unreviewed, noneLeft), effects: ending },
    { from: "waiting_review",       on: "phase_passed",        to: STAY,                 when: reviewNotOpen },
    { from: "running",              on: "verdict",             to: "completed",          when: verifies, effects: ["end_agent", "clean_up"] },
    { from: "running",              on: "verification_failed", to: STAY,                 when: all(claimedInPlace, reworkLeft), effects: ["send_feedback"] },
    { from: "running",              on: "verification_failed", to: "failed",             when: all(claimedInPlace, noReworkLeft), effects: failing },
    { from: "waiting_review",       on: "verification_failed", to: "running",            when: all(reviewNotOpen, reworkLeft, free), effects: ["send_feedback", "thaw_agent"] },
    { from: "waiting_review",       on: "verification_failed", to: "paused",             when: all(reviewNotOpen, reworkLeft, held), effects: ["send_feedback"] },
    { from: "waiting_review",       on: "verification_failed", to: "failed",             when: all(reviewNotOpen, noReworkLeft), effects: failing },
    { from: "waiting_review",       on: "approve",             to: "running",            when: all(reviewOpen, phaseLeft, free), effects: ["send_prompt", "thaw_agent"] },
    { from: "waiting_review",       on: "approve",             to: "paused",             when: all(reviewOpen, phaseLeft, held), effects: ["send_prompt"] },
    { from: "waiting_review",       on: "approve",             to: "completed",          when: all(reviewOpen, noneLeft), effects: ending },
    { from: "waiting_review",       on: "request_changes",     to: "running",            when: all(reviewOpen, free), needs: hasFeedback, effects: ["send_feedback", "thaw_agent"] },
    { from: "waiting_review",       on: "request_changes",     to: "paused",             when: all(reviewOpen, held), needs: hasFeedback, effects: ["send_feedback"] },
    { from: "running",              on: "pause",               to: "paused",             effects: ["remember_hold", "freeze_agent", "snapshot"] },
    { from: ["paused", ...waiting], on: "pause",               to: STAY,                 when: notPausedYet, effects: ["remember_hold"] },
    { from: "paused",               on: "resume",              to: "running",            when: pausedOnly, effects: ["forget_hold", "thaw_agent"] },
    { from: "paused",               on: "resume",              to: STAY,                 when: pausedAndMore, effects: ["forget_hold"] },
    { from: waiting,                on: "resume",              to: STAY,                 when: isPaused, effects: ["forget_hold"] },
    { from: "running",              on: "park",                to: "paused",             when: named, effects: ["remember_hold", "freeze_agent", "snapshot"] },
    { from: ["paused", ...waiting], on: "park",                to: STAY,                 when: notParkedYet, effects: ["remember_hold"] },
    { from: "paused",               on: "unpark",              to: "running",            when: parkedOnly, effects: ["forget_hold", "thaw_agent"] },
    { from: "paused",               on: "unpark",              to: STAY,                 when: parkedAndMore, effects: ["forget_hold"] },
    { from: waiting,                on: "unpark",              to: STAY,                 when: isParked, effects: ["forget_hold"] },
    { from: "running",              on: "exited",              to: STAY,                 when: attemptLeft, effects: ["resume_session"] },
    { from: "running",              on: "exited",              to: "failed",             when: noAttemptLeft, effects: failing },
    { from: "running",              on: "fatal_error",         to: "failed",             effects: failing },
    { from: ["running", "paused", ...waiting], on: "cancel",   to: "failed",             effects: failing },
  ],
  guarantees: {
    idle: [
      { rule: msg("agent.holds.not_begun"), holds: notBegun },
      { rule: msg("agent.holds.nothing_stops_it"), holds: nothingStopsIt },
    ],
    running: [
      { rule: msg("agent.holds.in_a_phase"), holds: inAPhase },
      { rule: msg("agent.holds.nothing_stops_it"), holds: nothingStopsIt },
    ],
    paused: [
      { rule: msg("agent.holds.in_a_phase"), holds: inAPhase },
      { rule: msg("agent.holds.blocked_by_nothing"), holds: blockedBy(null) },
      { rule: msg("agent.holds.held"), holds: (r) => r.holds.length > 0 },
    ],
    waiting_dependency: waitsFor("dependency"),
    waiting_question: waitsFor("question"),
    waiting_review: waitsFor("review"),
    completed: [
      { rule: msg("agent.holds.nothing_stops_it"), holds: nothingStopsIt },
      { rule: msg("task.holds.full_progress"), holds: (r) => r.progress === 100 },
    ],
    failed: [{ rule: msg("agent.holds.nothing_stops_it"), holds: nothingStopsIt }],
  },
});

// --- what holds ---

function notBegun(record: AgentRecord): boolean {
  const { currentPhase, currentStep, progress, tokensUsed } = record;
  return currentPhase === null && currentStep === null && progress === 0 && tokensUsed === 0;
}

function inAPhase(record: AgentRecord): boolean {
  return record.currentPhase !== null && record.currentPhase >= 1;
}

function nothingStopsIt(record: AgentRecord): boolean {
  return record.blockedBy === null && record.holds.length === 0;
}

function blockedBy(what: AgentRecord["blockedBy"]): (record: AgentRecord) => boolean {
  return (record) => record.blockedBy === what;
}

function waitsFor(what: "dependency" | "question" | "review") {
  return [
    { rule: msg("agent.holds.in_a_phase"), holds: inAPhase },
    { rule: msg("agent.holds.blocked_by", { what }), holds: blockedBy(what) },
  ];
}
