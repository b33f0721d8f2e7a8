// Moves that several events of a plan share.
import type { Draft, PlanStep } from "./_draft.ts";
import type { PlanReply } from "./events.ts";

/** A stage that begins anew: no answer yet, and the next order has another key. */
export function unanswered({ run }: Draft) {
  return { tries: 0, complaint: null, answer: null, turn: run.turn + 1 } as const;
}

/** After a step was finished: when all are, the verifier judges. */
export function nextStage(draft: Draft): void {
  const { run, steps, task } = draft;
  if (run.stage !== "work" || !steps.every(({ status }) => status === "completed")) return;
  const { success_criteria: criteria = [] } = task?.plan ?? {};
  draft.setRun({ stage: "judge", ...unanswered(draft) });
  // A plan of somebody else's may have none: then there is nothing to miss.
  if (criteria.length === 0) draft.setRun({ stage: "close", verdict: [], result: "success" });
}

/** Nobody works on it any more: open again, and no attempt is counted against it. */
export function release(draft: Draft, id: number): void {
  const found = draft.steps.find((step) => step.id === id);
  if (found?.status !== "in_progress") return;
  draft.setStep(id, { status: "pending", started_at: null });
  draft.setStepRun(id, { holder: null });
  journalStep(draft, id, "in_progress", "pending", "release", {});
}

/** A person is asked: nothing new begins before, what is at work goes on. */
export function escalate(draft: Draft, step: number | null, report: string): PlanReply {
  const { asks, asked } = draft.run;
  // One question for all that a person has to look at.
  const all = asks ? `${asks.report}\n\n${report}` : report;
  draft.setRun({ asks: { step: asks ? asks.step : step, report: all }, asked: asked + 1 });
  if (step !== null) journalStep(draft, step, "failed", "failed", "escalate", {});
  return { kind: "asks", report };
}

/** Planned again: what is finished stays, what is at work may end first. */
export function replan(draft: Draft, why: string): PlanReply {
  const { run } = draft;
  draft.setRun({ ...unanswered(draft), asks: null, stage: "plan", round: run.round + 1, why });
  return { kind: "replan" };
}

/** Files a step declared: what a person or a planner wrote there may be anything. */
export function filesOf(step: PlanStep): string[] {
  const { files } = step;
  if (!Array.isArray(files)) return [];
  return (files as unknown[]).filter((path): path is string => typeof path === "string");
}

export function journalStep(
  draft: Draft,
  id: number,
  from: string,
  to: string,
  trigger: string,
  metadata: Record<string, string | number>,
): void {
  const plan = draft.task?.id ?? "";
  draft.move("plan-step", String(id), { from, to, trigger }, { plan, ...metadata });
}
