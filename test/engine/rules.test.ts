// Rules of decide/ that only show when things happen at an unlucky moment: played without a process.
import { array, assert, nat, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { Play } from "../../src/engine/decide/play.ts";
import { full } from "../crash/programs.ts";
import { Honest } from "./honest.ts";

const usage = { type: "usage", tokens: 1, costUsd: null } as const;

describe("what an agent was told and what it said (S1.16, S1.20)", () => {
  test("S1.16 an answer counts as arrived by what is said after it, not by what was said before", () => {
    const play = new Play().begin();
    play.asks("One?");
    play.asks("Two?");
    play.command({ name: "answer", questionId: play.open("question").id, answer: "Red" });
    expect(play.open("question").data.question).toBe("Two?");
    play.exits(null);
    play.seen();
    play.command({ name: "answer", questionId: play.open("question").id, answer: "Blue" });
    play.started();
    const written = play.effects.filter(({ name }) => name === "write");
    expect(written.map(({ data }) => /Red|Blue/.exec(JSON.stringify(data))?.[0])).toEqual([
      "Red",
      "Blue",
    ]);
  });

  test("S1.20 thousands of lines read at once are all counted", () => {
    const play = new Play().begin();
    play.says(...Array.from({ length: 5_000 }, () => usage));
    expect(play.task.data.spent.tokens).toBe(5_000);
    expect(play.journal.map(({ trigger }) => trigger)).not.toContain("dropped");
  });

  test("S1.14 a process nobody wanted when its turn came is begun anew if somebody does by now", () => {
    const play = new Play();
    play.submit();
    play.command({ name: "start" });
    const process = play.agent.data.process ?? "";
    play.command({ name: "pause" });
    play.command({ name: "resume" });
    // Decided while it was paused, told only now.
    const result = { kind: "not_started", process } as const;
    play.put({ kind: "effect", key: "k", name: "start", result });
    expect(play.agent.data.process).not.toBe(process);
    // The conversation was never begun: there is nothing to take up.
    expect(play.all("process").at(-1)?.data.resume).toBe(false);
    play.started();
    expect(play.stands).toBe("in_progress/running");
  });

  test("S1.18 a freeze comes before the snapshot and the check that go with it", () => {
    const play = new Play().begin();
    play.seen();
    play.claims(1);
    expect(play.seen()).toEqual(["settle", "snapshot", "verify"]);
    play.checked();
    play.seen();
    play.approve();
    expect(play.seen()).toEqual(["write", "settle"]);
    play.limited();
    expect(play.seen()).toEqual(["settle", "snapshot"]);
  });
});

describe("budgets (S1.21c)", () => {
  const budget = { costUsd: null, tokens: 100, minutes: 10 };

  test("S1.21c the day's own spending counts at once; what a person allows holds for that day", () => {
    const play = new Play().begin();
    const spent = { tokens: 95, costUsd: 0, milliseconds: 0 };
    play.around = { day: { budget, spent } };
    play.says({ ...usage, tokens: 4 });
    expect(play.stands).toBe("in_progress/running");
    play.says(usage);
    expect(play.stands).toBe("in_progress/paused");
    play.command({ name: "answer", questionId: play.open("question").id, answer: "continue" });
    play.says({ ...usage, tokens: 50 });
    expect(play.stands).toBe("in_progress/running");
    play.now += 24 * 3_600_000;
    play.around = { day: { budget, spent: { ...spent, tokens: 99 } } };
    play.says(usage);
    expect(play.stands).toBe("in_progress/paused");
  });

  test("S1.21c time is up on the minute, and counts for the day too", () => {
    const play = new Play("create_app", 1, { budget: { ...budget, minutes: 2 } }).begin();
    play.due("budget");
    expect(play.now - Date.parse("2026-01-01T00:00:00.000Z")).toBe(120_000);
    expect(play.stands).toBe("in_progress/paused");
    expect(play.open("question").data.origin).toBe("budget");
    expect(play.all("spending")[0]?.data.milliseconds).toBe(120_000);
    play.command({ name: "answer", questionId: play.open("question").id, answer: "continue" });
    expect(play.task.data.budget?.minutes).toBe(4);
    expect(play.timers.get(`task_1:budget:${play.agent.id}`)).toBe(play.now + 120_000);
  });
});

describe("limits and silence (S1.14, S1.18)", () => {
  test("S1.18 whoever is due while the gate is closed further keeps its place behind it", () => {
    const play = new Play().begin();
    play.around = { gate: { closedUntil: null, parked: 3 } };
    play.limited(10);
    const due = play.timers.get(`task_1:unpark:${play.agent.id}`) ?? 0;
    expect(due).toBe(play.now + 10_000 + 3_000);
    play.around = { gate: { closedUntil: due + 60_000, parked: 9 } };
    play.now = due;
    play.put({
      kind: "timer",
      key: `task_1:unpark:${play.agent.id}`,
      name: "unpark",
      data: { place: 3 },
    });
    expect(play.stands).toBe("in_progress/paused");
    expect(play.timers.get(`task_1:unpark:${play.agent.id}`)).toBe(due + 60_000 + 3_000);
  });

  test("S1.14 an agent that has not begun yet is not asked about", () => {
    const play = new Play();
    play.submit();
    play.command({ name: "start" });
    play.now += 3_600_000;
    play.put({
      kind: "timer",
      key: `task_1:silence:${play.agent.id}`,
      name: "silence",
      data: {},
    });
    expect(play.all("question")).toEqual([]);
    expect(play.timers.has(`task_1:silence:${play.agent.id}`)).toBe(true);
  });

  test("S1.19 a restore holds whoever works first: its end is no crash", () => {
    const play = new Play().begin();
    play.command({ name: "restore", snapshot: "snapshot_1" });
    expect(play.stands).toBe("in_progress/paused");
    play.exits(143, "SIGTERM");
    expect(play.all("attempt")).toEqual([]);
    expect(play.all("process")).toHaveLength(1);
  });

  test("S1.2 an agent nobody knows is refused when the task is submitted", () => {
    const play = new Play("custom", 1, { agent: "smaple" });
    expect(play.submit()).toMatchObject({ ok: false, code: "invalid_input" });
    expect(play.task.status).toBe("draft");
  });
});

describe("a task always comes to its end (S1)", () => {
  test("S1.4b what a check finds while a person holds the agent counts when it goes on", () => {
    const play = new Play("custom").begin();
    play.claims(1);
    play.command({ name: "pause" });
    play.checked();
    expect(play.stands).toBe("in_progress/paused");
    play.command({ name: "resume" });
    expect(play.stands).toBe("completed/completed");
  });

  test.each(["custom", "create_app", "unreviewed"])(
    "S1 %s: wherever chance leads it, with everybody's help it is done",
    (type) => {
      const stuck: string[] = [];
      assert(
        property(array(nat(1_000), { minLength: 1, maxLength: 60, size: "max" }), (course) => {
          const honest = new Honest(type);
          const done: string[] = [];
          for (const chance of course) {
            if (honest.isOver) break;
            const names = Object.keys(honest.moves());
            const name = names[chance % names.length] ?? "";
            honest.do(name);
            done.push(name);
          }
          const ended = honest.finish();
          if (!ended) stuck.push(`${honest.play.stands} after ${done.join(", ")}`);
          expect(stuck.slice(-1)).toEqual([]);
        }),
        { numRuns: full ? 6_000 : 500, seed: 11 },
      );
    },
  );
});
