// A plan for a goal, carried out by itself (S3.2, S3.8), with real agents, real git and real kills.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Task } from "../../src/engine/state.ts";
import { taskPlaces } from "../../src/git/workspace.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import type { TaskHistory } from "../../src/formats/task-history.ts";
import type { TaskState } from "../../src/formats/task-state.ts";
import { cli } from "../cli/program.ts";
import { full } from "../crash/programs.ts";
import { differences, endingOf, killedAt, leftIn, served, someOf } from "../conduct/killed.ts";
import { figure } from "../figures.ts";
import { reader } from "../orchestrate/carried.ts";
import { type Repository, repository } from "../orchestrate/repository.ts";

const limit = { timeout: full ? 3_600_000 : 600_000 };

const folder = ".claude/memory";

const units = {
  // What it tells the others reaches them all, whoever is killed meanwhile.
  model: [{ run: [cli, "memory", "set", "shared_data.size", "3"] }],
  pages: [
    { fail: "transient: the registry is down", write: {} },
    // Its own memory it may write.
    { run: [cli, "memory", "set", "agents.pages-writer.cache.size", "4"] },
  ],
};

/** A run of its own, killed where it is told to. */
async function played(kills: string) {
  const made = repository(undefined, units, undefined, { program: "../plan/plan-agent.mjs" });
  const { look, seen } = await reader(made, folder);
  const story = {
    workflow: "plan",
    begin: ["plan", "Make a site", ...made.agent],
    resume: ["plan", "resume"],
  } as const;
  const told = await killedAt(made, story, kills, look);
  look();
  return { made, seen, ...told };
}

test(
  "S3.2 a goal is planned, worked on, judged and remembered, killed at its boundaries: each step once, all merged",
  limit,
  async () => {
    const { made, seen, said, kills, met } = await played(someOf(6, 400, 32));
    // Said by who lived to say it.
    expect(full || { last: said.at(-1), kills }).toEqual(full || { last: "ALL_DONE", kills: 6 });
    await served(made, 1);
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
    expect(JSON.parse(made.read(".claude/memory/agents/pages-writer.json"))).toMatchObject({
      cache: { size: 4 },
    });
    for (const name of ["model", "pages", "site"])
      expect(made.read(`${name}.txt`)).toBe(`${name}\n`);
    const subjects = made.git("log", "--format=%s", "main").split("\n");
    expect(subjects.toSorted()).toEqual(["begin", "model", "pages", "site"]);
    // What a stage answered is no work of the project's.
    expect(made.git("status", "--porcelain", "--", ".", ":!.claude")).toBe("");
    expect(made.git("for-each-ref", "--format=%(refname)", "refs/heads/")).toBe("refs/heads/main");
    // Of the attempt that failed the snapshots stay, as of any task that ended.
    const kept = [expect.stringMatching(/^task_\w+\.git$/)];
    expect(made.trees()).toEqual(kept);
    const ending = await endingOf(made, folder);
    // Nobody was killed there; everything else is the same.
    const wanted = full ? await endingOf((await played("")).made, folder) : ending;
    const lost = [...differences(ending, wanted), ...leftIn(ending)];
    figure("boundaries of a plan", { seen: kills, lost: lost.length, more: `${met} boundaries` });
    expect(ending).toEqual(wanted);
    expect(lost).toEqual([]);
    // A kill behind the very last outcome: whoever serves this home next clears its clone away.
    await planted(made);
    expect(made.trees()).toHaveLength(4);
    await served(made, 1);
    expect(made.trees()).toEqual(kept);
    expect(made.git("for-each-ref", "--format=%(refname)", "refs/heads/")).toBe("refs/heads/main");
  },
);

/** The clone of who closed the plan, as it was when its outcome was taken. */
async function planted({ home }: Repository): Promise<void> {
  const store = await openSqlite(join(home, "holdfast.db"));
  const children = (await store.tasks({ workflow: "unit" })) as Task[];
  await store.close();
  const last = children.find(({ data }) => data.order?.key.startsWith("close-"));
  const { base = "" } = last?.data.order ?? {};
  const { workspace, ready, trees } = taskPlaces(home, last?.id ?? "");
  for (const place of [workspace, trees.repository]) mkdirSync(place, { recursive: true });
  writeFileSync(join(workspace, "left.txt"), "");
  writeFileSync(ready, JSON.stringify({ base }));
}
