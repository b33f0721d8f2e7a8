import { describe, expect, test } from "vitest";
import { Play, answerOf, checkpoints, fails, passes } from "../../../test/develop/play.ts";
import { oursOf, withOurs } from "./apply.ts";
import { compare } from "./halt.ts";
import { promptOf } from "./prompts.ts";
import { type Means, atOnce, strategyFor } from "./strategy.ts";

const words = { language: "en", own: {}, path: "docs/develop/checkpoints.yaml" } as const;

describe("Halt (S0.5)", () => {
  // oxfmt-ignore
  test.each([
    ["5 passed",               0, "Tests  5 passed (5)",       true],
    ["5  Passed",              0, "tests\n5\npassed",          true],
    ["5 passed",               1, "5 passed, 1 failed",        false],
    ["5 passed",               0, "4 passed",                  false],
    ["all tests pass",         0, "",                          true],
    ["All tests should pass.", 0, "",                          true],
    ["모든 테스트 통과",        0, "",                          true],
    ["all tests pass",         1, "all tests pass",            false],
    ["exit 3",                 3, "usage",                     true],
    ["exit code 3",            0, "exit code 3",               false],
    ["ok",                     null, "ok",                     false],
  ] as const)("expected “%s” and exit %s with “%s” match: %s", (expected, code, output, matched) => {
    expect(compare(expected, { code, output }).matched).toBe(matched);
  });

  // oxfmt-ignore
  test.each([
    [127, "sh: 1: pnpm: not found",                     "ENV_ISSUE"],
    [127, "sh: 1: ./check.sh: not found",               "NOT_IMPLEMENTED"],
    [1,   "Error: Cannot find module './chat.js'",      "NOT_IMPLEMENTED"],
    [2,   "src/a.ts(1,2): error TS2322: Type 'string'", "TYPE_ERROR"],
    [1,   "AssertionError: expected 2 to be 3",         "LOGIC_ERROR"],
  ] as const)("exit %s with “%s” is %s", (code, output, failure) => {
    expect(compare("ok", { code, output })).toMatchObject({ matched: false, failure });
  });
});

const many = (count: number) =>
  checkpoints(...Array.from({ length: count }, (_, at) => `cp-${at + 1}`));

describe("the strategy (S0.6)", () => {
  const all: Means = { subagents: true, teams: true };
  const same = many(6).map((one) => ({ ...one, interface: ["src/chat.ts"] }));

  test("S0.6 one checkpoint, or all on the same files: direct; two to four apart: subagent; five: a team", () => {
    const chosen = [many(1), many(2), many(4), many(5), same].map((one) =>
      strategyFor(one, null, all),
    );
    expect(chosen).toEqual(["direct", "subagent", "subagent", "agent-teams", "direct"]);
    expect(strategyFor(checkpoints("cp-1", "cp-2 < cp-1"), null, all)).toBe("direct");
  });

  test("S0.6 what is given counts, and what is not available falls back, to direct in the end", () => {
    expect(strategyFor(many(5), "direct", all)).toBe("direct");
    expect(strategyFor(many(5), null, { subagents: true, teams: false })).toBe("subagent");
    expect(strategyFor(many(1), "agent-teams", { subagents: false, teams: false })).toBe("direct");
    expect([atOnce("direct", 9), atOnce("subagent", 9), atOnce("subagent", 2)]).toEqual([1, 4, 2]);
  });
});

describe("a run in sessions (S0)", () => {
  const two = checkpoints("cp-1", "cp-2 < cp-1");

  test("S0.1 S0.3 from design to done, the file is written at the moments there are, and never else", () => {
    const play = new Play();
    const wrote: number[] = [];
    const step = (done: { ok: boolean }): void => {
      expect(done.ok).toBe(true);
      wrote.push(play.writes);
    };
    expect(play.next()).toEqual({ kind: "ready", units: ["DESIGN"] });
    step(play.start("DESIGN"));
    step(play.do({ on: "designed", checkpoints: two, approved: false, session: "a" }));
    expect(play.next()).toMatchObject({ kind: "wait", person: true });
    step(play.do({ on: "approve" }));
    expect(play.state).toMatchObject({
      phase: "REVIEW",
      checkpoints: { "cp-1": { status: "pending", iteration: 0 } },
    });
    step(play.start("REVIEW"));
    step(play.do({ on: "reviewed", findings: null, session: "a" }));
    expect(play.state).toMatchObject({ phase: "IMPLEMENT", strategy: "direct" });
    expect(play.next()).toEqual({ kind: "ready", units: ["cp-1"] });
    step(play.start("cp-1"));
    step(play.start("cp-1"));
    step(play.done("cp-1", fails));
    step(play.done("cp-1", passes));
    step(play.start("cp-2"));
    step(play.done("cp-2", passes));
    expect(play.state).toMatchObject({
      phase: "MERGE",
      checkpoints: { "cp-1": { status: "passed", iteration: 2 } },
    });
    step(play.start("MERGE"));
    step(play.do({ on: "checked", unit: "MERGE", session: "a" }));
    step(play.do({ on: "approve" }));
    expect(play.next()).toEqual({ kind: "done" });
    //        start design approve | start review | cp-1 begin again fail pass | cp-2 begin pass+MERGE | start check DONE
    expect(wrote).toEqual([1, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 8, 9]);
  });

  test("S5.3 an event that a crash interrupted comes onto the file as a person changed it", () => {
    const play = Play.implementing(two);
    const before = { ...play.state, feature: "chat for all", owner: "Kim" };
    play.start("cp-1");
    expect(withOurs(before, { develop: oursOf(play.state) })).toEqual({
      ...play.state,
      feature: "chat for all",
      owner: "Kim",
    });
    expect(withOurs(before, { decided: [] })).toBe(before);
  });

  test("S0.5 success that is claimed while the validation fails does not pass, and counts as an attempt", () => {
    const play = Play.implementing(two);
    play.start("cp-1");
    expect(answerOf(play.done("cp-1", fails))).toMatchObject({
      kind: "retry",
      iteration: 2,
      failure: "LOGIC_ERROR",
    });
    expect(answerOf(play.done("cp-1", fails))).toMatchObject({ kind: "retry", iteration: 3 });
    expect(answerOf(play.done("cp-1", fails))).toMatchObject({ kind: "escalated" });
    expect(play.state.checkpoints?.["cp-1"]).toEqual({ status: "escalated", iteration: 3 });
    // What was tried is told, and what hangs on it does not begin.
    const next = play.next();
    expect(next).toMatchObject({ kind: "wait", person: true });
    expect(JSON.stringify(next)).toContain("3. LOGIC_ERROR: expected 2, got 3");
    expect(play.start("cp-2").ok).toBe(false);
  });

  test("S0.5 the second attempt is asked to read wider, the third to let a diagnosis be made", () => {
    const play = Play.implementing(two);
    play.start("cp-1");
    const prompt = (): string => promptOf(play.situation, "implementer", words, "cp-1");
    expect(prompt()).not.toContain("Read wider");
    play.done("cp-1", fails);
    expect(prompt()).toContain("Read wider");
    expect(prompt()).toContain("expected 2, got 3");
    play.done("cp-1", fails);
    expect(prompt()).toContain("diagnosis");
  });

  test.each(["DESIGN_MISMATCH", "ENV_ISSUE"] as const)(
    "S0.5 %s is a person's at once",
    (failure) => {
      const play = Play.implementing(two);
      play.start("cp-1");
      expect(answerOf(play.fail("cp-1", failure))).toEqual({ kind: "escalated", failure });
      expect(play.state.checkpoints?.["cp-1"]).toEqual({ status: "escalated", iteration: 1 });
    },
  );

  test("S0.3 a person opens an escalated checkpoint again at iteration 1, or lets it pass, journaled", () => {
    const play = Play.implementing(two);
    play.start("cp-1");
    play.fail("cp-1", "ENV_ISSUE");
    expect(play.do({ on: "retry", unit: "cp-1" }).ok).toBe(true);
    expect(play.state.checkpoints?.["cp-1"]).toEqual({ status: "in_progress", iteration: 1 });
    expect(play.do({ on: "skip", unit: "cp-1" }).ok).toBe(false);
    play.start("cp-1", "b");
    play.fail("cp-1", "ENV_ISSUE", "b");
    expect(play.do({ on: "skip", unit: "cp-1" }).ok).toBe(true);
    expect(play.journal.at(-1)).toMatchObject({
      id: "cp-1",
      to: "passed",
      trigger: "skip",
      metadata: { by: "person" },
    });
  });

  test("S0.7 the review sends the design back twice, then a person decides", () => {
    const play = new Play();
    for (const findings of ["no test", "no error path"]) {
      play.do({ on: "designed", checkpoints: two, approved: false });
      play.do({ on: "approve" });
      expect(play.do({ on: "reviewed", findings }).ok).toBe(true);
      expect(play.state.phase).toBe("DESIGN");
      expect(promptOf(play.situation, "designer", words)).toContain(findings);
    }
    play.do({ on: "designed", checkpoints: two, approved: false });
    play.do({ on: "approve" });
    const before = play.writes;
    expect(answerOf(play.do({ on: "reviewed", findings: "still none" }))).toEqual({ kind: "asks" });
    expect([play.state.phase, play.writes]).toEqual(["REVIEW", before]);
    expect(play.do({ on: "reviewed", findings: null }).ok).toBe(false);
    play.do({ on: "approve" });
    expect(play.state.phase).toBe("IMPLEMENT");
  });

  test("S0.7 a design that a person does not approve stays DESIGN, and nothing is written", () => {
    const play = new Play();
    play.do({ on: "designed", checkpoints: two, approved: false });
    play.do({ on: "send_back", feedback: "smaller steps" });
    expect([play.state.phase, play.writes]).toEqual(["DESIGN", 1]);
    expect(promptOf(play.situation, "designer", words)).toContain("smaller steps");
    expect(answerOf(play.do({ on: "approve" }))).toBe("develop.nothing_to_approve");
  });

  test("S0.3 S0.7 a merge that a person sends back is mended, checked as a whole and merged", () => {
    const play = Play.implementing(checkpoints("cp-1"));
    play.start("cp-1");
    play.done("cp-1", passes);
    expect(answerOf(play.do({ on: "approve" }))).toBe("develop.nothing_to_approve");
    play.do({ on: "checked", unit: "MERGE" });
    play.do({ on: "send_back", feedback: "no logging" });
    expect(play.state.phase).toBe("IMPLEMENT");
    expect(play.next()).toEqual({ kind: "ready", units: ["FIX"] });
    expect(promptOf(play.situation, "fixer", words)).toContain("no logging");
    play.do({ on: "checked", unit: "FIX" });
    expect(play.next()).toEqual({ kind: "ready", units: ["MERGE"] });
    play.do({ on: "checked", unit: "MERGE" });
    play.do({ on: "approve" });
    expect(play.state.phase).toBe("DONE");
  });

  test("S0.6 of several sessions each checkpoint is one's, and a report on another's is refused", () => {
    const play = Play.implementing(checkpoints("cp-1", "cp-2", "cp-3"), "subagent");
    expect(play.next("a")).toEqual({ kind: "ready", units: ["cp-1", "cp-2", "cp-3"] });
    play.start("cp-1", "a");
    expect(play.next("b")).toEqual({ kind: "ready", units: ["cp-2", "cp-3"] });
    expect(answerOf(play.start("cp-1", "b"))).toBe("develop.claimed");
    expect(answerOf(play.done("cp-1", passes, "b"))).toBe("develop.claimed");
    expect(answerOf(play.done("cp-2", passes, "b"))).toBe("develop.unclaimed");
    // Its session is gone: it goes on at its iteration, and the late report finds another's claim.
    play.done("cp-1", fails, "a");
    play.lost = new Set(["cp-1"]);
    const before = play.writes;
    expect(play.start("cp-1", "b").ok).toBe(true);
    play.lost = new Set();
    expect([play.writes, play.state.checkpoints?.["cp-1"]?.iteration]).toEqual([before, 2]);
    expect(answerOf(play.done("cp-1", passes, "a"))).toBe("develop.claimed");
    expect(play.done("cp-1", passes, "b").ok).toBe(true);
  });

  test("S0.9 resumed in a session, what waits for a person keeps waiting, IMPLEMENT goes on at its iteration", () => {
    const design = new Play();
    design.do({ on: "designed", checkpoints: two, approved: false });
    const waiting = design.next();
    design.do(resume);
    expect([design.next(), waiting.kind]).toEqual([waiting, "wait"]);
    expect(design.do({ on: "approve" }).ok).toBe(true);
    const play = Play.implementing(checkpoints("cp-1", "cp-2"), "direct");
    play.start("cp-1");
    play.done("cp-1", passes);
    play.start("cp-2");
    play.done("cp-2", fails);
    const before = play.writes;
    play.lost = new Set(["cp-2"]);
    play.do(resume);
    expect(play.writes).toBe(before);
    expect(play.next("b")).toEqual({ kind: "ready", units: ["cp-2"] });
    expect(play.start("cp-2", "b").ok).toBe(true);
    expect(play.state.checkpoints).toEqual({
      "cp-1": { status: "passed", iteration: 1 },
      "cp-2": { status: "in_progress", iteration: 2 },
    });
    play.done("cp-2", passes, "b");
    play.start("MERGE", "b");
    play.lost = new Set(["MERGE"]);
    play.do(resume);
    expect(play.next("c")).toEqual({ kind: "ready", units: ["MERGE"] });
    play.do({ on: "checked", unit: "MERGE" });
    play.do(resume);
    expect(play.next()).toMatchObject({ kind: "wait", person: true });
    expect(play.do({ on: "approve" }).ok).toBe(true);
    expect(play.state.phase).toBe("DONE");
  });

  test("S0.9 resumed without a session, work that was interrupted begins anew, and nothing else does", () => {
    const play = new Play({ headless: true, branch: "develop-1" });
    const found = { key: "DESIGN-1", task: "task_1" } as const;
    const again = { ...resume, headless: true } as const;
    for (const work of [null, { ...found, stands: "finished" }] as const)
      expect([play.do({ ...again, work }).ok, play.keys()]).toEqual([true, ["DESIGN-1"]]);
    const interrupted = { ...found, stands: "interrupted" } as const;
    play.do({ ...again, work: interrupted });
    expect(play.keys()).toEqual(["DESIGN-2"]);
    // Of what was there before, and is not asked for any more.
    play.do({ ...again, work: interrupted });
    expect(play.keys()).toEqual(["DESIGN-2"]);
  });

  test("S0.9 what is finished on one side is decided on there before the other side goes on", () => {
    const headless = new Play({ headless: true, branch: "develop-1" });
    const work = { key: "DESIGN-1", task: "task_1", stands: "finished" } as const;
    expect(answerOf(headless.do({ ...resume, work }))).toBe("develop.finished");
    expect([headless.run.headless, headless.keys()]).toEqual([true, ["DESIGN-1"]]);
    const session = new Play();
    session.do({ on: "designed", checkpoints: two, approved: false });
    expect(answerOf(session.do({ ...resume, headless: true }))).toBe("develop.waits_for_person");
    expect(session.do({ on: "approve" }).ok).toBe(true);
    expect(session.do({ ...resume, headless: true }).ok).toBe(true);
  });
});

const resume = { on: "resume", headless: false, branch: null, wish: null, work: null } as const;
