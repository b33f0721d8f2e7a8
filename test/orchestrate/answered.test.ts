// A question of a run, answered while no process carries it (S1.15).
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
