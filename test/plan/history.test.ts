// What plans leave behind: history, copies, caches, and a step that keeps failing (S3.2, S3.5, S3.6, S3.9).
import { describe, expect, test } from "vitest";
import type { TaskHistory } from "../../src/formats/task-history.ts";
import { closing, plan, verdict } from "./play.ts";
import { PlanProject } from "./world.ts";

const limit = { timeout: 600_000 };
const file = ".claude/memory/task-history.json";
const day = 24 * 60 * 60 * 1_000;

describe("what plans leave behind", () => {
  test(
    "S3.6 the newest 100 plans stay, those older than 30 days as a summary; statistics cover all there ever were",
    limit,
    async () => {
      const project = new PlanProject();
      // The first sixty ended long ago.
      const tasks = Array.from({ length: 100 }, (_, n) => ended(n, n < 60 ? 90 - n / 2 : 10));
      const statistics = { total_tasks: 199, success_rate: 1, avg_duration_seconds: 300 };
      project.write(file, JSON.stringify({ version: "1.0", tasks, statistics }));
      await project.begin("Ship it");
      await project.report(`PLAN:${plan([{ id: 1 }])}`);
      await project.report("START:1");
      await project.report("DONE:1:made");
      await project.report(`VERDICT:${verdict([true])}`);
      expect((await project.report(`LESSONS:${closing}`)).line).toBe("ALL_DONE:success");
      const now = project.history();
      expect(now.tasks).toHaveLength(100);
      expect(now.tasks.map(({ id }) => id)).not.toContain(tasks[0]?.id);
      expect(now.tasks.at(-1)).toMatchObject({ name: "Ship it", result: "success" });
      expect(now.statistics).toMatchObject({ total_tasks: 200, success_rate: 1 });
      const old = now.tasks.find(({ id }) => id === tasks[30]?.id);
      expect(Object.keys(old ?? {}).toSorted()).toEqual([
        "completed_at",
        "duration_seconds",
        "id",
        "name",
        "result",
        "started_at",
        "summary",
      ]);
      expect(now.tasks.find(({ id }) => id === tasks[80]?.id)).toEqual(tasks[80]);
    },
  );

  test(
    "S3.5 a copy is made before a plan starts and ends; the newest 20 of a file stay",
    limit,
    async () => {
      const project = new PlanProject();
      const copies = (): string[] =>
        project.tree().filter((path) => path.startsWith("backup/task-state"));
      const names = new Set<string>();
      for (let n = 0; n < 12; n++) {
        await project.begin(`plan ${n}`);
        await project.plan("cancel");
        for (const name of copies()) names.add(name);
      }
      expect(names.size).toBeGreaterThan(20);
      expect(copies()).toEqual([...names].toSorted().slice(-20));
    },
  );

  test(
    "S3.9 a list of a cache keeps its newest fifty, other data of the agent stays",
    limit,
    async () => {
      const project = new PlanProject();
      const many = JSON.stringify(Array.from({ length: 70 }, (_, n) => n));
      await project.memory("set", "agents.writer.cache.topics", many);
      await project.memory("set", "agents.writer.preferences.all", many);
      await project.memory("add", "agents.writer.cache.topics", "70");
      const read = async (path: string): Promise<number[]> =>
        JSON.parse((await project.memory("get", path)).out) as number[];
      expect(await read("agents.writer.cache.topics")).toEqual(
        Array.from({ length: 50 }, (_, n) => n + 21),
      );
      expect(await read("agents.writer.preferences.all")).toHaveLength(70);
    },
  );

  test(
    "S3.2 a step that fails is tried again three times, then it is escalated",
    limit,
    async () => {
      const project = new PlanProject();
      await project.begin("Ship it");
      const said: string[] = [];
      const { last_updated: began } = project.state();
      for (let round = 0; round < 3; round++) {
        await project.report(`PLAN:${plan([{ id: round + 1 }])}`);
        for (let attempt = 0; attempt < 4; attempt++) {
          await project.report(`START:${round + 1}`);
          said.push((await project.report(`FAIL:${round + 1}:validation: wrong ${attempt}`)).line);
        }
      }
      const retries = ["RETRY:1/3", "RETRY:2/3", "RETRY:3/3"];
      expect(said).toEqual([...retries, "REPLAN", ...retries, "REPLAN", ...retries, "ESCALATED"]);
      expect((await project.next()).startsWith("ERROR:ESCALATED")).toBe(true);
      const { current_task: task } = project.state();
      expect(task?.plan.steps.at(-1)).toMatchObject({
        status: "failed",
        error: { type: "validation", retries: 3 },
      });
      expect(project.state().last_updated > began).toBe(true);
      expect(task?.issues?.length).toBeGreaterThanOrEqual(12);
    },
  );
});

// --- internal ---

function ended(n: number, days: number): TaskHistory["tasks"][number] {
  const at = new Date(Date.now() - days * day);
  const date = at.toISOString().slice(0, 10);
  return {
    id: `task-${date}-${String(n + 1).padStart(3, "0")}`,
    name: `plan ${n}`,
    result: "success",
    started_at: new Date(at.getTime() - 300_000).toISOString(),
    completed_at: at.toISOString(),
    duration_seconds: 300,
    summary: "It was done.",
    artifacts: [],
    metrics: { steps_total: 1, steps_completed: 1, retries: 0, tokens_used: 0 },
    lessons: ["test first"],
  };
}
