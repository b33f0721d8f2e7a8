// A question of a run, answered while no process carries it (S1.15).
import { join } from "node:path";
import { expect, test } from "vitest";
import { holdfast } from "../cli/program.ts";
import { followed } from "./carried.ts";
import { type Repository, repository } from "./repository.ts";

const limit = { timeout: 600_000 };

const plan =
  "# Shop\n\n## Phase 0: First\n- [ ] T0.1: begin\n\n## Phase 1: Second\n- [ ] T1.1: end\n";

const settings = "version: 1\norchestrate:\n  mode: normal\n";

test(
  "S1.15 S2.6 questions of a plan that are answered while nobody runs are taken by the next process",
  limit,
  async () => {
    const made = repository(plan, { "T1.1": [{ fail: "no" }] }, settings);
    const between = await askedBy(made, []);
    answer(made, between, "continue");
    const failed = await askedBy(made, ["--resume"]);
    expect(failed).toBe(between);
    expect(made.state().tasks).toMatchObject({ completed: ["T0.1"], failed: ["T1.1"] });
    made.course({});
    answer(made, failed, "fix");
    const { code, lines } = await followed(made, [...made.run, "--resume"], () => undefined);
    expect(lines.join("\n")).not.toContain("holdfast task answer");
    expect([code, made.state().tasks.completed]).toEqual([0, ["T0.1", "T1.1"]]);
    expect(made.conversations().get("T0.1")).toBe(1);
  },
);

test.each([
  ["is gone", null],
  ["names a task that is not there", `${plan}  - depends: T9.9\n`],
] as const)(
  "S2.4 S2.8 a plan that %s meanwhile is asked about once, and the run continues when it is back",
  limit,
  async (_, text) => {
    const made = repository(plan);
    const path = join(made.project, "TASKS.md");
    const spoil =
      text === null
        ? `require("node:fs").rmSync(${JSON.stringify(path)})`
        : `require("node:fs").writeFileSync(${JSON.stringify(path)}, ${JSON.stringify(text)})`;
    made.course({ "T0.1": [{ write: { "a.txt": "a\n" }, run: ["-e", spoil] }] });
    let inbox = "";
    const asks = (line: string): boolean => {
      const isQuestion = line.includes("holdfast task answer");
      if (isQuestion) inbox = made.call("task inbox").out;
      if (isQuestion) made.write("TASKS.md", plan);
      return false;
    };
    const { code, lines } = await followed(made, made.run, () => undefined, asks);
    expect(lines.filter((line) => line.includes("holdfast task answer"))).toHaveLength(1);
    expect(inbox).toContain("The run continues by itself");
    expect([code, made.state().tasks.completed]).toEqual([0, ["T0.1", "T1.1"]]);
    expect(made.conversations()).toEqual(new Map(["T0.1", "T1.1"].map((unit) => [unit, 1])));
    expect(made.call("task inbox").out).not.toContain("The run continues by itself");
  },
);

test("S2.8 who does not want to wait for a plan stops the run, and resumes it", limit, async () => {
  const made = repository(plan);
  const path = JSON.stringify(join(made.project, "TASKS.md"));
  made.course({ "T0.1": [{ run: ["-e", `require("node:fs").rmSync(${path})`] }] });
  const asks = (line: string): boolean => {
    const task = /holdfast task answer (task_\w+)/.exec(line)?.[1];
    if (task !== undefined) answer(made, task, "stop");
    return false;
  };
  const stopped = await followed(made, made.run, () => undefined, asks);
  expect(stopped).toMatchObject({ code: 4 });
  expect(stopped.lines.join("\n")).toMatch(/HELD[^]*TASKS\.md/);
  made.write("TASKS.md", plan);
  const { code } = await followed(made, [...made.run, "--resume"], () => undefined);
  expect([code, made.state().tasks.completed]).toEqual([0, ["T0.1", "T1.1"]]);
});

// --- internal ---

/** Killed as soon as it asks; gives the task to answer. */
async function askedBy(made: Repository, words: readonly string[]): Promise<string> {
  let task = "";
  const asks = (line: string): boolean => {
    const found = /holdfast task answer (task_\w+)/.exec(line)?.[1];
    task = found ?? task;
    return found !== undefined;
  };
  await followed(made, [...made.run, ...words], () => undefined, asks);
  expect(task).not.toBe("");
  return task;
}

function answer({ project, env }: Repository, task: string, word: string): void {
  const given = holdfast(["task", "answer", task, "--answer", word], { cwd: project, env });
  expect(given).toMatchObject({ code: 0 });
}
