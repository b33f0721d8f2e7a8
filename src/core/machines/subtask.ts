// A subtask of a request (S4.4, S4.5, S4.8): `subtasks[id].phase` in state.json.
//
//               pass_gate_1                    pass_gate_4                 pass_gate_2
//   test_first ─────────────▶ implementation ─────────────▶ verification ─────────────▶ complete
//     ▲  ▲ ▲                   │    │  ▲ ▲                   │   │  │
//     │  │ └─ fail_gate_3 or 4 ┘    │  │ └── fail_gate_2 ────┘   │  │ (retry_implementation)
//     │  └──────── roll_back ───────┘  └───── roll_back ─────────┘  │
//     └─────────────────────── fail_gate_2 ─────────────────────────┘ (retry_design)
//
// Gates are passed in the order 1, 3, 4, 2. When a gate's retries are used up the subtask stays
// where it is, its gate `failed`, the request is stopped and a person asked (S4.2). Going back
// opens the gates ahead again: `reopen_gates` sets every passed one of them to `pending`.
import { msg } from "../messages.ts";
import { STAY, type Verdict, all, defineMachine } from "../machine.ts";
import { retryLimits } from "../retry.ts";
import {
  type GateName,
  type GateStatus,
  type RecommendedAction,
  type SubtaskPhase,
  type WorkStatus,
  gateNames,
  subtaskPhases,
} from "../vocabulary.ts";

export const subtaskEvents = [
  "pass_gate_1",
  "fail_gate_1",
  "pass_gate_3",
  "fail_gate_3",
  "pass_gate_4",
  "fail_gate_4",
  "pass_gate_2",
  "fail_gate_2",
  "roll_back",
] as const;
export type SubtaskEvent = (typeof subtaskEvents)[number];

/** Retries of one gate, and of the tests behind GATE-2 (S4.5). */
const { gate: maxGateRetries, test: maxTestRetries } = retryLimits;

/** Holds only those checked so far (S4.2). */
export type Gates = Readonly<Partial<Record<GateName, GateStatus>>>;

export interface SubtaskFacts {
  readonly gates: Gates;
  /** GATE-1: cases of a valid test contract. */
  readonly testCases: number;
  readonly testFileExists: boolean;
  /** GATE-3: changed files outside the contract's file_refs and test file. */
  readonly strayFiles: readonly string[];
  /** GATE-4: missing files, forbidden imports, invariants judged broken. */
  readonly breaches: readonly string[];
  /** GATE-2: what came of the engine's own run of `execution.command`. */
  readonly command: "not_run" | "passed" | "failed";
  readonly recommendation: RecommendedAction | null;
  /** Retries of the gate at hand, made so far. */
  readonly gateRetries: number;
  readonly testRetries: number;
  /** A contract this phase needs that is not there. */
  readonly missingContract: string | null;
}

export type SubtaskEffect =
  | "mark_passed"
  | "mark_failed"
  | "reopen_gates"
  | "run_phase"
  | "back_to_planning"
  | "back_to_design"
  | "stop_request"
  | "ask_human"
  | "mark_completed";

export interface SubtaskRecord {
  readonly phase: SubtaskPhase;
  readonly status: WorkStatus;
  readonly gates: Gates;
}

interface SubtaskTypes {
  name: "subtask";
  state: SubtaskPhase;
  event: SubtaskEvent;
  facts: SubtaskFacts;
  input: object;
  effect: SubtaskEffect;
  record: SubtaskRecord;
}

// --- guards ---

function testsWritten(facts: SubtaskFacts): Verdict {
  if (facts.testCases < 1) return msg("subtask.no_test_cases");
  return facts.testFileExists || msg("subtask.no_test_file");
}

const inScope = (facts: SubtaskFacts): Verdict =>
  facts.strayFiles.length === 0 ||
  msg("subtask.stray_files", { files: facts.strayFiles.join(", ") });
const gate3Passed = (facts: SubtaskFacts): Verdict =>
  facts.gates["GATE-3"] === "passed" || msg("subtask.gate_3_first");
const asDesigned = (facts: SubtaskFacts): Verdict =>
  facts.breaches.length === 0 || msg("subtask.breaches", { breaches: facts.breaches.join(", ") });

function verified(facts: SubtaskFacts): Verdict {
  if (facts.command === "not_run") return msg("subtask.command_not_run");
  if (facts.command === "failed") return msg("subtask.command_failed");
  const advice = facts.recommendation ?? "–";
  return advice === "complete" || msg("subtask.not_recommended", { advice });
}

const gateRetryLeft = (facts: SubtaskFacts): Verdict =>
  facts.gateRetries < maxGateRetries || msg("subtask.no_gate_retry", { max: maxGateRetries });
const noGateRetryLeft = (facts: SubtaskFacts): Verdict =>
  facts.gateRetries >= maxGateRetries ||
  msg("subtask.retry_left", { done: facts.gateRetries, max: maxGateRetries });
const testRetryLeft = (facts: SubtaskFacts): Verdict =>
  facts.testRetries < maxTestRetries || msg("subtask.no_test_retry", { max: maxTestRetries });
const noTestRetryLeft = (facts: SubtaskFacts): Verdict =>
  facts.testRetries >= maxTestRetries ||
  msg("subtask.retry_left", { done: facts.testRetries, max: maxTestRetries });

const redesign = (facts: SubtaskFacts): Verdict =>
  facts.recommendation === "retry_design" || msg("subtask.code_at_fault");
/** Also where the advice was to complete: the engine's own run has the last word. */
const reimplement = (facts: SubtaskFacts): Verdict =>
  facts.recommendation !== "retry_design" || msg("subtask.design_at_fault");
const contractMissing = (facts: SubtaskFacts): Verdict =>
  facts.missingContract !== null || msg("subtask.contracts_there");

const giveUp = ["mark_failed", "stop_request", "ask_human"] as const;

// --- the table ---

export const subtaskMachine = defineMachine<SubtaskTypes>({
  name: "subtask",
  title: msg("machine.subtask"),
  states: subtaskPhases,
  events: subtaskEvents,
  initial: "test_first",
  final: ["complete"],
  stateOf: (record) => record.phase,
  // oxfmt-ignore
  rows: [
    { from: "test_first",     on: "pass_gate_1", to: "implementation", when: testsWritten, effects: ["mark_passed", "run_phase"] },
    { from: "test_first",     on: "fail_gate_1", to: STAY,             when: gateRetryLeft, effects: ["mark_failed", "run_phase"] },
    { from: "test_first",     on: "fail_gate_1", to: STAY,             when: noGateRetryLeft, effects: giveUp },
    { from: "implementation", on: "pass_gate_3", to: STAY,             when: inScope, effects: ["mark_passed"] },
    { from: "implementation", on: "fail_gate_3", to: "test_first",     when: gateRetryLeft, effects: ["mark_failed", "reopen_gates", "back_to_planning"] },
    { from: "implementation", on: "fail_gate_3", to: STAY,             when: noGateRetryLeft, effects: giveUp },
    { from: "implementation", on: "pass_gate_4", to: "verification",   when: all(gate3Passed, asDesigned), effects: ["mark_passed", "run_phase"] },
    { from: "implementation", on: "fail_gate_4", to: "test_first",     when: all(gate3Passed, gateRetryLeft), effects: ["mark_failed", "reopen_gates", "back_to_design"] },
    { from: "implementation", on: "fail_gate_4", to: STAY,             when: all(gate3Passed, noGateRetryLeft), effects: giveUp },
    { from: "verification",   on: "pass_gate_2", to: "complete",       when: verified, effects: ["mark_passed", "mark_completed"] },
    { from: "verification",   on: "fail_gate_2", to: "implementation", when: all(testRetryLeft, reimplement), effects: ["mark_failed", "reopen_gates", "run_phase"] },
    { from: "verification",   on: "fail_gate_2", to: "test_first",     when: all(testRetryLeft, redesign), effects: ["mark_failed", "reopen_gates", "back_to_design"] },
    { from: "verification",   on: "fail_gate_2", to: STAY,             when: noTestRetryLeft, effects: giveUp },
    { from: "implementation", on: "roll_back",   to: "test_first",     when: contractMissing, effects: ["reopen_gates", "run_phase"] },
    { from: "verification",   on: "roll_back",   to: "implementation", when: contractMissing, effects: ["reopen_gates", "run_phase"] },
  ],
  guarantees: {
    test_first: [
      { rule: msg("subtask.holds.not_completed"), holds: (r) => r.status !== "completed" },
      { rule: msg("subtask.holds.none_passed"), holds: passed([]) },
    ],
    implementation: [
      { rule: msg("subtask.holds.in_progress"), holds: (r) => r.status === "in_progress" },
      { rule: msg("subtask.holds.gate_1"), holds: passed(["GATE-1"], ["GATE-3"]) },
    ],
    verification: [
      { rule: msg("subtask.holds.in_progress"), holds: (r) => r.status === "in_progress" },
      { rule: msg("subtask.holds.gates_1_3_4"), holds: passed(["GATE-1", "GATE-3", "GATE-4"]) },
    ],
    complete: [
      { rule: msg("subtask.holds.completed"), holds: (r) => r.status === "completed" },
      { rule: msg("subtask.holds.all_gates"), holds: gatesOfAnEnd },
    ],
  },
});

// --- what holds ---

/** All of `these` have passed, and of the others at most `perhaps`. */
function passed(these: readonly GateName[], perhaps: readonly GateName[] = []) {
  return ({ gates }: SubtaskRecord): boolean =>
    these.every((gate) => gates[gate] === "passed") &&
    gateNames.every(
      (gate) => gates[gate] !== "passed" || these.includes(gate) || perhaps.includes(gate),
    );
}

/** An older file may lack GATE-3 and GATE-4 of a completed subtask (S4.2). */
function gatesOfAnEnd({ gates }: SubtaskRecord): boolean {
  const { "GATE-3": third = "passed", "GATE-4": fourth = "passed" } = gates;
  const needed = [gates["GATE-1"], gates["GATE-2"], third, fourth];
  return needed.every((gate) => gate === "passed");
}
