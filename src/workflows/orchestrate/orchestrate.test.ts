import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fixtureOf } from "../../../test/fixtures/documents.ts";
import { type UnitStatus, unitStatuses } from "../../core/vocabulary.ts";
import { loadCodec } from "../../formats/codec.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import { parseTaskList } from "../../formats/task-list.ts";
import { applyEvent, decideAgain } from "./apply.ts";
import { boardOf } from "./board.ts";
import type { Accepted, OrchestrateEvent, RefusedEvent } from "./events.ts";
import { type Next, type Rules, nextOf } from "./next.ts";
import { outlookOf } from "./outlook.ts";
import { type PlanFacts, factsOf, factsWithoutPlan, withPlan } from "./plan.ts";
import { type RunData, type UnitData, runOf } from "./private.ts";
import { isRateLimit } from "./rate-limit.ts";
import { startState } from "./start.ts";
import { compare } from "./verify.ts";

const rules: Rules = { slots: 100, failedPhase: "ask" };
const began = Date.parse("2026-02-01T10:00:00.000Z");
const full = process.env["HOLDFAST_FULL"] === "1";

/** A run as a driver keeps it: the state, and what stands beside it. */
class Play {
  state: OrchestrateState;
  run: RunData;
  facts: PlanFacts;
  rules = rules;
  readonly units = new Map<string, UnitData>();
  lost = new Set<string>();
  at = began;

  constructor(state: OrchestrateState, facts = factsWithoutPlan(state)) {
    this.state = state;
    this.facts = facts;
    this.run = runOf(state);
  }

  static of(text: string, mode?: OrchestrateState["mode"]): Play {
    const list = parseTaskList(text);
    expect(list.problems).toEqual([]);
    const now = new Date(began).toISOString();
    return new Play(startState(list, "folder", now, { mode }), factsOf(list));
  }

  do(event: OrchestrateEvent): Accepted | RefusedEvent {
    const id = "unit" in event ? event.unit : "";
    const { state, run, facts, lost } = this;
    const now = new Date(this.at).toISOString();
    const unit = this.units.get(id);
    const done = applyEvent({ state, run, facts, rules: this.rules, unit, lost, now }, event);
    if (!done.ok) return done;
    this.state = done.state;
    this.run = done.run;
    if (done.unit) this.units.set(id, done.unit);
    for (const other of done.released) {
      const had = this.units.get(other);
      if (had) this.units.set(other, { ...had, holder: null });
    }
    this.lost = new Set();
    return done;
  }

  start(unit: string, session = "a"): Accepted | RefusedEvent {
    const since = new Date(this.at).toISOString();
    return this.do({ on: "start", unit, holder: { session, process: null, since, until: 0 } });
  }

  done(unit: string, session = "a", gate = true): Accepted | RefusedEvent {
    return this.do({ on: "done", unit, session, check: "none", gate });
  }

  fail(unit: string, reason = "broken", session = "a"): Accepted | RefusedEvent {
    return this.do({ on: "fail", unit, session, reason });
  }

  next(phase?: number): Next {
    return nextOf(boardOf(this.state, this.facts, this.lost), this.run, this.rules, phase);
  }

  /** The seed's jq recipe (S2.8). */
  completeByHand(id: string): void {
    const { tasks } = this.state;
    const failed = tasks.failed.filter((other) => other !== id);
    this.state = {
      ...this.state,
      tasks: { ...tasks, failed, completed: [...tasks.completed, id] },
    };
  }
}

const seed = (): OrchestrateState =>
  JSON.parse(fixtureOf("orchestrate-state").text) as OrchestrateState;
const answerOf = (done: Accepted | RefusedEvent): unknown => (done.ok ? done.answer : done.kind);

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
  const tries = (play: Play, reasons: readonly string[]): unknown[] =>
    reasons.map((reason) => {
      play.start("T1.1");
      return answerOf(play.fail("T1.1", reason));
    });

  test("it is ready again until its retries are used up, and later ones get more context", () => {
    const play = Play.of(plan);
    const words = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "ibex", "jay"];
    const answers = tries(play, words);
    expect(answers.map((answer) => (answer as { context: string }).context)).toEqual([
      ...["plain", "plain", "plain", "read_code", "read_code", "read_code"],
      ...["debug", "debug", "debug", "last"],
    ]);
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
      ["notice", "T1.2", 2, "orchestrate.verify.journal"],
    ]);
    expect(phases).toEqual([{ phase: 1, done: 1, all: 4 }]);
  });
});

// --- against a naive reference ---

type Model = Map<string, { deps: string[]; is: "open" | "in_progress" | "completed" | "failed" }>;

function naive(model: Model, id: string): UnitStatus {
  const { deps, is } = model.get(id) ?? { deps: [], is: "open" };
  if (is !== "open") return is;
  const needed = deps.map((dep) => naive(model, dep));
  if (needed.some((status) => status === "failed" || status === "blocked")) return "blocked";
  return needed.every((status) => status === "completed") ? "ready" : "pending";
}

const act = fc.record({
  on: fc.constantFrom("start", "start", "done", "done", "fail", "hand", "lose", "retry", "settle"),
  pick: fc.nat(40),
  session: fc.constantFrom("a", "b"),
  reason: fc.constantFrom("ant", "bee", "rate limit"),
  wait: fc.nat(100_000),
});

const graphs = fc
  .array(fc.record({ phase: fc.nat(2), deps: fc.array(fc.nat(40), { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((nodes) => {
    const sorted = nodes.toSorted((a, b) => a.phase - b.phase);
    const ids = sorted.map(({ phase }, n) => `T${phase}.${n + 1}`);
    return sorted.map(({ deps }, n) => ({
      id: ids[n] ?? "",
      deps: n === 0 ? [] : [...new Set(deps.map((dep) => ids[dep % n] ?? ""))],
    }));
  });

describe("whatever happens in whatever order (S2.2, S2.3)", () => {
  test("each task is in one list, ready follows from the dependencies, counters are exact", async () => {
    const codec = await loadCodec("orchestrate-state");
    fc.assert(
      fc.property(graphs, fc.array(act, { maxLength: 60 }), (nodes, acts) => {
        const text = nodes
          .map(
            ({ id, deps }) =>
              `- [ ] ${id}: t${deps.length > 0 ? `\n  - depends: ${deps.join(", ")}` : ""}`,
          )
          .join("\n");
        const play = Play.of(text);
        const model: Model = new Map(nodes.map(({ id, deps }) => [id, { deps, is: "open" }]));
        const began_ = new Map<string, number>();
        const holder = new Map<string, string>();
        const times: number[] = [];
        for (const { on, pick, session, reason, wait } of acts) {
          play.at += wait;
          const { id } = nodes[pick % nodes.length] ?? { id: "" };
          const unit = model.get(id) ?? { deps: [], is: "open" };
          const status = naive(model, id);
          const mine = status === "in_progress" && holder.get(id) === session;
          if (on === "start") {
            const phaseOf = (other: string): string => other.slice(1, 2);
            const open = nodes.filter((node) => naive(model, node.id) !== "completed");
            const may = mine || (status === "ready" && phaseOf(open[0]?.id ?? "") === phaseOf(id));
            expect(play.start(id, session).ok).toBe(may);
            if (may && !mine) {
              unit.is = "in_progress";
              holder.set(id, session);
              if (!began_.has(id)) began_.set(id, play.at);
            }
          } else if (on === "done") {
            const answer = play.done(id, session);
            if (mine) {
              expect(answer.ok).toBe(true);
              unit.is = "completed";
              times.push((play.at - (began_.get(id) ?? 0)) / 1000);
            }
          } else if (on === "fail") {
            const answer = answerOf(play.fail(id, reason, session)) as { kind?: string };
            if (!mine) expect(answer).toBe("refused");
            else {
              unit.is = answer.kind === "failed" ? "failed" : "open";
              if (unit.is === "failed") began_.delete(id);
            }
          } else if (on === "hand" && status === "failed") {
            play.completeByHand(id);
            unit.is = "completed";
            play.do({ on: "settle" });
          } else if (on === "lose" && status === "in_progress") {
            play.lost = new Set([id]);
            play.do({ on: "settle" });
            unit.is = "open";
          } else if (on === "retry") {
            expect(play.do({ on: "retry", unit: id }).ok).toBe(status === "failed");
            if (status === "failed") unit.is = "open";
          } else if (on === "settle") {
            const { state } = play;
            play.do({ on: "settle" });
            expect(play.state).toBe(state);
          }
          check(play, model, times, codec);
        }
      }),
      { numRuns: full ? 5_000 : 300 },
    );
  });

  test("S5.3 decisions made once more on the same state come to the same state", () => {
    fc.assert(
      fc.property(graphs, fc.array(fc.nat(40), { maxLength: 20 }), (nodes, picks) => {
        const play = Play.of(nodes.map(({ id }) => `- [ ] ${id}: t`).join("\n"));
        for (const pick of picks) {
          const { id = "" } = nodes[pick % nodes.length] ?? {};
          const before = { ...play, now: new Date(play.at).toISOString() };
          const done = play.start(id);
          if (!done.ok) continue;
          const { state, run, facts, rules: own, now } = before;
          expect(decideAgain({ state, run, facts, rules: own, now }, done.decided)).toEqual(
            play.state,
          );
          play.done(id);
        }
      }),
      { numRuns: 50 },
    );
  });
});

function check(
  { state }: Play,
  model: Model,
  times: readonly number[],
  codec: { check(value: unknown): readonly unknown[] },
): void {
  const listed = unitStatuses.flatMap((list) => state.tasks[list]);
  expect(listed.toSorted()).toEqual([...model.keys()].toSorted());
  for (const list of unitStatuses)
    for (const id of state.tasks[list]) expect([id, list]).toEqual([id, naive(model, id)]);
  const average = times.length === 0 ? 0 : times.reduce((a, b) => a + b) / times.length;
  expect(state.metrics).toEqual({
    total_tasks: model.size,
    completed_count: state.tasks.completed.length,
    failed_count: state.tasks.failed.length,
    average_task_time_seconds: expect.closeTo(average, 2) as number,
  });
  expect(codec.check(state)).toEqual([]);
}
