// `why 3` and `why task-2026-01-31-001`: steps of the current plan, and the plans themselves.
import { planStepMachine } from "../../core/machines/plan-step.ts";
import { type Message, msg } from "../../core/messages.ts";
import { formats } from "../../formats/registry.ts";
import type { TaskHistory } from "../../formats/task-history.ts";
import type { PlanTask } from "../../formats/task-state.ts";
import type { Looked } from "./_look.ts";
import { eventsOf } from "./_why-events.ts";
import type { Entry } from "./why.ts";

export async function planEntries(looked: Looked): Promise<Entry[]> {
  const state = await looked.at(formats["task-state"].path, "task-state");
  const history = await looked.at(formats["task-history"].path, "task-history");
  const current = state?.current_task;
  const plans = [...(current ? [current] : []), ...(state?.pending_tasks ?? [])];
  const known = new Set(plans.map(({ id }) => id));
  return [
    ...(current?.plan.steps ?? []).map((step) => ({
      id: String(step.id),
      explain: () => explainStep(step, current as PlanTask),
    })),
    ...plans.map((plan) => ({ id: plan.id, explain: () => explainPlan(plan, current ?? null) })),
    ...(history?.tasks ?? [])
      .filter(({ id }) => !known.has(id))
      .map((ended) => ({ id: ended.id, explain: () => explainEnded(ended) })),
  ];
}

// --- internal ---

type Step = PlanTask["plan"]["steps"][number];

function explainStep(step: Step, task: PlanTask) {
  const { steps } = task.plan;
  const unfinished = step.dependencies
    .map((id) => steps.find((other) => other.id === id))
    .filter((other) => other !== undefined)
    .filter(({ status }) => status !== "completed");
  const named = unfinished.map(({ id, name, status }) => `${id} ${name} (${status})`);
  const lines = planStepMachine.explain(step.status, {
    unfinishedDependencies: named,
    retries: step.error?.retries ?? 0,
    failure: step.error?.type ?? null,
  });
  const reasons: Message[] = [];
  const { id, status } = task;
  if (step.status !== "completed" && status !== "in_progress")
    reasons.push(msg("why.step.plan", { id, status }));
  // One that failed for want of a dependency waits for the step that makes it.
  if ((step.status === "pending" || step.status === "failed") && named.length > 0)
    reasons.push(msg("plan-step.waits_for", { steps: named.join(", ") }));
  if (step.error) {
    const { type, message } = step.error;
    reasons.push(msg("why.step.error", { type, message }));
  }
  return {
    kind: "step" as const,
    name: step.name,
    status: step.status,
    reasons,
    next: [nextOf(step, unfinished)],
    events: eventsOf(lines, ["start", "retry", "escalate"]),
  };
}

function nextOf(step: Step, unfinished: readonly Step[]): Message {
  if (step.status === "completed") return msg("why.done");
  if (step.status === "in_progress") return msg("why.step.at_work", { agent: step.agent });
  if (step.status === "failed" && unfinished.length === 0) return msg("why.step.failed");
  return unfinished.length > 0
    ? msg("why.when_completed", { ids: unfinished.map(({ id }) => id).join(", ") })
    : msg("why.may_start");
}

function explainPlan({ id, name, status, plan }: PlanTask, current: PlanTask | null) {
  const waits = current !== null && current.id !== id && current.status !== "completed";
  const left = plan.steps.filter((step) => step.status !== "completed");
  return {
    kind: "plan" as const,
    name,
    status,
    reasons: waits ? [msg("why.plan.queued", { id: current.id, name: current.name })] : [],
    next: [
      waits || left.length === 0
        ? msg(waits ? "why.plan.turn" : "why.plan.no_steps_left")
        : msg("why.plan.steps", { ids: left.map((step) => step.id).join(", ") }),
    ],
    events: [],
  };
}

function explainEnded({ name, result, completed_at: at, summary }: TaskHistory["tasks"][number]) {
  return {
    kind: "plan" as const,
    name,
    status: result,
    reasons: [],
    next: [msg("why.plan.ended", { at, summary })],
    events: [],
  };
}
