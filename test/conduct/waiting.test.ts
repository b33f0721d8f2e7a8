// What a person says while no process carries a run is taken by the next one (S1.15), whichever workflow it
// is. Of develop: test/develop/waiting.test.ts; of orchestrate: test/orchestrate/answered.test.ts; of a
// task of the server: test/engine/answers.test.ts.
import { expect, test } from "vitest";
import { holdfast } from "../cli/program.ts";
import { followed } from "../orchestrate/carried.ts";
import { type Repository, repository } from "../orchestrate/repository.ts";

const limit = { timeout: 600_000 };

test(
  "S1.15 S3.2 a plan that waits for a person's approval and for a decision takes both, given while nobody runs",
  limit,
  async () => {
    const course = { pages: [{ fail: "critical: the licence is missing", write: {} }, {}] };
    const made = repository(undefined, course, undefined, { program: "../plan/plan-agent.mjs" });
    const begin = ["plan", "Make a site", "--review", ...made.agent];
    const approval = await waitsFor(made, begin, answering);
    answer(made, approval, "approve: begin");
    const decision = await waitsFor(made, ["plan", "resume"], answering);
    answer(made, decision, "retry: try it again");
    const { code, lines } = await followed(made, ["plan", "resume"], () => undefined);
    expect([code, lines.at(-1)]).toEqual([0, "ALL_DONE"]);
    expect(lines.join("\n")).not.toMatch(answering);
    expect(Object.fromEntries(made.conversations())).toMatchObject({ plan: 1, model: 1, pages: 2 });
  },
);

test(
  "S1.15 S4.5 a request whose agent gave up is tried again as a person said while nobody ran",
  limit,
  async () => {
    const fails = { fail: "no network", write: {} };
    const made = repository(undefined, { explored: [fails, fails, fails, fails, {}] }, undefined, {
      program: "../request/role-agent.mjs",
    });
    const asked = await waitsFor(made, ["request", "read an item", ...made.agent], answering);
    expect(made.conversations().get("explored")).toBe(4);
    answer(made, asked, "retry: try it again, with the retries of what is stuck given back");
    const isTriedAgain = (): boolean => made.conversations().get("explored") === 5;
    const { lines } = await followed(made, ["request", "resume"], () => undefined, isTriedAgain);
    expect(lines.join("\n")).not.toMatch(answering);
    expect(made.conversations().get("explored")).toBe(5);
    expect(made.call(`task cancel ${asked}`)).toMatchObject({ code: 0 });
  },
);

test(
  "S1.15 a value that an agent of a run needs, provided while nobody runs, is in the process that continues",
  limit,
  async () => {
    const plan = "# Shop\n\n## Phase 1: Only\n- [ ] T1.1: begin\n";
    const write = [
      "-e",
      'require("node:fs").writeFileSync("length.txt", `${process.env.API_KEY.length}`)',
    ];
    const made = repository(plan, { "T1.1": [{ need: "API_KEY", run: write }] });
    const needs = await waitsFor(made, made.run, /holdfast task provide (task_\w+)/);
    expect(made.call(`task provide ${needs} --value abc123`)).toMatchObject({ code: 0 });
    const resumed = await followed(made, [...made.run, "--resume"], () => undefined);
    expect(resumed.lines.join("\n")).not.toContain("holdfast task provide");
    expect([resumed.code, made.state().tasks.completed]).toEqual([0, ["T1.1"]]);
    expect([made.conversations().get("T1.1"), made.read("length.txt")]).toEqual([1, "6"]);
  },
);

// --- internal ---

const answering = /holdfast task answer (task_\w+)/;

/** Killed as soon as it says that it waits for this; gives the task. */
async function waitsFor(made: Repository, words: readonly string[], what: RegExp): Promise<string> {
  let task = "";
  const waits = (line: string): boolean => {
    task = what.exec(line)?.[1] ?? task;
    return task !== "";
  };
  await followed(made, words, () => undefined, waits);
  expect(task).not.toBe("");
  return task;
}

function answer({ project, env }: Repository, task: string, option: string): void {
  const words = ["task", "answer", task, "--answer", option];
  expect(holdfast(words, { cwd: project, env })).toMatchObject({ code: 0 });
}
