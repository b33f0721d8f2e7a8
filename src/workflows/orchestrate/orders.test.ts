import { describe, expect, test } from "vitest";
import { Play } from "../../../test/orchestrate/play.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import { parseTaskList } from "../../formats/task-list.ts";
import type { Order, Orders } from "../orders.ts";
import { boardOf } from "./board.ts";
import { rulesOf } from "./next.ts";
import { type Choice, ordersOf, phaseOfKey, unitOfKey } from "./orders.ts";

const plan = `# Shop
## Phase 0: Ground
- [ ] T0.1: repository
## Phase 1: Core
- [ ] T1.1: model
- [ ] T1.2: pages
  - depends: T1.1
- [ ] T1.3: search
## Phase 2: More
- [ ] T2.1: launch
`;

/** A run of the plan without a session: its orders, and what comes of them, by the reducer alone. */
class Headless {
  readonly play: Play;

  constructor(mode: OrchestrateState["mode"] = "ultra-thin") {
    this.play = Play.of(plan, mode);
  }

  orders(): Orders {
    const { state, facts, run, rules, units } = this.play;
    const board = boardOf(state, facts);
    const list = parseTaskList(plan);
    const own = [...units.values()].filter(
      ({ unit, holder }) => holder !== null && board.graph.status(unit) === "in_progress",
    );
    return ordersOf({
      board,
      run,
      rules: rulesOf(rules, run),
      own,
      known: units,
      plan: { text: plan, tasks: new Map(list.tasks.map((task) => [task.id, task])) },
      branches: new Map([
        [1, "phase-1-core"],
        [2, "phase-2-more"],
      ]),
      checks: (unit) => [`check ${unit}`],
      gate: ["npm test"],
      language: "en",
    });
  }

  list(): readonly Order[] {
    const wanted = this.orders();
    return wanted.kind === "orders" ? wanted.orders : [];
  }

  keys(): string[] {
    return this.list().map(({ key }) => key);
  }

  /** Its agent is done, and its work is on its branch; the last of a phase lands with it. */
  works(unit: string): void {
    this.play.start(unit);
    if (this.play.done(unit, "a", false).ok) return;
    this.play.do({ on: "merged", unit, session: "a", commit: "c" });
    this.play.do({ on: "done", unit, session: "a", check: "passed", gate: true, landed: "m" });
  }

  failsForGood(unit: string): void {
    for (let tries = 0; tries < 3; tries++) {
      this.play.start(unit);
      this.play.fail(unit, "no such table");
    }
  }

  answers(key: string, choice: Choice): void {
    this.play.do({ on: "choose", phase: phaseOfKey(key), choice });
  }

  /** Phase 1 with a task that failed and one that is done. */
  stuck(): this {
    this.works("T0.1");
    this.answers("phase-0-0", "continue");
    this.works("T1.3");
    this.failsForGood("T1.1");
    return this;
  }
}

/** Mode normal, and the question about the failed phase is there. */
function asked(): Headless {
  const run = new Headless("normal").stuck();
  const [order] = run.list();
  expect(order).toMatchObject({ kind: "ask", options: ["fix", "skip", "merge", "stop"] });
  expect(order?.key).toBe("failed-1-1");
  expect(order?.kind === "ask" && order.question).toContain("- merge: merge what is done");
  return run;
}

describe("a plan carried out by itself (S2.6)", () => {
  test("S2.6 phase 0 is done in the project's own branch, phase 1 in its own; each with its checks", () => {
    const run = new Headless();
    expect(run.list()).toMatchObject([
      {
        kind: "agent",
        key: "T0.1-1",
        branch: { name: null },
        commands: ["check T0.1"],
        reworks: 0,
      },
    ]);
    expect(run.orders()).toMatchObject({ place: { phase: 1, phases: 3, name: null } });
    run.works("T0.1");
    expect(run.keys()).toEqual(["T1.1-1", "T1.3-1"]);
    expect(run.list()[0]).toMatchObject({ title: "T1.1: model", branch: { name: "phase-1-core" } });
    expect(run.orders()).toMatchObject({ place: { phase: 2, phases: 3, name: "phase-1-core" } });
  });

  test("S2.11 what was begun keeps its key however often it is asked for; another attempt has another", () => {
    const run = new Headless();
    run.play.start("T0.1");
    expect(run.keys()).toEqual(["T0.1-1"]);
    run.play.fail("T0.1");
    expect(run.keys()).toEqual(["T0.1-2"]);
    expect(["T0.1-2", "P1-R2-T1-3", "land-1-P1-S1-V-2"].map(unitOfKey)).toEqual([
      "T0.1",
      "P1-R2-T1",
      "P1-S1-V",
    ]);
  });

  test("S2.6 with the last of a phase its branch is tested as a whole and landed, and only then it is done", () => {
    const run = new Headless();
    for (const unit of ["T0.1", "T1.1", "T1.2"]) run.works(unit);
    run.play.start("T1.3");
    expect(run.play.done("T1.3", "a", false).ok).toBe(false);
    run.play.do({ on: "merged", unit: "T1.3", session: "a", commit: "c" });
    expect(run.list()).toMatchObject([
      {
        kind: "land",
        key: "land-1-T1.3-1",
        branch: { name: "phase-1-core" },
        commands: ["npm test"],
        message: "Merge phase 1 (phase-1-core)",
      },
    ]);
  });

  test("S2.6 all is done: the run has ended", () => {
    const run = new Headless();
    for (const unit of ["T0.1", "T1.1", "T1.2", "T1.3", "T2.1"]) run.works(unit);
    expect(run.orders()).toEqual({ kind: "ended", result: "completed", why: "" });
  });

  test("S2.1 in mode normal a person lets the next phase begin; asked twice it is one question", () => {
    const run = new Headless("normal");
    run.works("T0.1");
    expect(run.list()).toMatchObject([
      { kind: "ask", key: "phase-0-0", unit: "phase_0", options: ["continue", "stop"] },
    ]);
    expect(run.keys()).toEqual(["phase-0-0"]);
    run.answers("phase-0-0", "continue");
    expect(run.keys()).toEqual(["T1.1-1", "T1.3-1"]);
  });

  test("S2.6 a failed phase holds a run in which nobody is asked, and says what to do", () => {
    const wanted = new Headless().stuck().orders();
    expect(wanted).toMatchObject({ kind: "held" });
    expect(wanted.kind === "held" && wanted.why).toMatch(/T1\.1 failed.*--retry/);
  });

  test("S2.5 S2.6 ten retries used up: the rest goes on, and its phase does not land before a person decides", () => {
    const run = new Headless();
    run.works("T0.1");
    for (const word of "ant bee cat dog elk fox gnu hen ibex jay".split(" ")) {
      run.play.start("T1.1");
      run.play.fail("T1.1", word);
      expect(run.keys()).toContain("T1.3-1");
    }
    expect(run.play.state.tasks.failed).toEqual([]);
    run.play.start("T1.1");
    run.play.fail("T1.1", "koi");
    expect(run.play.state.tasks).toMatchObject({ failed: ["T1.1"], blocked: ["T1.2"] });
    expect(run.keys()).toEqual(["T1.3-1"]);
    run.works("T1.3");
    expect(run.orders()).toMatchObject({ kind: "held" });
    run.answers("failed-1-1", "merge");
    expect(run.keys()).toEqual(["land-1-done"]);
  });

  test("S2.6 in mode normal a person says what is done about a failed phase: fix, skip, merge or stop", () => {
    const fix = asked();
    fix.play.do({ on: "retry", unit: "T1.1" });
    fix.answers("failed-1-1", "fix");
    expect(fix.keys()).toEqual(["T1.1-4"]);
    const skip = asked();
    skip.answers("failed-1-1", "skip");
    // Nothing of it is merged; whether the next may begin is a question of its own.
    expect(skip.keys()).toEqual(["phase-1-2"]);
    const merge = asked();
    merge.answers("failed-1-1", "merge");
    // First it lands: the next phase begins on it.
    expect(merge.keys()).toEqual(["land-1-done"]);
    expect(merge.list()[0]).toMatchObject({ kind: "land", branch: { name: "phase-1-core" } });
    merge.play.do({ on: "landed", phase: 1, commit: "m" });
    expect(merge.keys()).toEqual(["phase-1-2"]);
    // Who stops and comes back is asked anew.
    const stop = asked();
    stop.answers("failed-1-1", "stop");
    expect(stop.keys()).toEqual(["failed-1-2"]);
  });

  test("S2.6 merged as far as it came, the last phase ends the run and tells what failed", () => {
    const run = new Headless("normal").stuck();
    run.answers("failed-1-1", "merge");
    run.play.do({ on: "landed", phase: 1, commit: "m" });
    run.answers("phase-1-2", "continue");
    run.works("T2.1");
    const wanted = run.orders();
    expect(wanted).toMatchObject({ kind: "ended", result: "completed" });
    expect(wanted.kind === "ended" && wanted.why).not.toBe("");
  });
});
