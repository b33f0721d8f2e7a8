// A request (S4.4, S4.8): `request.global_phase` in state.json, with `request.status` beside it.
//
//   global_discovery ──merge_discovery──▶ task_loop ──finish──▶ complete
//         ▲                                 │
//         └──────── replan (≤ twice) ───────┘
//
// stop and resume keep the phase and move the status between active and stopped; a stopped
// request does nothing else but resume or reset. reset ends it as stopped, for good: nothing was
// completed by it, and the next request may begin.
import { msg } from "../messages.ts";
import { STAY, type Verdict, all, defineMachine } from "../machine.ts";
import { retryLimits } from "../retry.ts";
import { type GlobalPhase, type RequestStatus, globalPhases } from "../vocabulary.ts";

export const requestEvents = [
  "merge_discovery",
  "replan",
  "finish",
  "stop",
  "resume",
  "reset",
] as const;
export type RequestEvent = (typeof requestEvents)[number];

/** How often GATE-3 may send the request back to planning (S4.5: phase retries). */
const maxPhaseRetries = retryLimits.phase;

export interface RequestFacts {
  readonly status: RequestStatus;
  /** Is there a valid explored.yaml? */
  readonly explored: boolean;
  /** Is there a valid task-breakdown.yaml? */
  readonly brokenDown: boolean;
  readonly assumptions: number;
  /** Those that what was explored contradicts. */
  readonly wrongAssumptions: number;
  readonly phaseRetries: number;
  readonly unfinishedTasks: readonly string[];
  /** It was ended by a person, before it was complete. */
  readonly reset: boolean;
}

export type RequestEffect =
  | "write_design_briefs"
  | "start_task_loop"
  | "plan_again"
  | "learn"
  | "backup"
  | "mark_stopped"
  | "mark_active"
  | "mark_completed"
  | "start_next_request";

export interface RequestRecord {
  readonly globalPhase: GlobalPhase;
  readonly status: RequestStatus;
  readonly currentTask: string | null;
}

interface RequestTypes {
  name: "request";
  state: GlobalPhase;
  event: RequestEvent;
  facts: RequestFacts;
  input: object;
  effect: RequestEffect;
  record: RequestRecord;
}

// --- guards ---

const active = (facts: RequestFacts): Verdict =>
  facts.status === "active" || msg("request.not_active", { status: facts.status });
const stopped = (facts: RequestFacts): Verdict =>
  facts.status === "stopped" || msg("request.not_stopped");
const notStopped = (facts: RequestFacts): Verdict =>
  facts.status !== "stopped" || msg("request.stopped_already");

const kept = (facts: RequestFacts): Verdict => !facts.reset || msg("request.reset_already");

function discovered(facts: RequestFacts): Verdict {
  if (!facts.explored) return msg("request.not_explored");
  return facts.brokenDown || msg("request.no_breakdown");
}

/** From half on the plan stands on sand, and the planner has to see what was explored. */
const assumedRight = (facts: RequestFacts): Verdict =>
  facts.wrongAssumptions === 0 ||
  facts.wrongAssumptions * 2 < facts.assumptions ||
  msg("request.wrong_assumptions", { wrong: facts.wrongAssumptions, all: facts.assumptions });
const retryLeft = (facts: RequestFacts): Verdict =>
  facts.phaseRetries < maxPhaseRetries || msg("request.no_retry_left", { max: maxPhaseRetries });
const tasksDone = (facts: RequestFacts): Verdict =>
  facts.unfinishedTasks.length === 0 ||
  msg("request.tasks_left", { ids: facts.unfinishedTasks.join(", ") });

const open = ["global_discovery", "task_loop"] as const;

// --- the table ---

export const requestMachine = defineMachine<RequestTypes>({
  name: "request",
  title: msg("machine.request"),
  states: globalPhases,
  events: requestEvents,
  initial: "global_discovery",
  final: ["complete"],
  stateOf: (record) => record.globalPhase,
  // oxfmt-ignore
  rows: [
    { from: "global_discovery", on: "merge_discovery", to: "task_loop",        when: all(active, discovered, assumedRight), effects: ["write_design_briefs", "start_task_loop"] },
    { from: "task_loop",        on: "replan",          to: "global_discovery", when: all(active, retryLeft), effects: ["plan_again"] },
    { from: "task_loop",        on: "finish",          to: "complete",         when: all(active, tasksDone), effects: ["mark_completed", "learn", "start_next_request"] },
    { from: open,               on: "stop",            to: STAY,               when: all(kept, notStopped), effects: ["mark_stopped"] },
    { from: open,               on: "resume",          to: STAY,               when: all(kept, stopped), effects: ["mark_active"] },
    { from: open,               on: "reset",           to: STAY,               when: kept, effects: ["backup", "mark_stopped", "start_next_request"] },
  ],
  guarantees: {
    global_discovery: [{ rule: msg("request.holds.open"), holds: isOpen }],
    task_loop: [
      { rule: msg("request.holds.open"), holds: isOpen },
      { rule: msg("request.holds.current_task"), holds: (r) => r.currentTask !== null },
    ],
    complete: [{ rule: msg("request.holds.completed"), holds: (r) => !isOpen(r) }],
  },
});

// --- what holds ---

function isOpen(record: RequestRecord): boolean {
  return record.status !== "completed";
}
