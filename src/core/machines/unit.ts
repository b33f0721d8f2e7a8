// A unit of `orchestrate` (S2.2, S2.5, S2.8, S2.11): one task of TASKS.md, in one of six lists.
//
//              block
//   blocked ◀─────────┐        release (its worker is gone)
//      │              │      ┌─────────────────────┐
//      └──unblock──▶ pending │                     │   ┌─┐ attempt_failed (retry left), limited
//                       │    ▼                     │   │ ▼
//       dependencies_met└──▶ ready ──start──▶ in_progress ──complete──▶ completed
//                            ▲                     │                      ▲
//                            │ retry (a person)    ▼ attempt_failed       │ hand_complete
//                            └────────────────── failed ──────────────────┘ (a person)
//
// A failure blocks what depends on it, and what depends on that (S2.2). A rate limit is not an
// attempt (S2.5).
import { msg } from "../messages.ts";
import { STAY, type Verdict, all, defineMachine } from "../machine.ts";
import { byPerson } from "./_person.ts";
import { type UnitStatus, unitStatuses } from "../vocabulary.ts";

export const unitEvents = [
  "dependencies_met",
  "start",
  "complete",
  "attempt_failed",
  "limited",
  "release",
  "block",
  "unblock",
  "hand_complete",
  "retry",
] as const;
export type UnitEvent = (typeof unitEvents)[number];

/** The same error this often in a row ends the retries early (S2.5). */
export const sameErrorLimit = 3;

export interface UnitFacts {
  /** Ids of what it depends on that is not completed. */
  readonly unfinishedDependencies: readonly string[];
  /** Of these, the failed and the blocked. */
  readonly deadDependencies: readonly string[];
  readonly slotFree: boolean;
  /** The session that holds a valid claim on it, if another one does. */
  readonly claimedBy: string | null;
  /** Does its agent live, or its lease run? */
  readonly stillWorkedOn: boolean;
  /** `none` where the unit names no check. */
  readonly check: "none" | "not_run" | "passed" | "failed";
  /** Retries made so far. */
  readonly retries: number;
  readonly retryLimit: number;
  /** How often the error just seen came in a row, this time included. */
  readonly sameErrors: number;
  readonly byPerson: boolean;
}

export type UnitEffect =
  | "claim"
  | "drop_claim"
  | "start_attempt"
  | "wait_for_reset"
  | "wake_dependents"
  | "block_dependents"
  | "forget_attempts"
  | "notify";

export interface UnitRecord {
  readonly status: UnitStatus;
  /** The status of each unit it depends on. */
  readonly dependencies: Readonly<Record<string, UnitStatus>>;
  /** Whose session works on it. A file that another program wrote knows no claims. */
  readonly claim: string | null;
}

interface UnitTypes {
  name: "unit";
  state: UnitStatus;
  event: UnitEvent;
  facts: UnitFacts;
  input: object;
  effect: UnitEffect;
  record: UnitRecord;
}

// --- guards ---

const dependenciesMet = (facts: UnitFacts): Verdict =>
  facts.unfinishedDependencies.length === 0 ||
  msg("unit.waits_for", { ids: facts.unfinishedDependencies.join(", ") });
const dependencyDead = (facts: UnitFacts): Verdict =>
  facts.deadDependencies.length > 0 || msg("unit.no_dead_dependency");
const noDependencyDead = (facts: UnitFacts): Verdict =>
  facts.deadDependencies.length === 0 ||
  msg("unit.blocked_by", { ids: facts.deadDependencies.join(", ") });
const slotFree = (facts: UnitFacts): Verdict => facts.slotFree || msg("unit.no_slot");
const unclaimed = (facts: UnitFacts): Verdict =>
  facts.claimedBy === null || msg("unit.claimed", { session: facts.claimedBy });
const abandoned = (facts: UnitFacts): Verdict =>
  !facts.stillWorkedOn || msg("unit.still_worked_on");

function checked(facts: UnitFacts): Verdict {
  if (facts.check === "not_run") return msg("unit.not_checked");
  return facts.check !== "failed" || msg("unit.check_failed");
}

function retryLeft(facts: UnitFacts): Verdict {
  if (facts.sameErrors >= sameErrorLimit) return msg("unit.same_error", { times: sameErrorLimit });
  return facts.retries < facts.retryLimit || msg("unit.no_retry_left", { limit: facts.retryLimit });
}

const noRetryLeft = (facts: UnitFacts): Verdict =>
  retryLeft(facts) !== true ||
  msg("unit.retry_left", { done: facts.retries, limit: facts.retryLimit });

// --- the table ---

export const unitMachine = defineMachine<UnitTypes>({
  name: "unit",
  title: msg("machine.unit"),
  states: unitStatuses,
  events: unitEvents,
  initial: "pending",
  final: ["completed"],
  stateOf: (record) => record.status,
  // oxfmt-ignore
  rows: [
    { from: "pending",     on: "dependencies_met", to: "ready",       when: dependenciesMet },
    { from: "pending",     on: "block",            to: "blocked",     when: dependencyDead },
    { from: "blocked",     on: "unblock",          to: "pending",     when: noDependencyDead },
    { from: "ready",       on: "start",            to: "in_progress", when: all(unclaimed, slotFree), effects: ["claim", "start_attempt"] },
    { from: "in_progress", on: "complete",         to: "completed",   when: checked, effects: ["drop_claim", "wake_dependents"] },
    { from: "in_progress", on: "attempt_failed",   to: STAY,          when: retryLeft, effects: ["start_attempt"] },
    { from: "in_progress", on: "attempt_failed",   to: "failed",      when: noRetryLeft, effects: ["drop_claim", "block_dependents", "notify"] },
    { from: "in_progress", on: "limited",          to: STAY,          effects: ["wait_for_reset"] },
    { from: "in_progress", on: "release",          to: "ready",       when: abandoned, effects: ["drop_claim"] },
    { from: "failed",      on: "hand_complete",    to: "completed",   when: byPerson, effects: ["wake_dependents"] },
    { from: "failed",      on: "retry",            to: "ready",       when: byPerson, effects: ["forget_attempts", "wake_dependents"] },
  ],
  // Of `pending`, `completed` and `blocked` nothing is said about what they depend on: a person
  // may have checked a box, or have completed a failed unit by hand, and the lists follow (S2.8).
  guarantees: {
    pending: [{ rule: msg("unit.holds.unclaimed"), holds: isUnclaimed }],
    ready: [
      { rule: msg("unit.holds.dependencies"), holds: dependenciesCompleted },
      { rule: msg("unit.holds.unclaimed"), holds: isUnclaimed },
    ],
    in_progress: [{ rule: msg("unit.holds.dependencies"), holds: dependenciesCompleted }],
    completed: [{ rule: msg("unit.holds.unclaimed"), holds: isUnclaimed }],
    failed: [{ rule: msg("unit.holds.unclaimed"), holds: isUnclaimed }],
    blocked: [{ rule: msg("unit.holds.unclaimed"), holds: isUnclaimed }],
  },
});

// --- what holds ---

function dependenciesCompleted(record: UnitRecord): boolean {
  return Object.values(record.dependencies).every((status) => status === "completed");
}

function isUnclaimed(record: UnitRecord): boolean {
  return record.claim === null;
}
