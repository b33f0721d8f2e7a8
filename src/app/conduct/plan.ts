// A plan that no session drives: what should be under way, from the same files that sessions share.
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { TaskRow } from "../../store/database/store.ts";
import {
  headlessSession,
  endedOrders,
  eventOf,
  planOrders,
  stepIn,
} from "../../workflows/plan/orders.ts";
import type { Asking } from "../../workflows/plan/prompts.ts";
import { askingOf, readPlan } from "../_plan-read.ts";
import { planOf, workflow } from "../_plan-rows.ts";
import { refusedPlan, takePlanStep } from "../_plan-step.ts";
import type { Context } from "../operation.ts";
import type { Conductor } from "./conductor.ts";

export const planConductor: Conductor = {
  orders: async (context, taskId) => {
    const row = await rowOf(context, taskId);
    const run = planOf(row);
    if (run.stage === "ended") return endedOrders(run, context.language);
    const asking = await currentAsking(context, row);
    // One that waits for its turn wants nothing yet.
    const planning = run.stage === "plan" || run.stage === "approve";
    const place = { phase: planning ? 1 : 2, phases: 2, name: run.stage };
    return { kind: "orders", orders: asking ? planOrders(asking) : [], place };
  },
  begin: async (context, taskId, key) => {
    const asking = await currentAsking(context, await rowOf(context, taskId));
    const order = asking && planOrders(asking).find((one) => one.key === key);
    if (!order) return false;
    const step = stepIn(key);
    if (step === null) return true;
    const since = new Date().toISOString();
    // Its end is told by who conducts it, so no time of ours ends its claim.
    const holder = {
      session: headlessSession,
      process: null,
      since,
      until: Number.MAX_SAFE_INTEGER,
    };
    const done = await takePlanStep(context, { event: { on: "start", step, holder }, owner: null });
    return done.ok;
  },
  take: async (context, taskId, outcome) => {
    const asking = await currentAsking(context, await rowOf(context, taskId));
    const event = asking && eventOf(asking, outcome);
    if (!event) return;
    const done = await takePlanStep(context, { event, owner: null });
    if (!done.ok) throw refusedPlan(done);
  },
};

// --- internal ---

async function rowOf(context: Context, taskId: string): Promise<TaskRow> {
  const row = await (await context.store()).task(taskId);
  if (row?.workflow !== workflow) throw new Fault("not_found", msg("plan.unknown", { id: taskId }));
  return row;
}

/** Undefined: another plan is current. */
async function currentAsking(context: Context, row: TaskRow): Promise<Asking | undefined> {
  const { task, run } = await readPlan(context);
  if (!task || !run || task.id !== planOf(row).plan) return undefined;
  return askingOf(context, task, run);
}
