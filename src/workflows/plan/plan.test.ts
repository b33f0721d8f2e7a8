// Plans, played without a disk: how one is made, worked through and ended (S3.2, S3.3, S3.7b, S3.8).
import { describe, expect, test } from "vitest";
import { Play, closing, plan, verdict } from "../../../test/plan/play.ts";
import { render } from "../../core/messages.ts";

const two = plan([{ id: 1 }, { id: 2 }, { id: 3, needs: [1, 2] }]);

function working(text = two): Play {
  const play = new Play();
  play.begin();
  play.answer(text);
  return play;
}

const questions = (play: Play): string[] =>
  play.orders().flatMap((order) => (order.kind === "ask" ? [order.question] : []));

describe("a plan from its goal to its history", () => {
  test("S3.2 what does not depend on each other is ordered at once, the rest when it may", () => {
    const play = new Play();
    expect(play.begin("Ship it\nby May")).toEqual({
      kind: "begun",
      plan: "task-2026-01-31-001",
      queued: 0,
    });
    expect(play.task).toMatchObject({
      name: "Ship it",
      status: "in_progress",
      plan: { goal: "Ship it\nby May", steps: [] },
      context: { user_request: "Ship it\nby May" },
    });
    const [planner] = play.orders();
    expect(planner).toMatchObject({
      kind: "agent",
      role: "planner",
      merges: false,
      wanted: [".holdfast/plan.json"],
    });
    play.answer(two);
    expect(play.keys()).toEqual(["step-1-1", "step-2-1"]);
    expect(play.done("step-2-1", "two is done")).toBe(true);
    expect(play.step(2)).toMatchObject({ status: "completed", output: "two is done", error: null });
    expect(play.keys()).toEqual(["step-1-1"]);
    play.done("step-1-1");
    expect(play.keys()).toEqual(["step-3-1"]);
    const [third] = play.orders();
    expect(third?.kind === "agent" ? third.prompt : "").toContain("two is done");
    play.done("step-3-1");
    expect(play.orders()).toMatchObject([{ role: "verifier", merges: false }]);
    play.answer(verdict([true]));
    expect(play.orders()).toMatchObject([{ role: "closer" }]);
    play.now += 90_500;
    play.answer(closing);
    expect(play.task).toBeNull();
    expect(play.world.history).toMatchObject({
      tasks: [
        {
          id: "task-2026-01-31-001",
          result: "success",
          duration_seconds: 90.5,
          summary: "It was done.",
          lessons: ["test first"],
          metrics: { steps_total: 3, steps_completed: 3, retries: 0, tokens_used: 0 },
        },
      ],
      statistics: { total_tasks: 1, success_rate: 1, avg_duration_seconds: 90.5 },
    });
    expect(play.ended[0]).toMatchObject({ stage: "ended", result: "success" });
    const moves = play.journal.map(({ machine, id, to }) => `${machine} ${id} ${to}`);
    expect(moves.at(0)).toBe("plan-task task-2026-01-31-001 in_progress");
    expect(moves.at(-1)).toBe("plan-task task-2026-01-31-001 completed");
  });

  test.each([
    [[true, true], "success", "completed"],
    [[true, false], "partial", "completed"],
    [[false, false], "failure", "failed"],
  ] as const)("S3.7b criteria met %j: %s", (met, result, status) => {
    const play = working(plan([{ id: 1 }], ["a", "b"]));
    play.finish(met);
    expect(play.world.history.tasks[0]?.result).toBe(result);
    expect(play.ended[0]?.task?.status).toBe(status);
  });

  test("S3.7b lessons are written from issues and retries", () => {
    const play = working(plan([{ id: 1 }]));
    play.failed("step-1-1", "validation: the title is missing");
    play.done("step-1-2");
    play.answer(verdict([true]));
    const [closer] = play.orders();
    const prompt = closer?.kind === "agent" ? closer.prompt : "";
    expect(prompt).toContain("the title is missing → done after 1 retries");
    expect(prompt).toContain("Retries: 1.");
    // Without usable lessons it ends all the same, and that is told.
    for (let tries = 0; tries < 4; tries++) play.answer("{}");
    expect(play.world.history.tasks[0]).toMatchObject({ lessons: [], metrics: { retries: 1 } });
    expect(play.told.map(({ key }) => key)).toEqual(["plan.no_lessons"]);
  });

  test("tokens are counted once, however often an outcome is told", () => {
    const play = working(plan([{ id: 1 }]));
    const outcome = {
      kind: "done",
      key: "step-1-1",
      commit: null,
      changed: [],
      words: "ok",
      files: {},
      tokens: 1_200,
    } as const;
    play.play(outcome);
    expect(play.play(outcome)).toBe(false);
    play.finish();
    expect(play.world.history.tasks[0]?.metrics?.tokens_used).toBe(1_200);
  });
});

describe("people (S3.2, S3.3)", () => {
  test("approve the steps, ask for others, or write their own", () => {
    const play = new Play();
    play.begin("Ship it", { review: true });
    play.answer(two);
    expect(play.keys()).toEqual(["approve-2"]);
    expect(questions(play)[0]).toContain("3 · step 3 (writer) ← 1, 2");
    expect(() => play.start(1)).toThrow(/the plan is at “approve”/);
    play.play({ kind: "answered", key: "approve-2", answer: "fewer steps, please" });
    const [planner] = play.orders();
    expect(planner?.kind === "agent" ? planner.prompt : "").toContain("fewer steps, please");
    play.answer(plan([{ id: 4 }]));
    play.do({
      on: "edit",
      text: plan([
        { id: 4, agent: "me" },
        { id: 9, needs: [4] },
      ]),
    });
    expect(play.run.stage).toBe("approve");
    expect(() => play.do({ on: "edit", text: plan([{ id: 4, needs: [5] }]) })).toThrow(
      "/steps: step 4 depends on 5, which is no step",
    );
    play.do({ on: "approve" });
    expect(play.keys()).toEqual(["step-4-1"]);
    expect(() => play.do({ on: "approve" })).toThrow(/No steps wait/);
    play.start(4);
    expect(() => play.do({ on: "edit", text: two })).toThrow(/Steps are at work: 4/);
    play.done("step-4-1");
    play.do({ on: "edit", text: plan([{ id: 9, needs: [4] }, { id: 10 }]) });
    expect(play.keys()).toEqual(["step-9-1", "step-10-1"]);
  });

  test("pause, resume and cancel; what ends while it is paused has been done", () => {
    const play = working();
    play.start(1);
    play.do({ on: "pause" });
    expect(play.do({ on: "pause" })).toEqual({ kind: "again" });
    expect(play.orders()).toEqual([]);
    expect(() => play.start(2)).toThrow(/is paused/);
    play.done("step-1-1");
    expect(play.step(1)?.status).toBe("completed");
    play.do({ on: "resume" });
    expect(play.keys()).toEqual(["step-2-1"]);
    play.start(2);
    play.do({ on: "cancel", plan: null });
    expect(play.task).toBeNull();
    expect(play.world.history.tasks[0]).toMatchObject({
      result: "failure",
      summary: "cancelled: 1 of 3 steps completed",
    });
    expect(() => play.do({ on: "resume" })).toThrow(/No plan is under way/);
    expect(play.done("step-2-1")).toBe(false);
  });

  test("one whose agent a person ended waits for them", () => {
    const play = working(plan([{ id: 1 }]));
    play.failed("step-1-1", "ended", "cancelled");
    expect(play.task).toMatchObject({ status: "paused", issues: [] });
    expect(play.step(1)).toMatchObject({ status: "pending", started_at: null });
    play.do({ on: "resume" });
    expect(play.keys()).toEqual(["step-1-2"]);
  });

  test("S3.3 one is current: another is refused, or waits and starts when its turn comes", () => {
    const play = working(plan([{ id: 1 }]));
    expect(() => play.begin("Another")).toThrow(/task-2026-01-31-001 “Ship it” is under way/);
    expect(play.begin("Another", { queue: true })).toMatchObject({ queued: 1 });
    expect(play.begin("A third", { queue: true })).toMatchObject({
      plan: "task-2026-01-31-003",
      queued: 2,
    });
    play.begin("A fourth", { queue: true });
    play.do({ on: "cancel", plan: "task-2026-01-31-004" });
    const session = play.world.context.session.id;
    play.now += 1_000;
    play.finish();
    expect(play.task).toMatchObject({
      id: "task-2026-01-31-002",
      status: "in_progress",
      started_at: "2026-01-31T09:00:01.000Z",
    });
    expect(play.world.context.session).toEqual({
      id: "session-2026-01-31-002",
      started_at: "2026-01-31T09:00:01.000Z",
    });
    expect(session).toBe("session-2026-01-31-001");
    expect(play.orders()).toMatchObject([{ key: "plan-1", role: "planner" }]);
    play.do({ on: "cancel", plan: null });
    expect(play.task?.name).toBe("A third");
    expect(() => play.do({ on: "cancel", plan: "task-2026-01-31-009" })).toThrow(/No plan/);
    // Ids of the day count on, also where no file has them any more.
    expect(play.begin("B", { queue: true, taken: ["task-2026-01-31-041"] })).toMatchObject({
      plan: "task-2026-01-31-042",
    });
  });

  test("S3.2 a failed plan is taken up again where it was, and counts once", () => {
    const play = working(plan([{ id: 1 }, { id: 2, needs: [1] }]));
    play.done("step-1-1");
    play.failed("step-2-1", "critical: no");
    play.do({ on: "decide", decision: "fail", step: null, because: "not now" });
    play.answer(closing);
    const [ended] = play.ended;
    if (!ended) throw new Error("it ended");
    expect(play.world.history.statistics).toMatchObject({ total_tasks: 1, success_rate: 0 });
    play.do({ on: "recover", run: ended });
    expect(play.task).toMatchObject({ id: "task-2026-01-31-001", status: "in_progress" });
    expect(play.keys()).toEqual(["step-2-2"]);
    // It stays current: its end in the history is an earlier one.
    play.do({ on: "settle" });
    play.done("step-2-2");
    play.finish();
    expect(play.world.history.tasks).toMatchObject([{ result: "success" }]);
    expect(play.world.history.statistics).toMatchObject({ total_tasks: 1, success_rate: 1 });
    const [, completed] = play.ended;
    expect(() => play.do({ on: "recover", run: completed ?? ended })).toThrow(/not a failed plan/);
  });
});

describe("sessions (S3.9)", () => {
  test("a step belongs to who began it; one whose session is gone is open again", () => {
    const play = working();
    play.start(1, "a");
    expect(() => play.start(1, "b")).toThrow(/belongs to the session “a”/);
    const done = { on: "done", step: 1, session: "b", output: "mine" } as const;
    expect(() => play.do(done)).toThrow(/belongs to the session “a”/);
    play.do({ on: "settle" }, [1]);
    expect(play.step(1)).toMatchObject({ status: "pending", started_at: null });
    play.start(1, "b");
    play.do(done);
    expect(play.do(done)).toEqual({ kind: "again" });
    expect(() => play.do({ ...done, session: "a" })).toThrow(/is completed/);
  });

  test("S3.7 a current plan that has ended by the history is put right, and told", () => {
    const play = working(plan([{ id: 1 }]));
    const { task } = play;
    play.finish();
    play.world = { ...play.world, state: { ...play.world.state, current_task: task } };
    play.do({ on: "settle" });
    expect(play.task).toBeNull();
    expect(play.told.map((text) => render("en", text))[0]).toContain("has ended according to");
  });
});
