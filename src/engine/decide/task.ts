// A step of the task's table: judged together with its agent's, then taken together, so that one
// never moves without the other. The workflow's document moves in between: guards see it as it
// was, prompts as it will be.
import type { Json } from "../../core/events.ts";
import type { AgentEvent } from "../../core/machines/agent.ts";
import {
  type TaskEffect,
  type TaskEvent,
  type TaskInput,
  taskMachine,
} from "../../core/machines/task.ts";
import { phases } from "../../workflows/phases/phases.ts";
import type { Outcome } from "../../workflows/workflow.ts";
import type { AgentStatus } from "../../core/vocabulary.ts";
import type { Draft } from "../_draft.ts";
import type { FailureReason, Kinds } from "../state.ts";
import { type AgentStep, judgeAgent, newAgent, takeAgent } from "./agent.ts";
import { placeOf, taskFacts } from "./facts.ts";
import type { Answer, World } from "./world.ts";
import { done } from "./world.ts";

export interface TaskStep {
  readonly event: TaskEvent;
  readonly input?: Partial<TaskInput>;
  readonly trigger?: string;
  readonly metadata?: Readonly<Record<string, Json>>;
  /** What it means for the workflow. */
  readonly outcome?: Outcome;
  /** Why it failed, if it does. */
  readonly failure?: { readonly reason: FailureReason; readonly message: string };
}

/** Which event of the agent goes with which of the task. */
const agentEvent: Partial<Record<TaskEvent, AgentEvent>> = {
  start: "assign",
  phase_passed: "phase_passed",
  verification_failed: "verification_failed",
  approve: "approve",
  request_changes: "request_changes",
  pause: "pause",
  resume: "resume",
  cancel: "cancel",
  fatal_error: "fatal_error",
};

export function stepTask(draft: Draft, step: TaskStep, world: World): Answer {
  const facts = taskFacts(draft, world);
  const judged = taskMachine.step(draft.task.status, step.event, facts, step.input ?? {});
  if (!judged.ok)
    return { ok: false, code: "refused", reasons: judged.reasons, allowed: judged.allowed };
  const agents = judged.effects.includes("tell_agent") ? agentsFor(draft, step, world) : [];
  const told = agents.map((agent) => {
    const agentStep = agentStepFor(step, agent.status);
    return { agent, agentStep, verdict: judgeAgent(draft, agent, agentStep, world) };
  });
  for (const { verdict } of told)
    if (!verdict.ok)
      return { ok: false, code: "refused", reasons: verdict.reasons, allowed: verdict.allowed };

  if (step.event === "start") draft.setTask({}, { startedAt: draft.at });
  if (step.outcome) applyOutcome(draft, step.outcome);
  draft.journal("task", draft.task.id, judged, step.trigger ?? step.event, step.metadata);
  draft.setTask({ status: judged.to });
  stamp(draft, step);
  for (const effect of judged.effects) carry(draft, effect, step);
  for (const { agent, agentStep, verdict } of told)
    if (verdict.ok) takeAgent(draft, agent.id, agentStep, verdict, world);
  // Packed when nobody writes there any more.
  if (judged.effects.includes("pack_deliverables")) draft.effect("pack");
  return done;
}

export function applyOutcome(draft: Draft, outcome: Outcome): void {
  const { document } = draft.task.data;
  if (document !== null) draft.setTask({}, { document: phases.apply(document, outcome) });
}

/** S1.21b: finished phases, and finished steps of the current one; back only on rework. */
export function trackProgress(draft: Draft, { deliverables: looked }: World): void {
  const { task } = draft;
  const { phase, phases: total, deliverables } = placeOf(task);
  if (phase === null || task.status === "completed" || task.status === "failed") return;
  const steps = deliverables.length;
  const first = deliverables[0]?.path ?? null;
  // A phase that began in this tick counts for itself: what was looked at belongs to the one before.
  const seen = looked && looked.phase !== phase ? { present: 0, missing: first } : looked;
  const part = seen === null || steps === 0 ? 0 : Math.min(seen.present, steps) / steps;
  const now = Math.floor(((phase - 1 + part) / total) * 100);
  const reworked = (task.data.document?.round ?? 0) > 0 && seen !== null;
  const progress = reworked ? now : Math.max(now, task.data.progress);
  if (progress !== task.data.progress) draft.setTask({}, { progress });
  const step = seen?.missing === undefined ? undefined : stepName(seen.missing);
  for (const { id, status, data } of draft.all("agent")) {
    if (status === "completed" || status === "failed") continue;
    const currentStep = step === undefined ? data.currentStep : step;
    if (progress !== data.progress || currentStep !== data.currentStep)
      draft.set("agent", id, { progress, currentStep });
  }
}

/** The open things of a task that ended: nobody waits for them any more. */
export function withdrawOpen(draft: Draft): void {
  for (const kind of ["question", "dependency", "review"] as const)
    for (const { id, status } of draft.all(kind))
      if (status === "open") draft.set(kind, id, {}, "withdrawn");
}

export function cancelled(why: string): { reason: "cancelled"; message: string } {
  return { reason: "cancelled", message: why };
}

// --- internal ---

function agentsFor(draft: Draft, { event }: TaskStep, world: World): Kinds["agent"][] {
  if (event === "start") return [newAgent(draft, world, "main")];
  return draft.all("agent").filter(({ status }) => status !== "completed" && status !== "failed");
}

function agentStepFor(step: TaskStep, status: AgentStatus): AgentStep {
  // What ends the task (a set-up that failed) ends an agent that stands still as well.
  const cut = step.event === "fatal_error" && status !== "running";
  const event = cut ? "cancel" : agentEvent[step.event];
  if (event === undefined) throw new RangeError(`the agent has no part in ${step.event}`);
  const feedback = step.input?.feedback;
  return {
    event,
    ...(step.trigger === undefined && !cut ? {} : { trigger: step.trigger ?? step.event }),
    ...(feedback === undefined ? {} : { input: { feedback } }),
    reason: step.trigger ?? step.event,
  };
}

/** `docs/planning/03_users.md` → `03_users`, as the seed shows it. */
function stepName(path: string | null): string | null {
  return path === null ? null : path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
}

/** When it started, ended, and why. */
function stamp(draft: Draft, step: TaskStep): void {
  const { status } = draft.task;
  if (status === "completed")
    draft.setTask({ queuedAt: null }, { completedAt: draft.at, progress: 100 });
  if (status === "failed") {
    const failure = step.failure ?? { reason: "fatal_error" as const, message: "" };
    draft.setTask({ queuedAt: null }, { failedAt: draft.at, failure });
  }
  if (status === "completed" || status === "failed") withdrawOpen(draft);
}

function carry(draft: Draft, effect: TaskEffect, step: TaskStep): void {
  switch (effect) {
    case "enqueue":
      return draft.setTask({ queuedAt: draft.now });
    case "dequeue":
      return draft.setTask({ queuedAt: null });
    case "make_workspace":
      draft.setTask({ queuedAt: null });
      return draft.effect("make_workspace");
    case "notify":
      // Of a part of a run the run itself tells: it may try again, or go on without.
      if (draft.task.data.order && draft.task.status !== "review") return;
      return draft.effect("notify", { what: noticeOf(step.event, draft.task.status) });
    case "hide":
      return draft.setTask({ archived: true });
    case "remove":
      draft.setTask({}, { deletedAt: draft.at });
      return draft.effect("remove");
    // The review is made with what the check found; the journal is the error log; a retry is a
    // task of its own, made with the same commit by the command; packing comes last.
    case "pack_deliverables":
    case "create_review":
    case "keep_error_log":
    case "create_retry":
    case "tell_agent":
      return;
  }
}

function noticeOf(event: TaskEvent, status: string): string {
  return event === "phase_passed" && status === "review" ? "review" : status;
}
