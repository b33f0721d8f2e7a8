// A gate has been looked at (S4.4): the subtask's machine says what follows, and this is done. Passed:
// on. Failed: back, with what the next try must know; or, its retries used up, a person is asked.
import { subtaskMachine } from "../../core/machines/subtask.ts";
import type {
  Gates,
  SubtaskEffect,
  SubtaskEvent,
  SubtaskFacts,
} from "../../core/machines/subtask.ts";
import { type Message, msg } from "../../core/messages.ts";
import type { GateName } from "../../core/vocabulary.ts";
import { type Focus, focusOf } from "./board.ts";
import type { GateRecord, SubtaskWork } from "./private.ts";
import { planAgain } from "./_discovery.ts";
import { completeSubtask } from "./_loop.ts";
import type { Working } from "./_working.ts";

export interface Looked {
  readonly gate: GateName;
  readonly passed: boolean;
  /** Why not; also for who tries again. */
  readonly why: Message;
  /** What to do about it the next time, once it was mended: a pitfall for everyone (S4.7). */
  readonly lesson: Message;
  readonly facts: Partial<SubtaskFacts>;
  readonly record?: Pick<GateRecord, "verdicts" | "uncovered">;
  /** Who judged it, for the journal. */
  readonly judge?: Readonly<Record<string, unknown>>;
}

export function gateSeen(working: Working, looked: Looked): void {
  const focus = focusOf(working.state);
  if (focus?.sub === undefined || focus.subtask === null) return;
  const { gate, passed, why, lesson, facts, record, judge } = looked;
  const { task, subtask, sub } = { ...focus, subtask: focus.subtask, sub: focus.sub };
  const [gateName, testName] = [`gate ${subtask} ${gate}`, `test ${subtask}`];
  const event = `${passed ? "pass" : "fail"}_gate_${gate.slice(-1)}` as SubtaskEvent;
  const step = subtaskMachine.step(sub.phase, event, {
    ...noFacts,
    gates: sub.gates as Gates,
    ...facts,
    gateRetries: working.retriesOf(gateName),
    testRetries: working.retriesOf(testName),
  });
  // Never where the facts are ours; a machine that says no is a mistake worth hearing of.
  if (!step.ok) return working.giveUp(subtask, step.reasons[0] ?? why);
  const result = passed ? "passed" : "failed";
  const gates = reopened({ ...sub.gates, [gate]: result }, gate, step.to, step.effects);
  working.setSubtask(task, subtask, { phase: step.to, gates });
  const kept: GateRecord = {
    result,
    at: working.now,
    verdicts: record?.verdicts ?? [],
    uncovered: record?.uncovered ?? [],
  };
  const work = working.workOf(subtask);
  working.setWork(subtask, { gates: { ...work.gates, [gate]: kept } });
  working.journal({
    machine: "subtask",
    id: subtask,
    from: sub.phase,
    to: step.to,
    trigger: event,
    metadata: { gate, result, ...(passed ? {} : { why: working.say(why) }), ...record, ...judge },
  });
  if (passed) {
    if (step.effects.includes("mark_completed")) completeSubtask(working, focus);
    return;
  }
  working.setWork(subtask, {
    ...backTo(step.to),
    failures: [...work.failures, { gate, why: working.say(why), lesson: working.say(lesson) }],
  });
  // To try GATE-3 again is to plan again.
  if (step.effects.includes("stop_request")) return working.giveUp(subtask, why, gate === "GATE-3");
  working.countRetry(gate === "GATE-2" ? testName : gateName);
  goBack(working, focus, step.to, step.effects, why);
}

/** S4.8: a contract that is not there any more takes the subtask one phase back. */
export function rollBack(working: Working, { task, subtask, sub }: Focus, contract: string): void {
  if (subtask === null || sub === undefined) return;
  const facts = { ...noFacts, gates: sub.gates as Gates, missingContract: contract };
  const step = subtaskMachine.step(sub.phase, "roll_back", facts);
  if (!step.ok) return;
  const gates = reopened(sub.gates, null, step.to, step.effects);
  working.setSubtask(task, subtask, { phase: step.to, gates });
  working.setWork(subtask, backTo(step.to));
  working.journal({
    machine: "subtask",
    id: subtask,
    from: sub.phase,
    to: step.to,
    trigger: "roll_back",
    metadata: { contract },
  });
}

// --- internal ---

const noFacts: SubtaskFacts = {
  gates: {},
  testCases: 0,
  testFileExists: false,
  strayFiles: [],
  breaches: [],
  command: "not_run",
  recommendation: null,
  gateRetries: 0,
  testRetries: 0,
  missingContract: null,
};

/** Gates ahead of the phase are open again; what has just failed stays to be seen. */
function reopened(
  gates: Focus["entry"]["subtasks"][string]["gates"],
  failed: GateName | null,
  phase: string,
  effects: readonly SubtaskEffect[],
) {
  if (!effects.includes("reopen_gates")) return gates;
  const ahead = phase === "test_first" ? all : all.slice(1);
  const open = ahead.filter((gate) => gate !== failed && gates[gate] === "passed");
  return { ...gates, ...Object.fromEntries(open.map((gate) => [gate, "pending" as const])) };
}

const all = ["GATE-1", "GATE-3", "GATE-4", "GATE-2"] as const;

function backTo(phase: string): Partial<SubtaskWork> {
  const later = { implemented: false, scan: { verdicts: [], uncovered: [] }, claim: null };
  return phase === "test_first" ? { ...later, tested: false } : later;
}

function goBack(
  working: Working,
  { task, subtask }: Focus,
  phase: string,
  effects: readonly SubtaskEffect[],
  why: Message,
): void {
  // Whoever comes to it again has to mend it, too.
  working.setFeedback(`${subtask}.implement`, why);
  if (effects.includes("back_to_planning")) {
    working.setFeedback(`${task}.design`, why);
    working.answer = { kind: "back", to: "planning", why };
    return planAgain(working, why, subtask ?? task);
  }
  if (effects.includes("back_to_design")) {
    working.setTask(task, { current_subtask: null });
    working.setFeedback(`${task}.design`, why);
    working.answer = { kind: "back", to: "design", why };
    return;
  }
  const next = phase === "test_first" ? "test" : "implement";
  working.setFeedback(`${subtask}.${next}`, why);
  working.answer = { kind: "back", to: phase, why: msg("request.try_again", { why }) };
}
