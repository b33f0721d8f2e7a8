// What a plan wants under way when no session drives it (workflows/orders.ts), and what came of it as an
// event. A key is the step and its attempt, or the stage and its turn: the outcome of another is none of
// ours any more.
import { type Language, msg, render } from "../../core/messages.ts";
import { type FailureType, failureTypes } from "../../core/vocabulary.ts";
import type { AgentOrder, Order, OrderOutcome, Orders } from "../orders.ts";
import type { PlanStep } from "./_draft.ts";
import { filesOf } from "./_moves.ts";
import type { Decision, PlanEvent } from "./events.ts";
import { type Asking, answerFiles, stagePrompt, stageRoles, stepPrompt } from "./prompts.ts";
import { type PlanRun, stepRun } from "./run.ts";

/** Who works for a run without a session: its claims are the run's own. */
export const headlessSession = "headless";

export function planOrders(asking: Asking): readonly Order[] {
  return asking.task.status === "in_progress" ? wantedOrders(asking) : [];
}

/** Steps that may begin now; a retry that waits is among them, and says until when. */
export function openSteps({ task, run }: Pick<Asking, "task" | "run">): PlanStep[] {
  const { steps } = task.plan;
  const completed = new Set(
    steps.flatMap(({ id, status }) => (status === "completed" ? [id] : [])),
  );
  return steps.filter(({ id, status, dependencies }) => {
    const open = status === "pending" || (status === "failed" && stepRun(run, id).way !== null);
    return open && dependencies.every((other) => completed.has(other));
  });
}

export function endedOrders(run: PlanRun, language: Language): Orders {
  const { result, task } = run;
  const completed = task?.status === "completed";
  const why = render(language, msg("plan.ended", { result: result ?? "–" }));
  return { kind: "ended", result: completed ? "completed" : "failed", why };
}

/** Null: the order is no longer wanted, and nothing happens. */
export function eventOf(asking: Asking, outcome: OrderOutcome): PlanEvent | null {
  const order = wantedOrders(asking).find(({ key }) => key === outcome.key);
  if (order === undefined) return null;
  if (outcome.kind === "answered") return answeredEvent(order, outcome.answer);
  if (outcome.kind !== "done" && outcome.kind !== "failed") return null;
  const { tokens } = outcome;
  const step = stepIn(order.key);
  if (step !== null) {
    const about = { step, session: headlessSession, tokens } as const;
    if (outcome.kind === "done") return { on: "done", ...about, output: outcome.words };
    if (outcome.why === "cancelled") return { on: "stopped", ...about };
    return { on: "fail", ...about, ...failureOf(outcome.why, outcome.reason) };
  }
  const { stage } = asking.run;
  if (stage !== "plan" && stage !== "judge" && stage !== "close") return null;
  if (outcome.kind === "failed") return { on: "no_answer", stage, reason: outcome.reason, tokens };
  const text = outcome.files[answerFiles[stage]];
  return text === undefined
    ? { on: "no_answer", stage, reason: answerFiles[stage], tokens }
    : { on: "answer", stage, text, tokens };
}

/** The step an order is for; null: it is for a stage, or a person. */
export function stepIn(key: string): number | null {
  const [, id] = /^step-(\d{1,9})-\d{1,9}$/.exec(key) ?? [];
  return id === undefined ? null : Number(id);
}

/**
 * What kind of failure it was (S3.8): as its agent classed it (“transient: the registry is down”), else
 * by how it came about. What a check refused is to be revised; an agent that died may be lucky next time.
 */
export function failureOf(
  why: "agent" | "check" | "conflict" | "cancelled" | "told",
  reason: string,
): { readonly type: FailureType; readonly message: string } {
  const [, word = "", rest = ""] = /^\s*(?:FAIL:\s*)?([a-z]+)\s*:\s*([^]*)$/i.exec(reason) ?? [];
  const named = failureTypes.find((type) => type === word.toLowerCase());
  if (named !== undefined && rest.trim() !== "") return { type: named, message: rest.trim() };
  const message = reason.trim() === "" ? why : reason.trim();
  if (why === "agent") return { type: "transient", message };
  return { type: why === "told" ? kindOf(message) : "validation", message };
}

// --- internal ---

/** Those of a paused plan too: what ends while it is paused has still been done. */
function wantedOrders(asking: Asking): readonly Order[] {
  const { task, run } = asking;
  const { steps } = task.plan;
  const busy = steps.filter(({ status }) => status === "in_progress");
  const atWork = busy.map((step) => stepOrder(asking, step, stepRun(run, step.id).attempt));
  if (run.asks) return [...atWork, askOrder(asking, run.asks)];
  if (run.stage === "work") {
    const open = openSteps(asking);
    return [
      ...atWork,
      ...open.map((step) => stepOrder(asking, step, stepRun(run, step.id).attempt + 1)),
    ];
  }
  // What is planned, judged or closed has to stand still.
  if (busy.length > 0) return atWork;
  if (run.stage === "approve") return [approveOrder(asking)];
  return run.stage === "ended" ? [] : [stageOrder(asking, run.stage)];
}

/** Of a failure that was told in plain words. */
function kindOf(message: string): FailureType {
  if (/time[d ]?\s?out|rate.?limit|too many requests|econn|network|temporar|503|429/i.test(message))
    return "transient";
  if (/no space|quota|permission denied|eacces|not installed|unavailable/i.test(message))
    return "resource";
  return "validation";
}

function stepOrder(asking: Asking, step: PlanStep, attempt: number): AgentOrder {
  const { run } = asking;
  const { id, name, agent, check } = step;
  const { notBefore, way } = stepRun(run, id);
  // What did not pass is revised by who made it.
  const before = way === "revise" && attempt > 1 ? { continues: `step-${id}-${attempt - 1}` } : {};
  return {
    ...plain,
    key: `step-${id}-${attempt}`,
    unit: String(id),
    title: name,
    role: agent,
    prompt: stepPrompt(asking, step),
    permissions: null,
    merges: true,
    deliverables: filesOf(step).map((path) => ({ path, minCharacters: 1 })),
    commands: typeof check === "string" ? [check] : [],
    reworks: 1,
    wanted: [],
    ...before,
    ...(notBefore === null ? {} : { notBefore }),
  };
}

const plain = {
  kind: "agent",
  agent: null,
  branch: { name: null },
  verifier: null,
  review: false,
} as const;

function stageOrder(asking: Asking, stage: "plan" | "judge" | "close"): AgentOrder {
  const { task, run, language } = asking;
  const path = answerFiles[stage];
  // A refused answer goes back into the conversation it came from, where that still can be had.
  const before = run.tries > 0 ? { continues: `${stage}-${run.turn - 1}` } : {};
  return {
    ...plain,
    key: `${stage}-${run.turn}`,
    unit: stage,
    title: render(language, msg(`plan.title.${stage}`, { name: task.name })),
    role: stageRoles[stage],
    prompt: stagePrompt(asking, stage),
    permissions: "edits",
    merges: false,
    deliverables: [{ path, minCharacters: 2 }],
    commands: [],
    reworks: 1,
    wanted: [path],
    ...before,
  };
}

function askOrder({ run, language }: Asking, asks: NonNullable<PlanRun["asks"]>): Order {
  return {
    kind: "ask",
    key: `ask-${run.asked}`,
    unit: asks.step === null ? run.stage : String(asks.step),
    question: `${asks.report}\n\n${render(language, msg("plan.ask.decide"))}`,
    options: [
      render(language, msg("plan.ask.retry")),
      render(language, msg("plan.ask.replan")),
      render(language, msg("plan.ask.fail")),
    ],
    default: null,
  };
}

function approveOrder({ task, run, language }: Asking): Order {
  const lines = task.plan.steps.map(({ id, name, agent, dependencies }) =>
    dependencies.length === 0
      ? `${id} · ${name} (${agent})`
      : `${id} · ${name} (${agent}) ← ${dependencies.join(", ")}`,
  );
  return {
    kind: "ask",
    key: `approve-${run.turn}`,
    unit: "approve",
    question: `${render(language, msg("plan.ask.approve", { name: task.name }))}\n\n${lines.join("\n")}`,
    options: [
      render(language, msg("plan.ask.yes")),
      render(language, msg("plan.ask.changes")),
      render(language, msg("plan.ask.cancel")),
    ],
    default: null,
  };
}

/**
 * The first word says which, as each option begins (`approve: …`); what follows it is why. Other words are
 * what should be different.
 */
function answeredEvent(order: Order, answer: string): PlanEvent | null {
  if (order.kind !== "ask") return null;
  const [, first = "", rest = ""] = /^\s*([^\s:]+):?\s*([^]*)$/.exec(answer) ?? [];
  const word = first.toLowerCase();
  if (order.unit === "approve") {
    if (word === "approve") return { on: "approve" };
    if (word === "cancel") return { on: "cancel", plan: null };
    const because = word === "changes" ? rest : answer;
    return { on: "decide", decision: "replan", step: null, because: because.trim() };
  }
  const known: readonly Decision[] = ["retry", "replan", "fail"];
  const decision = known.find((one) => one === word) ?? "replan";
  const because = (known as readonly string[]).includes(word) ? rest : answer;
  return { on: "decide", decision, step: null, because: because.trim() };
}
