// The history of plans over months (S3.6), against sums kept beside it.
import { describe, expect, test } from "vitest";
import { Play, closing, midnight, plan, verdict } from "../../../test/plan/play.ts";
import { seeded } from "../../../test/crash/programs.ts";
import type { TaskHistory } from "../../formats/task-history.ts";
import { render } from "../../core/messages.ts";
import { initialMemory } from "./initial.ts";
import { withEnded } from "./history.ts";

const day = 24 * 3_600_000;

describe("S3.6 the history", () => {
  test("250 plans in 60 days: the newest 100 stay, older than 30 days as summary, sums exact", () => {
    const random = seeded(7);
    const play = new Play(midnight);
    const begun = midnight;
    const ids: string[] = [];
    let [score, milliseconds] = [0, 0];
    for (let count = 0; count < 250; count++) {
      // Many at first, few later: of the newest hundred some are old.
      const days = count < 170 ? (count * 20) / 170 : 20 + (count - 170) / 2;
      play.now = Math.max(play.now, begun + Math.floor(days * day));
      const started = play.now;
      play.begin(`Plan ${count}`);
      ids.push(play.task?.id ?? "");
      play.answer(plan([{ id: 1 }], ["a", "b"]));
      play.now += random(3_600_000);
      play.done("step-1-1");
      const met = [random(2) === 0, random(2) === 0];
      play.answer(verdict(met));
      play.now += random(997);
      play.answer(closing);
      score += met.filter(Boolean).length / 2;
      milliseconds += play.now - started;
      const { statistics } = play.world.history;
      expect(statistics.total_tasks).toBe(count + 1);
      expect(statistics.success_rate).toBe(score / (count + 1));
      expect(statistics.avg_duration_seconds).toBe(milliseconds / (count + 1) / 1_000);
    }
    const { tasks } = play.world.history;
    expect(tasks.map(({ id }) => id)).toEqual(ids.slice(-100));
    expect(new Set(ids).size).toBe(250);
    expect(ids[0]).toBe("task-2026-01-31-001");
    for (const [place, id] of ids.entries()) {
      const [today, before = ""] = [id.slice(0, 15), ids[place - 1]];
      const number = before.startsWith(today) ? Number(before.slice(16)) + 1 : 1;
      expect(Number(id.slice(16))).toBe(number);
    }
    const last = play.now;
    for (const task of tasks) {
      const old = last - Date.parse(task.completed_at) > 30 * day;
      expect("metrics" in task).toBe(!old);
    }
    expect(tasks.filter((task) => !("metrics" in task)).length).toBeGreaterThan(20);
    expect(play.told.filter(({ key }) => key === "plan.history.gone")).toHaveLength(150);
    expect(render("en", play.told[0] ?? { key: "plan.none", params: {} })).toContain(ids[0]);
  });

  test("fields of a person's own stay on an old entry, and what was told is told once", () => {
    const at = (days: number): string => new Date(midnight + days * day).toISOString();
    const entry = (id: number, days: number) => ({
      id: `task-2026-01-31-${String(id).padStart(3, "0")}`,
      name: "n",
      result: "partial" as const,
      started_at: at(days),
      completed_at: at(days),
      duration_seconds: 1,
      summary: "s",
      lessons: ["l"],
      artifacts: [],
      mine: id,
    });
    let history: TaskHistory = initialMemory("task-history", "", at(0));
    history = withEnded(history, entry(1, 0), midnight).history;
    const kept = withEnded(history, entry(2, 31), midnight + 31 * day);
    expect(kept.history.tasks[0]).toEqual({
      id: "task-2026-01-31-001",
      name: "n",
      result: "partial",
      started_at: at(0),
      completed_at: at(0),
      duration_seconds: 1,
      summary: "s",
      mine: 1,
    });
    expect(kept.told.map(({ key }) => key)).toEqual(["plan.history.short"]);
    const again = withEnded(kept.history, entry(3, 32), midnight + 32 * day);
    expect(again.told).toEqual([]);
  });

  test("it goes on from the statistics of a file it did not write", () => {
    const history: TaskHistory = {
      version: "1.0",
      tasks: [],
      statistics: { total_tasks: 100, success_rate: 0.95, avg_duration_seconds: 240 },
    };
    const at = new Date(midnight).toISOString();
    const entry = {
      id: "task-2026-01-31-001",
      name: "n",
      result: "partial" as const,
      started_at: at,
      completed_at: at,
      duration_seconds: 341,
      summary: "s",
    };
    const { statistics } = withEnded(history, entry, midnight).history;
    expect(statistics).toEqual({
      total_tasks: 101,
      success_rate: 95.5 / 101,
      avg_duration_seconds: 24_341 / 101,
    });
    // Taken up again after it had left the file: still one plan.
    const earlier = { result: "partial", duration_seconds: 341 } as const;
    const gone: TaskHistory = { version: "1.0", tasks: [], statistics };
    const better = { ...entry, result: "success" as const };
    expect(withEnded(gone, better, midnight, earlier).history.statistics).toMatchObject({
      total_tasks: 101,
      success_rate: 96 / 101,
    });
  });
});
