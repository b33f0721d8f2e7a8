// A plan that no session drives, on real documents: its conductor is asked by a fresh reader after every
// step, as after a kill there, and says the same; nothing is lost, nothing is done twice.
import { takePlanStep } from "../../src/app/_plan-step.ts";
import { describe, expect, test } from "vitest";
import { planConductor } from "../../src/app/conduct/plan.ts";
import { startPlan } from "../../src/app/planning.ts";
import type { Context } from "../../src/app/operation.ts";
import type { Order, OrderOutcome, Orders } from "../../src/workflows/orders.ts";
import { closing, plan, verdict } from "./play.ts";
import { PlanProject } from "./world.ts";

const limit = { timeout: 600_000 };

/** In a context of its own, which is closed: nothing but disk and database stays. */
async function apart<T>(project: PlanProject, work: (context: Context) => Promise<T>): Promise<T> {
  const context = project.context();
  try {
    return await work(context);
  } finally {
    await context.close();
  }
}

const ordersOf = (project: PlanProject, id: string): Promise<Orders> =>
  apart(project, (context) => planConductor.orders(context, id));

type Answers = (
  order: Order,
) => Omit<Extract<OrderOutcome, { kind: "done" }>, "kind" | "key"> | OrderOutcome;

const done = (words: string, files: Record<string, string> = {}) =>
  ({ commit: null, changed: [], words, files, tokens: 10 }) as const;

/** Begun and told twice each, by readers that know nothing of each other. */
async function conduct(project: PlanProject, id: string, answers: Answers): Promise<string[]> {
  const played: string[] = [];
  for (let turn = 0; turn < 60; turn++) {
    const now = await ordersOf(project, id);
    expect(await ordersOf(project, id)).toEqual(now);
    if (now.kind !== "orders")
      return [...played, `${now.kind === "ended" ? now.result : now.kind}: ${now.why}`];
    if (now.orders.length === 0) return played;
    for (const order of now.orders) {
      const { key } = order;
      const begun = await apart(project, (context) => planConductor.begin(context, id, key));
      expect(await apart(project, (context) => planConductor.begin(context, id, key))).toBe(begun);
      // What came of one before may have made it unwanted.
      if (!begun) continue;
      const given = answers(order);
      const outcome: OrderOutcome = "kind" in given ? given : { kind: "done", key, ...given };
      for (let told = 0; told < 2; told++)
        await apart(project, (context) => planConductor.take(context, id, outcome));
      played.push(key);
      await project.check();
    }
  }
  throw new Error("it does not end");
}

const usual: Answers = (order) => {
  if (order.kind !== "agent") throw new Error(order.kind);
  if (order.role === "planner")
    return done("", {
      ".holdfast/plan.json": plan([{ id: 1 }, { id: 2 }, { id: 3, needs: [1, 2] }]),
    });
  if (order.role === "verifier") return done("", { ".holdfast/verdict.json": verdict([true]) });
  if (order.role === "closer") return done("", { ".holdfast/lessons.json": closing });
  return done(`${order.key} done`);
};

describe("a plan without a session", () => {
  test(
    "S3.2 goes from order to order, through every boundary, and starts the next",
    limit,
    async () => {
      const project = new PlanProject();
      const wish = { goal: "Ship it", driver: "headless", agent: "sample" } as const;
      const first = await apart(project, (context) => startPlan(context, wish));
      const second = await apart(project, (context) =>
        startPlan(context, { ...wish, goal: "And then", queue: true }),
      );
      expect(second).toMatchObject({ queued: 1 });
      expect(await ordersOf(project, second.taskId)).toMatchObject({ kind: "orders", orders: [] });
      await project.memory("set", "shared_data.topic", "anchors");
      await project.memory("set", "agents.writer.preferences.tone", "plain");
      const prompts: string[] = [];
      const played = await conduct(project, first.taskId, (order) => {
        if (order.kind === "agent") prompts.push(order.prompt);
        return usual(order);
      });
      expect(played).toEqual([
        "plan-1",
        "step-1-1",
        "step-2-1",
        "step-3-1",
        "judge-3",
        "close-4",
        "completed: The plan ended: success.",
      ]);
      // S3.9 shared context and own memory are in each prompt.
      for (const prompt of prompts) expect(prompt).toContain('"topic": "anchors"');
      expect(prompts[1]).toContain('"tone": "plain"');
      expect(project.history().tasks).toMatchObject([
        { result: "success", metrics: { steps_completed: 3, tokens_used: 60 } },
      ]);
      expect(project.state().current_task?.id).toBe(second.plan);
      expect(await conduct(project, second.taskId, usual)).toHaveLength(7);
      expect(project.history().statistics).toMatchObject({ total_tasks: 2, success_rate: 1 });
    },
  );

  test(
    "S3.8 failures, a refused answer and a person's word; a paused plan wants nothing",
    limit,
    async () => {
      const project = new PlanProject();
      const wish = { goal: "Ship it", driver: "headless", review: true } as const;
      const { taskId } = await apart(project, (context) => startPlan(context, wish));
      const fails = new Map([
        ["step-1-1", "validation: no title"],
        ["step-3-1", "structural: no such API"],
        ["step-4-1", "critical: gone"],
      ]);
      let [bad, asked] = [true, 0];
      const played = await conduct(project, taskId, (order) => {
        const { key } = order;
        if (order.kind === "ask") {
          asked++;
          return { kind: "answered", key, answer: order.unit === "approve" ? "approve" : "retry" };
        }
        if (key.startsWith("plan-") && bad) {
          bad = false;
          return done("", { ".holdfast/plan.json": "{}" });
        }
        const reason = fails.get(key);
        if (reason !== undefined) return { kind: "failed", key, why: "agent", reason };
        // The second plan keeps what is finished.
        if (
          key.startsWith("plan-") &&
          order.kind === "agent" &&
          order.prompt.includes("no such API")
        )
          return done("", { ".holdfast/plan.json": plan([{ id: 4, needs: [1] }]) });
        return usual(order);
      });
      expect(asked).toBe(3);
      expect(played.filter((key) => key === "step-1-2" || key === "step-4-2")).toHaveLength(2);
      expect(played.at(-1)).toBe("completed: The plan ended: success.");
      expect(project.history().tasks).toMatchObject([
        { metrics: { retries: 2, steps_completed: 3 } },
      ]);
    },
  );

  test(
    "S3.2 pause, resume and cancel end no work twice; an outcome of no order changes nothing",
    limit,
    async () => {
      const project = new PlanProject();
      const { taskId } = await apart(project, (context) =>
        startPlan(context, { goal: "Ship it", driver: "headless" }),
      );
      await conduct(project, taskId, (order) =>
        order.kind === "agent" && order.role === "planner"
          ? usual(order)
          : ({ kind: "failed", key: order.key, why: "cancelled", reason: "ended" } as const),
      );
      // A person ended its agents: it waits for them.
      expect(project.state().current_task?.status).toBe("paused");
      // As `plan resume` does before it carries it out.
      await apart(project, (context) =>
        takePlanStep(context, {
          event: { on: "resume", driver: undefined },
          owner: null,
          resume: true,
        }),
      );
      const now = await ordersOf(project, taskId);
      expect(now.kind === "orders" && now.orders.map(({ key }) => key)).toEqual([
        "step-1-2",
        "step-2-1",
      ]);
      const stale: OrderOutcome = { kind: "done", key: "step-1-1", ...done("late") };
      await apart(project, (context) => planConductor.take(context, taskId, stale));
      expect(project.state().current_task?.plan.steps[0]?.status).toBe("pending");
      expect(
        await apart(project, (context) => planConductor.begin(context, taskId, "step-3-1")),
      ).toBe(false);
      await project.plan("cancel");
      expect(await ordersOf(project, taskId)).toMatchObject({ kind: "ended", result: "failed" });
      await expect(ordersOf(project, "task_none")).rejects.toMatchObject({ code: "not_found" });
    },
  );
});
