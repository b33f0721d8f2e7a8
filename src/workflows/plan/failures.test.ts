// Plans that go wrong, played without a disk: answers that break their form, and each kind of failure on
// its own way (S3.8).
import { describe, expect, test } from "vitest";
import { Play, closing, plan, verdict } from "../../../test/plan/play.ts";

const two = plan([{ id: 1 }, { id: 2 }, { id: 3, needs: [1, 2] }]);

function working(text = two): Play {
  const play = new Play();
  play.begin();
  play.answer(text);
  return play;
}

const questions = (play: Play): string[] =>
  play.orders().flatMap((order) => (order.kind === "ask" ? [order.question] : []));

describe("an answer that breaks its form", () => {
  test("goes back to its author with the exact complaint, three times, then a person is asked", () => {
    const play = new Play();
    play.begin();
    const bad = JSON.stringify({
      success_criteria: [],
      step: [],
      steps: [{ id: 1, name: "", agent: "../x", dependencies: [7], files: ["../../etc"] }],
    });
    play.answer(bad);
    const [again] = play.orders();
    expect(again).toMatchObject({ key: "plan-2", continues: "plan-1" });
    const prompt = again?.kind === "agent" ? again.prompt : "";
    for (const said of [
      "/step: no such field",
      "/success_criteria: expected [1…500], got []",
      '/steps/0/name: expected "…" (1–20000), got ""',
      "/steps/0/agent: ",
      "/steps/0/files/0: ../../etc lies outside",
      "/steps: step 1 depends on 7, which is no step",
      bad,
    ])
      expect(prompt).toContain(said);
    play.answer("[");
    play.answer(
      plan([
        { id: 1, needs: [2] },
        { id: 2, needs: [1] },
      ]),
    );
    expect(play.run.complaint).toMatch(/circle: .*1.*2/);
    expect(play.run.asks).toBeNull();
    play.answer("no");
    expect(questions(play)[0]).toContain("No usable answer came for “plan”");
    play.play({ kind: "answered", key: "ask-1", answer: "retry" });
    // Another order than any before: what was begun under a key is found again under it.
    expect(play.keys()).toEqual(["plan-6"]);
    play.answer(two);
    expect(play.keys()).toEqual(["step-1-1", "step-2-1"]);
  });

  test("S3.7b a verdict judges every criterion, each once", () => {
    const play = working(plan([{ id: 1 }], ["a", "b"]));
    play.done("step-1-1");
    play.answer(verdict([true]));
    expect(play.run.complaint).toBe("/criteria: not judged: 2");
    play.answer(verdict([true, true, true]));
    expect(play.run.complaint).toContain("must be a number from 1 to 2");
    play.failed(play.keys()[0] ?? "", "gave up");
    expect(play.run.complaint).toBe("no answer came: gave up");
    play.answer(verdict([true, false]));
    expect(play.run).toMatchObject({ stage: "close", result: "partial" });
  });
});

describe("a step that fails (S3.8)", () => {
  test("transient: tried again, each time not before 2 s · 2^n", () => {
    const play = working(plan([{ id: 1 }]));
    for (const [retry, wait] of [2_000, 4_000, 8_000].entries()) {
      play.failed(`step-1-${retry + 1}`, "transient: the registry is down");
      expect(play.step(1)).toMatchObject({
        status: "failed",
        error: { type: "transient", message: "the registry is down", retries: retry },
      });
      expect(play.orders()).toMatchObject([
        { key: `step-1-${retry + 2}`, notBefore: play.now + wait },
      ]);
      expect(() => play.start(1)).toThrow(/is tried again after/);
      play.now += wait;
    }
    // Three retries are all there are: planned again.
    play.failed("step-1-4", "transient: still down");
    expect(play.orders()).toMatchObject([{ role: "planner" }]);
    expect(play.task?.issues).toHaveLength(4);
  });

  test("validation: revised at once, with what was found; then it is resolved", () => {
    const play = working(plan([{ id: 1, check: "npm test", files: ["a.md"] }]));
    expect(play.orders()).toMatchObject([
      { commands: ["npm test"], deliverables: [{ path: "a.md", minCharacters: 1 }] },
    ]);
    play.failed("step-1-1", "npm test ended with 1", "check");
    const [order] = play.orders();
    expect(order).toMatchObject({ key: "step-1-2", continues: "step-1-1" });
    expect(order).not.toHaveProperty("notBefore");
    const prompt = order?.kind === "agent" ? order.prompt : "";
    expect(prompt).toContain("npm test ended with 1");
    expect(prompt).toContain("Revise it");
    play.done("step-1-2");
    expect(play.task).toMatchObject({
      artifacts: [{ type: "file", path: "a.md", description: "step 1" }],
      issues: [{ step_id: 1, type: "validation", resolved: true }],
    });
    expect(play.step(1)?.error).toBeNull();
  });

  test("resource: another way is looked for", () => {
    const play = working(plan([{ id: 1 }]));
    play.failed("step-1-1", "resource: no GPU");
    const [order] = play.orders();
    expect(order?.kind === "agent" ? order.prompt : "").toContain("Find another way");
  });

  test("dependency: what it lacks is made by a new step; what is finished does not run again", () => {
    const play = working(
      plan([
        { id: 1, agent: "researcher" },
        { id: 2, needs: [1] },
      ]),
    );
    play.done("step-1-1");
    play.failed("step-2-1", "dependency: the sources have no dates");
    expect(play.step(2)).toMatchObject({ status: "failed", dependencies: [1, 3] });
    expect(play.step(3)).toMatchObject({ agent: "researcher", dependencies: [1] });
    expect(play.keys()).toEqual(["step-3-1"]);
    play.done("step-3-1", "with dates");
    const [order] = play.orders();
    expect(order).toMatchObject({ key: "step-2-2" });
    expect(order?.kind === "agent" ? order.prompt : "").toContain("with dates");
    play.done("step-2-2");
    play.finish();
    expect(
      play.journal.filter(({ id, trigger }) => id === "1" && trigger === "start"),
    ).toHaveLength(1);
  });

  test("dependency of a step that was to recover one: planned again", () => {
    const play = working(plan([{ id: 1 }]));
    play.failed("step-1-1", "dependency: nothing there");
    play.failed("step-2-1", "dependency: nothing there either");
    expect(play.orders()).toMatchObject([{ role: "planner" }]);
  });

  test("structural: planned again when those at work are done; finished work is kept", () => {
    const play = working(plan([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4, needs: [3] }]));
    play.done("step-1-1", "kept");
    play.start(2);
    play.failed("step-3-1", "structural: there is no such API");
    // Step 2 goes on; nothing else begins, and nobody plans over its head.
    expect(play.keys()).toEqual(["step-2-1"]);
    expect(() => play.start(4)).toThrow(/No step can begin now/);
    play.done("step-2-1");
    const [planner] = play.orders();
    expect(planner).toMatchObject({ role: "planner" });
    const prompt = planner?.kind === "agent" ? planner.prompt : "";
    expect(prompt).toContain("there is no such API");
    expect(prompt).toContain("number new steps from 5 on");
    expect(prompt).toContain("kept");
    play.answer(plan([{ id: 3, needs: [1] }]));
    expect(play.run.complaint).toBe("/steps/0/id: expected ≥ 5, got 3");
    play.answer(plan([{ id: 5, needs: [1, 2] }], ["another"]));
    expect(play.task?.plan.steps.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "1 completed",
      "2 completed",
      "5 pending",
    ]);
    expect(play.task?.issues).toMatchObject([{ resolved: true, resolution: "planned again" }]);
    play.done("step-5-1");
    play.finish();
    expect(play.world.history.tasks[0]).toMatchObject({ result: "success" });
  });

  test("structural for the third time: a person decides", () => {
    const play = working(plan([{ id: 1 }]));
    play.failed("step-1-1", "structural: a");
    play.answer(plan([{ id: 2 }]));
    play.failed("step-2-1", "structural: b");
    play.answer(plan([{ id: 3 }]));
    play.failed("step-3-1", "structural: c");
    expect(questions(play)[0]).toContain("Step 3 “step 3” failed (structural) after 0 retries: c");
    play.play({ kind: "answered", key: "ask-1", answer: "replan use another service" });
    const [planner] = play.orders();
    expect(planner?.kind === "agent" ? planner.prompt : "").toContain("use another service");
  });

  test("critical: a person is asked with a report, nothing new begins, and their word counts", () => {
    const play = working(plan([{ id: 1 }, { id: 2 }, { id: 3 }]));
    play.start(2);
    play.failed("step-1-1", "critical: the database is gone");
    expect(play.keys()).toEqual(["step-2-1", "ask-1"]);
    expect(() => play.start(3)).toThrow(/A person has to decide/);
    play.failed("step-2-1", "critical: the backups too");
    expect(questions(play)[0]).toMatch(/database is gone[^]*backups too/);
    play.play({ kind: "answered", key: "ask-2", answer: "retry" });
    expect(play.keys()).toEqual(["step-1-2", "step-2-2", "step-3-1"]);
    play.failed("step-1-2", "critical: still gone");
    play.play({ kind: "answered", key: "ask-3", answer: "fail" });
    expect(play.orders()).toMatchObject([{ role: "closer" }]);
    play.answer(closing);
    expect(play.world.history.tasks[0]).toMatchObject({ result: "failure" });
    expect(play.ended[0]?.task?.status).toBe("failed");
  });

  test("of two stuck steps one is tried again, and the other still asks", () => {
    const play = working(plan([{ id: 1 }, { id: 2 }]));
    play.start(2);
    play.failed("step-1-1", "critical: a");
    play.failed("step-2-1", "critical: b");
    play.do({ on: "decide", decision: "retry", step: 1, because: "" });
    expect(play.run.asks).toMatchObject({ step: 2 });
    expect(() => play.do({ on: "decide", decision: "retry", step: 1, because: "" })).not.toThrow();
    play.do({ on: "decide", decision: "retry", step: null, because: "" });
    expect(play.keys()).toEqual(["step-1-2", "step-2-2"]);
  });

  test("what an agent did not class is classed by how it came about", () => {
    const play = working(plan([{ id: 1 }]));
    play.failed("step-1-1", "the process died");
    expect(play.step(1)?.error?.type).toBe("transient");
    play.now += 60_000;
    play.failed("step-1-2", "a.md is missing", "check");
    expect(play.step(1)?.error?.type).toBe("validation");
  });
});
