// A plan begins: its row as a task, its first documents, its place in the queue.
import type { PlanRun } from "../workflows/plan/run.ts";
import type { Message } from "../core/messages.ts";
import { tidyCaches } from "./_plan-caches.ts";
import { planOf, readPlans } from "./_plan-rows.ts";
import { refusedPlan, takePlanStep } from "./_plan-step.ts";
import type { Context } from "./operation.ts";

export interface PlanWish {
  readonly goal: string;
  readonly driver: PlanRun["driver"];
  /** Where another is under way: wait for its end. */
  readonly queue?: boolean | undefined;
  /** A person approves the steps before they begin. */
  readonly review?: boolean | undefined;
  /** Which agent works where no session does. */
  readonly agent?: string | undefined;
}

export interface Begun {
  /** The row's id, for who conducts it. */
  readonly taskId: string;
  /** task-2026-01-31-001 */
  readonly plan: string;
  /** Its place in the queue; 0: it is under way. */
  readonly queued: number;
  /** What was cleared away as it began. */
  readonly told: readonly Message[];
}

/** A Fault `refused` where another is under way and it may not wait. */
export async function startPlan(context: Context, wish: PlanWish): Promise<Begun> {
  const { goal, driver, queue = false, review = false, agent } = wish;
  const event = { on: "begin", goal, queue, review, driver, taken: [] } as const;
  const done = await takePlanStep(context, { event, owner: null, agent });
  if (!done.ok) throw refusedPlan(done);
  const { reply } = done;
  if (reply.kind !== "begun") throw new Error("a plan that was begun says so");
  const told = await tidyCaches(context, Date.now());
  const rows = await readPlans(await context.store(), (await context.projectRow()).id);
  const row = [...rows.values()].find((one) => planOf(one).plan === reply.plan);
  return { taskId: row?.id ?? "", plan: reply.plan, queued: reply.queued, told };
}
