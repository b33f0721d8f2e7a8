// Budgets with real agents (S1.21c): a task stops where its limit is and asks; nothing new starts
// above the day's.
import { expect, test } from "vitest";
import { inside, isOver, onStage, settings, soon } from "./stage.ts";

const stage = onStage({ slots: 3 });
const look = (id: string) => inside(stage.open, id);

/** Ten tokens a step, twelve of them; after each so many it waits long enough to be stopped there. */
const spender = (steps: number): string => {
  const step = (_: unknown, n: number): string =>
    `usage 10 0.1\nsay step ${n + 1}.${(n + 1) % steps === 0 ? "\nsleep 2000" : ""}\n`;
  return `${Array.from({ length: 12 }, step).join("")}done x`;
};

test("S1.21c a task stops at its tokens and asks; continue is as much again; cancel ends it", async () => {
  settings(stage.world, "budgets: { task: { tokens: 50 } }");
  const { id } = await stage.open.submit({ script: spender(5) });
  const stopped = await stage.open.until(id, ({ questions }) => questions.length > 0);
  expect(stopped).toMatchObject({ agentStatus: "paused", tokens: 50 });
  const question = (await look(id)).entities.question.get(stopped.questions[0] ?? "");
  expect(question?.data).toMatchObject({ origin: "budget", options: ["continue", "cancel"] });
  // Stopped for good: frozen, and no slot held.
  await soon(async () => (await look(id)).agent.data.checkpoint.lastSaved).not.toBeNull();
  expect((await look(id)).agent.data.slot).toBe(false);
  await stage.open.tasks.answer(id, { answer: "continue" });
  const again = await stage.open.until(id, ({ questions }) => questions.length > 0);
  expect(again.tokens).toBe(100);
  await stage.open.tasks.answer(id, { answer: "cancel" });
  const task = await stage.open.until(id, isOver);
  expect(task).toMatchObject({ status: "failed", failure: { reason: "cancelled" } });
  expect((await look(id)).attempts).toEqual([]);
});

test("S1.21c a task that goes on within its raised budget completes with all it spent", async () => {
  settings(stage.world, "budgets: { task: { cost_usd: 0.8 } }");
  const { id } = await stage.open.submit({ script: spender(8) });
  await stage.open.until(id, ({ questions }) => questions.length > 0);
  await stage.open.tasks.answer(id, { answer: "continue" });
  const task = await stage.open.until(id, isOver);
  expect(task).toMatchObject({ status: "completed", tokens: 120 });
  expect(task.costUsd).toBeCloseTo(1.2);
});

test("S1.21c time is a budget: it stops when it is up, however quiet the agent is", async () => {
  settings(stage.world, "budgets: { task: { minutes: 0.02 } }");
  const { id } = await stage.open.submit({ script: "say hello\nsleep 60000\ndone x" });
  const stopped = await stage.open.until(id, ({ questions }) => questions.length > 0);
  expect(stopped.agentStatus).toBe("paused");
  const { spent } = (await look(id)).task.data;
  expect(spent.milliseconds).toBeGreaterThanOrEqual(1_200);
});

test("S1.21c the day's budget parks who works and keeps others from starting, until a person allows it", async () => {
  settings(stage.world, "budgets: { day: { tokens: 60 } }");
  const { id } = await stage.open.submit({ title: "First", script: spender(6) });
  const stopped = await stage.open.until(id, ({ questions }) => questions.length > 0);
  expect(stopped.tokens).toBe(60);
  const second = await stage.open.submit({ title: "Second", script: "usage 5\ndone x" });
  // The scheduler has looked at it more than once by the time the first one is over.
  await stage.open.tasks.answer(id, { answer: "continue" });
  const first = await stage.open.until(id, isOver);
  expect(first).toMatchObject({ status: "completed", tokens: 120 });
  expect((await look(id)).entities.question.size).toBe(1);
  expect((await stage.open.tasks.show(second.id)).status).toBe("pending");
  settings(stage.world, "budgets: { day: { tokens: 600 } }");
  const task = await stage.open.until(second.id, isOver);
  expect(task.status).toBe("completed");
});

test("S1.21c S1.20 a spent budget is as spent after the server came back", async () => {
  settings(stage.world, "budgets: { task: { tokens: 50 }, day: { tokens: 1000 } }");
  const { id } = await stage.open.submit({ script: spender(5) });
  await stage.open.until(id, ({ questions }) => questions.length > 0);
  await stage.again();
  const stopped = await stage.open.tasks.show(id);
  expect(stopped).toMatchObject({ agentStatus: "paused", tokens: 50 });
  expect(stopped.questions).toHaveLength(1);
  await stage.open.tasks.answer(id, { answer: "continue" });
  const again = await stage.open.until(id, ({ questions }) => questions.length > 0);
  expect(again.tokens).toBe(100);
});
