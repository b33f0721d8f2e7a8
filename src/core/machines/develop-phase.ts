// The phases of `develop` (S0.1, S0.3, S0.7, S0.9): `phase` in .develop-workflow/state.yaml.
//
//   DESIGN ──approve_design──▶ REVIEW ──pass_review──▶ IMPLEMENT ──finish_checkpoints──▶ MERGE
//     ▲                          │                         ▲                             │  │
//     └── send_back (≤ twice) ───┘                         └── send_back (a person) ─────┘  │
//                                                                                     merge ▼
//                                                                                        DONE
//
// A person approves twice: the design, and the merge (S0.7). Between them only checks decide.
import { msg } from "../messages.ts";
import { STAY, type Verdict, all, defineMachine } from "../machine.ts";
import type { CheckpointRecord } from "./checkpoint.ts";
import { byPerson } from "./_person.ts";
import { type DevelopPhase, type Strategy, developPhases } from "../vocabulary.ts";

export const developEvents = [
  "approve_design",
  "pass_review",
  "send_back",
  "finish_checkpoints",
  "merge",
  "resume",
] as const;
export type DevelopEvent = (typeof developEvents)[number];

/** How often REVIEW may send the design back (S0.7). */
export const maxReviewRounds = 2;

export interface DevelopFacts {
  /** How many checkpoints the design defines (S0.4). */
  readonly checkpointsDefined: number;
  readonly designApproved: boolean;
  readonly blockingFindings: number;
  /** Given or chosen by S0.6. */
  readonly strategy: Strategy | null;
  /** How often REVIEW has sent it back already. */
  readonly rounds: number;
  readonly byPerson: boolean;
  readonly unpassedCheckpoints: readonly string[];
  readonly mergeApproved: boolean;
  /** Final checks that fail: a command, a conflict. */
  readonly failingChecks: readonly string[];
}

export type DevelopEffect =
  | "restart_phase"
  | "continue_checkpoints"
  | "count_round"
  | "start_phase"
  | "write_checkpoints"
  | "write_strategy"
  | "notify";

export interface DevelopRecord {
  readonly phase: DevelopPhase;
  readonly strategy: Strategy | null;
  readonly checkpoints: Readonly<Record<string, CheckpointRecord>>;
}

interface DevelopTypes {
  name: "develop-phase";
  state: DevelopPhase;
  event: DevelopEvent;
  facts: DevelopFacts;
  input: object;
  effect: DevelopEffect;
  record: DevelopRecord;
}

// --- guards ---

const defined = (facts: DevelopFacts): Verdict =>
  facts.checkpointsDefined > 0 || msg("develop.no_checkpoints");
const designApproved = (facts: DevelopFacts): Verdict =>
  facts.designApproved || msg("develop.design_unapproved");
const nothingBlocks = (facts: DevelopFacts): Verdict =>
  facts.blockingFindings === 0 || msg("develop.findings", { count: facts.blockingFindings });
const strategyChosen = (facts: DevelopFacts): Verdict =>
  facts.strategy !== null || msg("develop.no_strategy");
const roundLeft = (facts: DevelopFacts): Verdict =>
  facts.rounds < maxReviewRounds || msg("develop.no_round_left", { max: maxReviewRounds });
const allPassed = (facts: DevelopFacts): Verdict =>
  facts.unpassedCheckpoints.length === 0 ||
  msg("develop.checkpoints_left", { ids: facts.unpassedCheckpoints.join(", ") });
const checksPass = (facts: DevelopFacts): Verdict =>
  facts.failingChecks.length === 0 ||
  msg("develop.checks_fail", { checks: facts.failingChecks.join(", ") });
const mergeApproved = (facts: DevelopFacts): Verdict =>
  facts.mergeApproved || msg("develop.merge_unapproved");

// --- the table ---

export const developPhaseMachine = defineMachine<DevelopTypes>({
  name: "develop-phase",
  title: msg("machine.develop-phase"),
  states: developPhases,
  events: developEvents,
  initial: "DESIGN",
  final: ["DONE"],
  stateOf: (record) => record.phase,
  // oxfmt-ignore
  rows: [
    { from: "DESIGN",                      on: "approve_design",     to: "REVIEW",    when: all(defined, designApproved), effects: ["write_checkpoints", "start_phase"] },
    { from: "REVIEW",                      on: "pass_review",        to: "IMPLEMENT", when: all(nothingBlocks, strategyChosen), effects: ["write_strategy", "start_phase"] },
    { from: "REVIEW",                      on: "send_back",          to: "DESIGN",    when: roundLeft, effects: ["count_round", "start_phase"] },
    { from: "IMPLEMENT",                   on: "finish_checkpoints", to: "MERGE",     when: allPassed, effects: ["start_phase"] },
    { from: "MERGE",                       on: "send_back",          to: "IMPLEMENT", when: byPerson, effects: ["continue_checkpoints"] },
    { from: "MERGE",                       on: "merge",              to: "DONE",      when: all(checksPass, mergeApproved), effects: ["notify"] },
    { from: ["DESIGN", "REVIEW", "MERGE"], on: "resume",             to: STAY,        effects: ["restart_phase"] },
    { from: "IMPLEMENT",                   on: "resume",             to: STAY,        effects: ["continue_checkpoints"] },
  ],
  guarantees: {
    DESIGN: [
      { rule: msg("develop.holds.no_strategy"), holds: noStrategy },
      { rule: msg("develop.holds.none_begun"), holds: noneBegun },
    ],
    REVIEW: [
      { rule: msg("develop.holds.no_strategy"), holds: noStrategy },
      { rule: msg("develop.holds.has_checkpoints"), holds: hasCheckpoints },
      { rule: msg("develop.holds.none_begun"), holds: noneBegun },
    ],
    IMPLEMENT: [
      { rule: msg("develop.holds.strategy"), holds: (r) => r.strategy !== null },
      { rule: msg("develop.holds.has_checkpoints"), holds: hasCheckpoints },
    ],
    MERGE: [
      { rule: msg("develop.holds.strategy"), holds: (r) => r.strategy !== null },
      { rule: msg("develop.holds.all_passed"), holds: everyCheckpoint("passed") },
    ],
    DONE: [
      { rule: msg("develop.holds.strategy"), holds: (r) => r.strategy !== null },
      { rule: msg("develop.holds.all_passed"), holds: everyCheckpoint("passed") },
    ],
  },
});

// --- what holds ---

function noStrategy(record: DevelopRecord): boolean {
  return record.strategy === null;
}

function hasCheckpoints(record: DevelopRecord): boolean {
  return Object.keys(record.checkpoints).length > 0;
}

/** True also of a design that was sent back: its checkpoints are there, none was worked on. */
function noneBegun(record: DevelopRecord): boolean {
  return everyCheckpoint("pending")(record);
}

function everyCheckpoint(status: CheckpointRecord["status"]): (record: DevelopRecord) => boolean {
  return (record) => Object.values(record.checkpoints).every((cp) => cp.status === status);
}
