import { describe, expect, test } from "vitest";
import { fixtureOf } from "../../../test/fixtures/documents.ts";
import { Play, answerOf, rules } from "../../../test/orchestrate/play.ts";
import type { UnitStatus } from "../../core/vocabulary.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import { parseTaskList } from "../../formats/task-list.ts";
import { boardOf } from "./board.ts";
import { outlookOf } from "./outlook.ts";
import { withPlan } from "./plan.ts";
import { isRateLimit } from "./rate-limit.ts";
import { compare } from "./verify.ts";

const seed = (): OrchestrateState =>
  JSON.parse(fixtureOf("orchestrate-state").text) as OrchestrateState;

describe("a run of a plan (S2)", () => {
  const plan = `# Shop
## Phase 0
- [x] T0.1: repository
## Phase 1
- [ ] T1.1: model
- [ ] T1.2: pages
  - depends: T1.1
- [ ] T1.3: search
  - depends: T1.2
## Phase 2
- [ ] T2.1: launch
`;

  test("S2.1 S2.4 it begins with the seed's defaults, and what is checked off is completed", () => {
    const { state } = Play.of(plan);
    expect(state).toMatchObject({
      version: "2.0",
      mode: "ultra-thin",
      project: "Shop",
      execution: { current_phase: 1, worktree: null },
      config: { max_parallel: 0, retry_limit: 10, slack_webhook_url: null },
      metrics: { total_tasks: 5, completed_count: 1, failed_count: 0 },
    });
    expect(state.tasks.ready).toEqual(["T1.1", "T2.1"]);
  });

  test("S2.6 S2.11 the order of phases is a barrier, and the end is told", () => {
    const play = Play.of(plan);
    expect(play.next()).toEqual({ kind: "ready", ids: ["T1.1"], phase: 1 });
    expect(play.next(0)).toMatchObject({ kind: "phase_done", phase: 0 });
    expect(play.next(2)).toMatchObject({ kind: "error", code: "PHASE_WAITS", detail: "1" });
    expect(play.next(9)).toMatchObject({ kind: "error", code: "NO_SUCH_PHASE", detail: "9" });
    expect(play.start("T2.1")).toMatchObject({ ok: false, kind: "refused" });
    for (const id of ["T1.1", "T1.2", "T1.3"]) {
      expect(play.start(id).ok).toBe(true);
      expect(play.next()).toMatchObject({ kind: "wait", ids: [id] });
      play.done(id);
    }
    expect(play.next(1)).toMatchObject({ kind: "phase_done", phase: 1 });
    expect(play.next()).toEqual({ kind: "ready", ids: ["T2.1"], phase: 2 });
    play.start("T2.1");
    expect(play.done("T2.1")).toMatchObject({ ok: true, ended: [2], allDone: true });
    expect(play.next()).toEqual({ kind: "all_done", failed: 0 });
  });

  test("S2.3 a phase has its checkpoint: begun, its progress, and its end with all its tasks", () => {
    const play = Play.of(plan);
    play.start("T1.1");
    const now = new Date(play.at).toISOString();
    expect(play.state.checkpoints["phase_1"]).toEqual({ started_at: now, progress: "0/3" });
    play.at += 90_000;
    play.done("T1.1");
    expect(play.state.checkpoints["phase_1"]).toEqual({ started_at: now, progress: "1/3" });
    expect(play.state.metrics.average_task_time_seconds).toBe(90);
    for (const id of ["T1.2", "T1.3"]) {
      play.start(id);
      play.at += 30_000;
      play.done(id);
    }
    const ended = new Date(play.at).toISOString();
    expect(play.state.checkpoints["phase_1"]).toEqual({
      started_at: now,
      progress: "3/3",
      completed_at: ended,
      tasks_count: 3,
      tasks: ["T1.1", "T1.2", "T1.3"],
    });
    expect(play.state.execution).toMatchObject({ current_phase: 2, last_updated: ended });
    expect(play.state.metrics).toMatchObject({ completed_count: 4, average_task_time_seconds: 50 });
  });

  test("S2.6 the last report of a phase needs the phase's commands to have run", () => {
    const play = Play.of("- [ ] T1.1: a\n- [ ] T1.2: b\n");
    play.start("T1.1");
    play.start("T1.2");
    expect(play.done("T1.1", "a", false).ok).toBe(true);
    expect(play.done("T1.2", "a", false)).toMatchObject({ ok: false, kind: "gate" });
    expect(play.done("T1.2", "a", true).ok).toBe(true);
  });

  test("S2.1 in mode normal a person lets each phase begin", () => {
    const play = Play.of("- [ ] T1.1: a\n- [ ] T2.1: b\n", "normal");
    play.start("T1.1");
    play.done("T1.1");
    expect(play.next()).toEqual({ kind: "phase_done", phase: 1, asks: true });
    expect(play.start("T2.1")).toMatchObject({ ok: false, kind: "refused" });
    play.run = { ...play.run, agreed: 2 };
    expect(play.next()).toMatchObject({ kind: "ready", ids: ["T2.1"] });
    expect(play.start("T2.1").ok).toBe(true);
  });

  test("S2.4 what is said explicitly wins over the order of phases", () => {
    const play = Play.of("- [ ] T1.1: a\n  - depends: T2.2\n- [ ] T2.1: b\n- [ ] T2.2: c\n");
    expect(play.next()).toMatchObject({ kind: "ready", ids: ["T2.2"], phase: 1 });
    play.start("T2.2");
    play.done("T2.2");
    expect(play.next()).toMatchObject({ kind: "ready", ids: ["T1.1"] });
    expect(outlookOf(boardOf(play.state, play.facts)).phases.map(({ phase }) => phase)).toEqual([
      1, 2,
    ]);
  });

  test("S2.2 a unit that needs one which stands in no list waits for it, and nobody is handed that one", () => {
    const play = Play.of("- [ ] T1.1: a\n- [ ] T1.2: b\n");
    const dependencies = { "T1.1": ["T1.9"], "T1.9": ["T1.2"] };
    play.state = { ...play.state, dependencies };
    expect(play.next()).toMatchObject({ kind: "ready", ids: ["T1.2"] });
    expect(play.start("T1.1")).toMatchObject({ ok: false, kind: "refused" });
    expect(play.start("T1.9")).toMatchObject({ ok: false, kind: "not_found" });
    play.start("T1.2");
    play.done("T1.2");
    expect(play.next()).toEqual({ kind: "wait", ids: [] });
  });

  test("S2.1 max_parallel limits what is handed out, 0 stands for the slots", () => {
    const play = Play.of("- [ ] T1.1: a\n- [ ] T1.2: b\n- [ ] T1.3: c\n");
    play.rules = { ...rules, slots: 2 };
    expect(play.next()).toMatchObject({ kind: "ready", ids: ["T1.1", "T1.2"] });
    play.start("T1.1");
    expect(play.next()).toMatchObject({ kind: "ready", ids: ["T1.2"] });
    play.start("T1.3");
    expect(play.next()).toMatchObject({ kind: "wait" });
    expect(play.start("T1.2")).toMatchObject({ ok: false, why: { key: "unit.no_slot" } });
    const { config } = play.state;
    play.state = { ...play.state, config: { ...config, max_parallel: 3 } };
    expect(play.start("T1.2").ok).toBe(true);
  });
});

describe("attempts that fail (S2.5)", () => {
  const plan =
    "- [ ] T1.1: a\n- [ ] T1.2: b\n  - depends: T1.1\n- [ ] T1.3: c\n  - depends: T1.2\n";

  test("it is ready again until its retries are used up, and later ones get more context", () => {
    const play = Play.of(plan);
    const words = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "ibex", "jay"];
    const answers = tries(play, words);
    expect(answers.map((answer) => (answer as { context: string }).context).join(" ")).toBe(
      "plain plain plain read_code read_code read_code debug debug debug last",
    );
    expect(play.state.tasks.ready).toEqual(["T1.1"]);
    play.start("T1.1");
    expect(answerOf(play.fail("T1.1", "koi"))).toEqual({ kind: "failed", blocked: 2 });
    expect(play.state.tasks).toMatchObject({ failed: ["T1.1"], blocked: ["T1.2", "T1.3"] });
    expect(play.state.metrics.failed_count).toBe(1);
    expect(play.next()).toMatchObject({ code: "PHASE_FAILED", detail: "1:T1.1" });
  });

  test("the same error three times in a row ends early; numbers and paths do not tell them apart", () => {
    const play = Play.of(plan);
    const answers = tries(play, ["x", "line 3 of /a/b", "line 4 of /a/c", "line 5 of /d"]);
    expect(answers.at(-2)).toMatchObject({ kind: "retry", retry: 3 });
    expect(answers.at(-1)).toEqual({ kind: "failed", blocked: 2 });
  });

  test("a rate limit is no attempt", () => {
    const play = Play.of(plan);
    const limits = Array.from({ length: 12 }, () => "Rate limit reached, resets at 3pm");
    expect(tries(play, limits)).toEqual(limits.map(() => ({ kind: "limited" })));
    expect(play.units.get("T1.1")).toMatchObject({ retries: 0, errors: [], holder: null });
    expect(play.state.tasks.ready).toEqual(["T1.1"]);
    for (const said of ["HTTP 429", "too many requests", "usage limit", "사용량 한도 초과"])
      expect(isRateLimit(said)).toBe(true);
    for (const said of ["error at line 429", "limit of the array", "test 429 failed"])
      expect(isRateLimit(said)).toBe(false);
  });

  test("in mode ralph it is repeated as often as was said, the same error or not", () => {
    const play = Play.of(plan, "ralph");
    play.run = { ...play.run, iterations: 5 };
    const answers = tries(play, ["x", "x", "x", "x", "x"]) as { kind: string }[];
    expect(answers.map(({ kind }) => kind)).toEqual(["retry", "retry", "retry", "retry", "failed"]);
  });

  test("a person may open it again, and its attempts are forgotten", () => {
    const play = Play.of(plan);
    tries(play, ["x", "x", "x"]);
    expect(play.state.tasks.failed).toEqual(["T1.1"]);
    expect(answerOf(play.do({ on: "retry", unit: "T1.1" }))).toEqual({ kind: "opened" });
    expect(play.state.tasks).toMatchObject({ ready: ["T1.1"], failed: [], blocked: [] });
    expect(play.units.get("T1.1")).toMatchObject({ retries: 0, errors: [], epoch: 3 });
    expect(play.do({ on: "retry", unit: "T1.2" })).toMatchObject({ ok: false });
  });
});

describe("claims (S2.11)", () => {
  const plan = "- [ ] T1.1: a\n- [ ] T1.2: b\n";

  test("who holds a unit reports on it, nobody else, and being told twice changes nothing", () => {
    const play = Play.of(plan);
    expect(play.done("T1.1")).toMatchObject({ why: { key: "orchestrate.not_started" } });
    play.start("T1.1", "a");
    expect(play.start("T1.1", "b")).toMatchObject({ why: { key: "orchestrate.claimed" } });
    expect(play.done("T1.1", "b")).toMatchObject({ why: { key: "orchestrate.claimed" } });
    expect(play.fail("T1.1", "x", "b")).toMatchObject({ why: { key: "orchestrate.claimed" } });
    expect(play.start("T1.1", "a")).toMatchObject({ ok: true, journal: [] });
    play.done("T1.1", "a");
    const { state } = play;
    expect(answerOf(play.done("T1.1", "a"))).toEqual({ kind: "done", again: true });
    expect(play.state).toBe(state);
    expect(play.done("T1.1", "b")).toMatchObject({ ok: false, kind: "refused" });
    expect(play.start("T9.9")).toMatchObject({ ok: false, kind: "not_found" });
  });

  test("a unit whose session is gone is ready again, and its late report is refused", () => {
    const play = Play.of(plan);
    play.start("T1.1", "a");
    play.lost = new Set(["T1.1"]);
    expect(play.next()).toMatchObject({ kind: "ready", ids: ["T1.1", "T1.2"] });
    const taken = play.start("T1.1", "b");
    expect(taken).toMatchObject({ ok: true, unit: { epoch: 2, holder: { session: "b" } } });
    expect(play.done("T1.1", "a")).toMatchObject({ why: { key: "orchestrate.claimed" } });
    expect(play.done("T1.1", "b").ok).toBe(true);
  });

  test("S2.8 units that nobody claims here are opened by a person's resume, and journaled", () => {
    const play = new Play(seed());
    expect(play.start("T1.3")).toMatchObject({ why: { key: "orchestrate.unclaimed" } });
    play.lost = new Set(["T1.3"]);
    const settled = play.do({ on: "settle" });
    expect(settled).toMatchObject({
      journal: [{ id: "T1.3", from: "in_progress", to: "ready", trigger: "release" }],
    });
  });
});

describe("the seed's own example (S2.2, S2.8)", () => {
  test("T1.3 goes on, T1.5 follows T1.3 and T1.4, and the counters count on", () => {
    const play = new Play(seed());
    expect(play.run.extra).toEqual({ completed: 0, failed: 0 });
    expect(play.next()).toMatchObject({ kind: "ready", ids: ["T1.4"] });
    play.lost = new Set(["T1.3"]);
    play.do({ on: "settle" });
    expect(play.next()).toMatchObject({ kind: "ready", ids: ["T1.3", "T1.4"] });
    for (const id of ["T1.3", "T1.4"]) {
      play.start(id);
      play.at += 60_000;
      play.done(id);
    }
    expect(play.next()).toMatchObject({ kind: "ready", ids: ["T1.5", "T1.6"] });
    expect(play.state.metrics).toEqual({
      total_tasks: 45,
      completed_count: 7,
      failed_count: 0,
      average_task_time_seconds: 102.857,
    });
    expect(play.state.checkpoints["phase_0"]).toEqual(seed().checkpoints["phase_0"]);
    expect(play.state.config.slack_webhook_url).toBe(seed().config.slack_webhook_url);
  });

  test("the jq recipe is honoured: what the failure blocked wakes, and the counters move by one", () => {
    const play = new Play(seed());
    play.lost = new Set(["T1.3"]);
    for (const reason of ["x", "x", "x"]) {
      play.start("T1.3");
      play.fail("T1.3", reason);
    }
    expect(play.state.tasks.blocked).toEqual(["T1.5", "T1.6", "T1.7"]);
    play.completeByHand("T1.3");
    expect(play.next()).toMatchObject({ kind: "ready", ids: ["T1.4", "T1.6"] });
    const done = play.start("T1.6");
    expect(done).toMatchObject({
      journal: expect.arrayContaining([
        expect.objectContaining({ id: "T1.5", from: "blocked", to: "pending" }),
      ]) as unknown,
    });
    expect(play.state.tasks).toMatchObject({ blocked: [], failed: [], in_progress: ["T1.6"] });
    expect(play.state.metrics).toMatchObject({ completed_count: 6, failed_count: 0 });
  });

  test("a plan with more tasks is taken in, and what it no longer has stays", () => {
    const list = parseTaskList(
      "- [ ] T1.7: seven\n  - depends: T1.8\n- [x] T1.8: e\n- [ ] T2.1: x\n",
    );
    const state = withPlan(seed(), list);
    expect(state.tasks.pending).toEqual(["T1.5", "T1.6", "T1.7", "T2.1"]);
    expect(state.tasks.completed).toContain("T1.8");
    expect(state.dependencies["T1.7"]).toEqual(["T1.8"]);
    expect(withPlan(state, list)).toBe(state);
  });
});

describe("plan, state and journal compared (--verify)", () => {
  test("each disagreement is named with its task and line", () => {
    const text = "- [x] T1.1: a\n- [ ] T1.2: b\n- [ ] T1.4: d\n";
    const play = Play.of("- [ ] T1.1: a\n- [ ] T1.2: b\n- [ ] T1.3: c\n");
    play.start("T1.2");
    play.done("T1.2");
    const journal = new Map<string, UnitStatus>([["T1.2", "failed"]]);
    const { found, phases } = compare(play.state, parseTaskList(text), journal);
    const seen = found.map(({ level, id, line, text: { key } }) => [level, id, line, key]);
    expect(seen).toEqual([
      ["notice", "T1.4", 3, "orchestrate.verify.only_plan"],
      ["error", "T1.3", null, "orchestrate.verify.only_state"],
      ["error", "T1.1", 1, "orchestrate.verify.checked"],
      ["notice", "T1.2", 2, "orchestrate.verify.unchecked"],
      ["notice", "T1.2", 2, "orchestrate.verify.by_hand"],
    ]);
    expect(phases).toEqual([{ phase: 1, done: 1, all: 4 }]);
  });
});

// --- internal ---

/** T1.1 is started and fails, once for each reason. */
function tries(play: Play, reasons: readonly string[]): unknown[] {
  return reasons.map((reason) => {
    play.start("T1.1");
    return answerOf(play.fail("T1.1", reason));
  });
}
