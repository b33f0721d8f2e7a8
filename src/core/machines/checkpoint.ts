// A checkpoint of `develop` (S0.2, S0.5): one RALPH loop of at most three attempts.
//
//                              fail (attempt left) ┌─┐
//                                                  │ ▼
//   pending ──begin──▶ in_progress ──pass──▶ passed ◀──skip (a person)──┐
//                        ▲    │                                         │
//                        │    └──fail (3rd, or not for a retry)──▶ escalated
//                        └────────────── retry (a person) ──────────────┘
//
// Halt runs the validation command itself: an agent's word never passes a checkpoint (S0.5).
import { msg } from "../messages.ts";
import { STAY, type Verdict, all, defineMachine } from "../machine.ts";
import { byPerson } from "./_person.ts";
import { type FailureClass, attemptLimits, failureClasses } from "../retry.ts";
import { type CheckpointStatus, checkpointStatuses } from "../vocabulary.ts";

export const checkpointEvents = ["begin", "pass", "fail", "retry", "skip"] as const;
export type CheckpointEvent = (typeof checkpointEvents)[number];

/** Attempts of one RALPH loop; then a person is asked (S0.5). */
const maxIterations = attemptLimits.checkpoint;

export interface CheckpointFacts {
  /** Ids of checkpoints this one waits for. */
  readonly unpassedDependencies: readonly string[];
  /** The attempt it is in, from 1. */
  readonly iteration: number;
  /** What came of the engine's own run of the validation command. */
  readonly validation: "not_run" | "matched" | "differed";
  /** How the failure was classed. */
  readonly failure: FailureClass | null;
  readonly byPerson: boolean;
}

export type CheckpointEffect =
  | "start_attempt"
  | "widen_context"
  | "diagnose"
  | "ask_human"
  | "note_skip";

export interface CheckpointRecord {
  readonly status: CheckpointStatus;
  readonly iteration: number;
}

interface CheckpointTypes {
  name: "checkpoint";
  state: CheckpointStatus;
  event: CheckpointEvent;
  facts: CheckpointFacts;
  input: object;
  effect: CheckpointEffect;
  record: CheckpointRecord;
}

// --- guards ---

const dependenciesPassed = (facts: CheckpointFacts): Verdict =>
  facts.unpassedDependencies.length === 0 ||
  msg("checkpoint.waits_for", { ids: facts.unpassedDependencies.join(", ") });

function matched(facts: CheckpointFacts): Verdict {
  if (facts.validation === "not_run") return msg("checkpoint.not_validated");
  return facts.validation === "matched" || msg("checkpoint.differed");
}

function failed(facts: CheckpointFacts): Verdict {
  if (facts.validation === "matched") return msg("checkpoint.has_matched");
  return facts.failure !== null || msg("checkpoint.unclassified");
}

function escalates(facts: CheckpointFacts): Verdict {
  if (facts.iteration >= maxIterations) return true;
  return (
    (facts.failure !== null && failureClasses[facts.failure].action === "escalate") ||
    msg("checkpoint.attempt_left", { iteration: facts.iteration, max: maxIterations })
  );
}

/** Another attempt follows this one. */
const retriesAfter =
  (iteration: number) =>
  (facts: CheckpointFacts): Verdict =>
    (escalates(facts) !== true && facts.iteration === iteration) ||
    msg("checkpoint.other_attempt", { iteration: facts.iteration, max: maxIterations });

// --- the table ---

// The iteration counts with `start_attempt`: begin and retry set it to 1, fail adds one.
export const checkpointMachine = defineMachine<CheckpointTypes>({
  name: "checkpoint",
  title: msg("machine.checkpoint"),
  states: checkpointStatuses,
  events: checkpointEvents,
  initial: "pending",
  final: ["passed"],
  stateOf: (record) => record.status,
  // oxfmt-ignore
  rows: [
    { from: "pending",     on: "begin", to: "in_progress", when: dependenciesPassed, effects: ["start_attempt"] },
    { from: "in_progress", on: "pass",  to: "passed",      when: matched },
    { from: "in_progress", on: "fail",  to: STAY,          when: all(failed, retriesAfter(1)), effects: ["widen_context", "start_attempt"] },
    { from: "in_progress", on: "fail",  to: STAY,          when: all(failed, retriesAfter(2)), effects: ["diagnose", "start_attempt"] },
    { from: "in_progress", on: "fail",  to: "escalated",   when: all(failed, escalates), effects: ["ask_human"] },
    { from: "escalated",   on: "retry", to: "in_progress", when: byPerson, effects: ["start_attempt"] },
    { from: "escalated",   on: "skip",  to: "passed",      when: byPerson, effects: ["note_skip"] },
  ],
  guarantees: {
    pending: [{ rule: msg("checkpoint.holds.not_begun"), holds: (r) => r.iteration === 0 }],
    in_progress: [{ rule: msg("checkpoint.holds.attempt"), holds: inAnAttempt }],
    passed: [{ rule: msg("checkpoint.holds.attempt"), holds: inAnAttempt }],
    escalated: [{ rule: msg("checkpoint.holds.attempt"), holds: inAnAttempt }],
  },
});

// --- what holds ---

function inAnAttempt(record: CheckpointRecord): boolean {
  return [1, 2, 3].includes(record.iteration);
}
