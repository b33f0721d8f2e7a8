// Over HTTP, too, no task is without an agent (S6.5b).
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServerWorld, serverWorld } from "./world.ts";

let world: ServerWorld;
beforeAll(async () => {
  world = serverWorld();
  await world.serve();
});
afterAll(() => world.end());

test("S6.5b a task whose agent is neither given nor configured is refused, a draft and a run too, and none is made", async () => {
  for (const more of [
    { type: "custom" },
    { type: "custom", submit: true },
    { type: "plan" },
    { type: "develop" },
    { type: "request" },
  ]) {
    const body = { title: "T", description: "D", ...more };
    const { status, json } = await world.call("/api/tasks", { body });
    expect([more, status]).toEqual([more, 409]);
    expect(json.error).toMatchObject({
      code: "refused",
      message: "No agent is configured for this project. Nothing was started.",
      hint: expect.stringContaining("in the API: “agent”"),
    });
  }
  expect((await world.call("/api/tasks")).json["tasks"]).toEqual([]);
  expect((await world.call("/api/settings")).json).toMatchObject({ agent: null });
  const body = { type: "custom", title: "T", description: "D", agent: "sample" };
  expect((await world.call("/api/tasks", { body })).json).toMatchObject({ agent: "sample" });
});
