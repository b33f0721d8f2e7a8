// What `plan` shows without changing anything.
import { nextDayId } from "../../core/ids.ts";
import { type Message, msg } from "../../core/messages.ts";
import type { PlanTask } from "../../formats/task-state.ts";
import { type PlanRun, stepRun } from "../../workflows/plan/run.ts";
import { type PlanNow, readPlan } from "../_plan-read.ts";
import { allPlans, planOf } from "../_plan-rows.ts";
import type { Context } from "../operation.ts";
import { type Part, type Planned, planActions } from "./plan.ts";

export const status: Part = async (context) => {
  const now = await readPlan(context, true);
  return shown(now, now.told);
};

/** The steps that are left, wave by wave; for a goal, what its plan would be called. */
export const dryRun: Part = async (context, given) => {
  const goal = planActions.some((one) => one === given.goal) ? undefined : given.goal;
  const now = await readPlan(context, true);
  const { task, state } = now;
  if (goal === undefined) return { ...shown(now), ...(task ? { waves: wavesOf(task) } : {}) };
  const known = await idsOf(context, now);
  const plan = nextDayId("task", new Date().toISOString().slice(0, 10), known);
  const ahead = state?.pending_tasks.length ?? 0;
  const says: Message[] = task
    ? [msg("plan.would_wait", { plan, id: task.id, name: task.name, ahead })]
    : [msg("plan.would_begin", { plan })];
  return { line: `DRY_RUN:${plan}`, says };
};

export function shown({ task, run, state }: PlanNow, says: readonly Message[] = []): Planned {
  const waiting = (state?.pending_tasks ?? []).map(({ id, name }) => ({ id, name }));
  if (!task || !run)
    return { line: "NONE", says: [...says, msg("plan.none")], plan: null, waiting };
  return {
    line: `${task.status.toUpperCase()}:${task.id}`,
    says: [...says, ...asksFor(task, run)],
    plan: viewOf(task, run),
    waiting,
  };
}

// --- internal ---

function viewOf(task: PlanTask, run: PlanRun): NonNullable<Planned["plan"]> {
  const { id, name, status: state, plan } = task;
  return {
    id,
    name,
    status: state,
    stage: run.stage,
    criteria: plan.success_criteria.map((criterion, place) => ({
      criterion,
      met: run.verdict?.[place]?.met ?? null,
    })),
    steps: plan.steps.map((step) => ({
      id: step.id,
      name: step.name,
      agent: step.agent,
      status: step.status,
      dependencies: step.dependencies,
      retries: stepRun(run, step.id).retries,
      error: step.error && `${step.error.type}: ${step.error.message}`,
    })),
    asks: run.asks?.report ?? null,
  };
}

/** What a person can do now. */
function asksFor(task: PlanTask, run: PlanRun): Message[] {
  if (task.status === "paused") return [msg("plan.paused.hint")];
  if (run.asks) return [msg("plan.asks.hint")];
  return run.stage === "approve" ? [msg("plan.approve.hint")] : [];
}

function wavesOf({ plan }: PlanTask): number[][] {
  const done = new Set(plan.steps.flatMap((one) => (one.status === "completed" ? [one.id] : [])));
  const waves: number[][] = [];
  let left = plan.steps.filter(({ id }) => !done.has(id));
  while (left.length > 0) {
    const wave = left.filter(({ dependencies }) => dependencies.every((id) => done.has(id)));
    if (wave.length === 0) break;
    for (const { id } of wave) done.add(id);
    waves.push(wave.map(({ id }) => id));
    left = left.filter(({ id }) => !done.has(id));
  }
  return waves;
}

async function idsOf(context: Context, { state, store }: PlanNow): Promise<string[]> {
  const open = [state?.current_task ?? [], state?.pending_tasks ?? []].flat().map(({ id }) => id);
  if (store === undefined) return open;
  const rows = await allPlans(store, (await context.projectRow()).id);
  return [...open, ...rows.map((row) => planOf(row).plan)];
}
