import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { zipPath } from "../../src/engine/zip-place.ts";
import { courses } from "./courses.ts";
import { closeWorld, endAll } from "./stage.ts";
import { type EngineWorld, type Open, engineWorld } from "./world.ts";

let world: EngineWorld;
let open: Open;
beforeEach(async () => {
  world = engineWorld();
  open = await world.open();
  await open.service.start();
});
afterEach(async () => {
  await endAll(open);
  await open.close();
  await closeWorld(world);
  // oxlint-disable-next-line vitest/no-standalone-expect -- holds for every test here
  expect(world.complaints).toEqual([]);
});

describe("a machine without any other agent", () => {
  test("S6.5 the sample agent brings a task of every type to its end, by itself and without a key", async () => {
    await open.close();
    // At once instead of at the pace at which a person can follow.
    const sample = ["env", "HOLDFAST_SAMPLE_PACE=1", ...world.sample];
    open = await world.open({ programs: { sample, find: () => undefined } });
    await open.service.start();
    const types = ["create_app", "modify_app", "workflow", "custom"];
    const made = await Promise.all(types.map((type) => open.submit({ type, title: "A list" })));
    const ended = made.map(async ({ id }) => {
      for (;;) {
        const task = await open.until(
          id,
          ({ status, questions, reviews }) =>
            status === "completed" || questions.length > 0 || reviews.length > 0,
        );
        if (task.status === "completed") return task;
        if (task.reviews.length > 0) await open.tasks.approve(id, {});
        else await open.tasks.answer(id, { answer: await firstOption(id) });
      }
    });
    for (const task of await Promise.all(ended))
      expect(task).toMatchObject({ agent: "sample", progress: 100, failure: null });
  });
});

describe("a task with everything real (S1)", () => {
  test("S1.4b custom: written, claimed, checked, completed; the result is a branch and a ZIP", async () => {
    const { id } = await open.submit({
      script: "say hello\nwrite notes.md all is well\ndone written",
    });
    const task = await open.until(
      id,
      ({ status }) => status === "completed" || status === "failed",
    );
    expect(task).toMatchObject({ status: "completed", progress: 100, failure: null });
    expect(readFileSync(join(task.workspace ?? "", "notes.md"), "utf8")).toContain("all is well");
    expect(existsSync(zipPath(world.home, id))).toBe(false);
    expect((await open.outputs.zip(id, undefined, "/")).path).toBe(zipPath(world.home, id));
    const journal = await open.store.transitions({ taskId: id });
    expect(journal.map(({ machine, from, to }) => `${machine} ${from}→${to}`)).toEqual([
      "task none→draft",
      "task draft→pending",
      "task pending→in_progress",
      "agent idle→running",
      "agent running→running",
      "task in_progress→completed",
      "agent running→completed",
    ]);
  });

  test("S1.17 create_app makes its 9 + 5 documents; a placeholder is refused first, changes are made", async () => {
    const { id } = await open.submit({
      type: "create_app",
      title: "A list",
      script: courses["create_app"]?.script ?? "",
    });
    const asked = await open.until(id, ({ questions }) => questions.length > 0);
    expect(asked).toMatchObject({ status: "in_progress", agentStatus: "waiting_question" });
    await open.tasks.answer(id, { answer: "blue" });
    const needed = await open.until(id, ({ dependencies }) => dependencies.length > 0);
    expect(needed.blockedBy).toBe("dependency");
    await open.tasks.provide(id, { value: "s3cret-value" });
    for (let phase = 1; phase <= 4; phase++) {
      const review = await open.until(
        id,
        ({ reviews, status }) => reviews.length > 0 || status === "failed",
      );
      expect(review).toMatchObject({ status: "review", currentPhase: phase, failure: null });
      if (phase === 2) {
        const comments = [{ path: "docs/design/01_screen.md", line: 1, text: "which screen?" }];
        await open.tasks.requestChanges(id, { feedback: "Name the screen.", comments });
        await open.until(
          id,
          ({ reviews }) => reviews.length > 0 && reviews[0] !== review.reviews[0],
        );
      }
      await open.tasks.approve(id, {});
    }
    const task = await open.until(id, ({ status }) => status === "completed");
    const state = await open.tasks.state(id);
    const attempts = [...state.entities.attempt.values()];
    expect(attempts.filter(({ status }) => status === "failed")).toHaveLength(1);
    expect(readFileSync(join(task.workspace ?? "", "answer.txt"), "utf8")).toContain("Blue");
    expect(task).toMatchObject({ progress: 100, tokens: 1200 });
  });
});

// --- internal ---

async function firstOption(id: string): Promise<string> {
  const { entities } = await open.tasks.state(id);
  const question = [...entities.question.values()].find(({ status }) => status === "open");
  return question?.data.options[0] ?? "yes";
}
