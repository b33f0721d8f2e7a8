// A plan for a goal, carried out by itself (S3.2, S3.8), with real agents, real git and real kills.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Task } from "../../src/engine/state.ts";
import { taskPlaces } from "../../src/engine/workspace.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import type { TaskHistory } from "../../src/formats/task-history.ts";
import type { TaskState } from "../../src/formats/task-state.ts";
import { cli } from "../cli/program.ts";
import { full } from "../crash/programs.ts";
import { followed, reader } from "../orchestrate/carried.ts";
import { type Repository, repository } from "../orchestrate/repository.ts";

const limit = { timeout: 600_000 };

test(
  "S3.2 a goal is planned, worked on, judged and remembered, killed in the middle: each step once, all merged",
  limit,
  async () => {
    const units = {
      // At work when the program is killed; what it tells the others reaches them all the same.
      model: [{ sleep: 1_000, run: [cli, "memory", "set", "shared_data.size", "3"] }],
      pages: [{ fail: "transient: the registry is down", write: {} }, {}],
    };
    const made = repository(undefined, units, undefined, { program: "../plan/plan-agent.mjs" });
    const { look, seen } = await reader(made, ".claude/memory");
    // The second move is that both steps are at work.
    const kills = full ? [2, 1, 1] : [2];
    const said: string[] = [];
    for (let round = 0; ; round++) {
      const words = round === 0 ? ["plan", "Make a site", ...made.agent] : ["plan", "resume"];
      let moves = 0;
      const { code, lines } = await followed(made, words, look, (line) => {
        if (line.includes("→")) moves++;
        return moves === kills[round];
      });
      said.push(...lines);
      if (code === 0) break;
      expect({ round, code, lines }).toEqual({
        round: Math.min(round, kills.length - 1),
        code: null,
        lines,
      });
    }
    look();
    expect(said.at(-1)).toBe("ALL_DONE");
    expect([...seen].toSorted()).toEqual([
      "agent-memory",
      "shared-context",
      "task-history",
      "task-state",
    ]);
    // No step twice, but for the one that failed.
    const once = ["plan", "model", "site", "verdict", "lessons"].map((unit) => [unit, 1] as const);
    expect(made.conversations()).toEqual(new Map([...once, ["pages", 2]]));
    expect(made.prompt("pages", 2)).toContain("the registry is down");
    expect(made.prompt("site", 1)).toContain('"size": 3');
    const state = JSON.parse(made.read(".claude/memory/task-state.json")) as TaskState;
    expect(state).toMatchObject({ current_task: null, pending_tasks: [] });
    const { tasks } = JSON.parse(made.read(".claude/memory/task-history.json")) as TaskHistory;
    expect(tasks).toHaveLength(1);
    expect(tasks[0]).toMatchObject({
      name: "Make a site",
      result: "success",
      summary: "The site is there.",
      lessons: ["pages first"],
      metrics: { steps_total: 3, steps_completed: 3, retries: 1 },
    });
    for (const name of ["model", "pages", "site"])
      expect(made.read(`${name}.txt`)).toBe(`${name}\n`);
    const subjects = made.git("log", "--format=%s", "main").split("\n");
    expect(subjects.toSorted()).toEqual(["begin", "model", "pages", "site"]);
    // What a stage answered is no work of the project's.
    expect(made.git("status", "--porcelain", "--", ".", ":!.claude")).toBe("");
    expect(made.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
    // Of the attempt that failed the snapshots stay, as of any task that ended.
    const kept = [expect.stringMatching(/^task_\w+\.git$/)];
    expect(made.trees()).toEqual(kept);
    // A kill behind the very last outcome: whoever serves this home next clears its clone away.
    await planted(made);
    expect(made.trees()).toHaveLength(4);
    const { openServing } = await import("../../src/app/serving.ts");
    const serving = await openServing({
      cwd: made.project,
      env: { ...made.env, PATH: process.env["PATH"] },
      tell: () => undefined,
    });
    await serving.start();
    await expect.poll(made.trees).toEqual(kept);
    await serving.stop();
    expect(made.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  },
);

/** The clone of who closed the plan, as it was when its outcome was taken. */
async function planted({ home, git }: Repository): Promise<void> {
  const store = await openSqlite(join(home, "holdfast.db"));
  const children = (await store.tasks({ workflow: "unit" })) as Task[];
  await store.close();
  const last = children.find(({ data }) => data.order?.key.startsWith("close-"));
  const { base = "" } = last?.data.order ?? {};
  const { workspace, ready, trees } = taskPlaces(home, last?.id ?? "");
  for (const folder of [workspace, trees.repository]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(workspace, "left.txt"), "");
  writeFileSync(ready, JSON.stringify({ base }));
  git("update-ref", `refs/holdfast/units/${last?.id}`, base);
}
