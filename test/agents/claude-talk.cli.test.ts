// Claude Code itself, at work for the built server: what is said and asked (docs/agents.md).
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  complete,
  describeClaude,
  gate,
  phaseComplete,
  resultsOf,
  shell,
  soon,
} from "./claude-stage.ts";

const asks = { status: "in_progress", agentStatus: "waiting_question" };
/** Edits of files in the workspace are allowed, whatever makes them; what a program does is not known. */
const writes = (name: string): string => `python3 -c "open('${name}', 'w').write('x')"`;
const option = (label: string): object => ({ label, description: `${label}?` });
const write = (text: string, path: string) => ({
  text: "I write.",
  calls: [{ name: "Write", input: { file_path: path, content: text } }],
});
const isOver = ({ status }: { status: string }): boolean => status === "completed";
const waitsFor =
  (what: string) =>
  ({ agentStatus }: { agentStatus: string | null }): boolean =>
    agentStatus === `waiting_${what}`;

describeClaude("what is said", (stage) => {
  test("S1.3 a task runs from its prompt to its end, in one process and one turn", async () => {
    const { world } = stage;
    world.api.play(() => ({ text: complete }));
    const id = await world.task({ description: "Count the stars." });
    expect(await world.until(id, isOver)).toMatchObject({
      agentStatus: "completed",
      failure: null,
    });
    expect(stage.acted("Count the stars.")).toBe(1);
    expect(world.api.requests).toHaveLength(1);
    expect(world.runs()).toHaveLength(1);
    await soon(() => world.pids()).toEqual([]);
  });

  test("S1.20 what it says is there to be read while it works", async () => {
    const { world } = stage;
    const second = gate();
    world.settings(
      "task_types: { free: { permissions: everything, phases: [{ name: P, prompt: Go., review: false }] } }",
    );
    world.api.play(async ({ results }) => {
      if (results.length === 0) return { ...shell("echo 별 셋"), text: "First words." };
      await second.passed;
      return { text: phaseComplete(1) };
    });
    const id = await world.task({ type: "free" });
    const output = async (): Promise<string> =>
      JSON.stringify(await world.call(`/api/tasks/${id}/output`));
    await soon(output).toContain("별 셋");
    expect(await output()).toContain("First words.");
    expect(await output()).not.toContain("That was it.");
    second.open();
    await world.until(id, isOver);
    expect((await output()).split("First words.")).toHaveLength(2);
  });

  test("S1.4b the next phase is a further turn of the same conversation and process", async () => {
    const { world } = stage;
    world.settings(
      "task_types: { two: { phases: [{ name: A, prompt: Plan the sky., review: false }, { name: B, prompt: Build the sky., review: false }] } }",
    );
    world.api.play(({ said }) => ({ text: phaseComplete(said.includes("Build") ? 2 : 1) }));
    const id = await world.task({ type: "two" });
    await world.until(id, isOver);
    expect([stage.acted("Plan the sky."), stage.acted("Build the sky.")]).toEqual([1, 1]);
    expect(world.api.requests.at(-1)?.conversation).toContain("Plan the sky.");
    expect(world.runs()).toHaveLength(1);
  });

  test("S1.14 a turn without a claim is followed by a reminder, then by what it claims", async () => {
    const { world } = stage;
    world.api.play(({ number }) => ({ text: number === 1 ? "I stop here." : complete }));
    const id = await world.task();
    await world.until(id, isOver);
    expect(world.api.requests).toHaveLength(2);
    expect((await world.steps(id)).map(({ trigger }) => trigger)).toContain("turn_ended");
  });
});

describeClaude("what is asked", (stage) => {
  test("S1.15 questions of its own tool are a person's to answer, and reach it where it waits", async () => {
    const { world } = stage;
    const questions = [
      {
        question: "Which database?",
        header: "DB",
        multiSelect: false,
        options: [option("SQLite"), option("Postgres")],
      },
      {
        question: "Which colours?",
        header: "Look",
        multiSelect: true,
        options: [option("red"), option("blue"), option("green")],
      },
    ];
    let heard = "";
    world.api.play((request) => {
      heard += resultsOf(request);
      return request.results.length > 0
        ? { text: complete }
        : { text: "I ask.", calls: [{ name: "AskUserQuestion", input: { questions } }] };
    });
    const id = await world.task();
    const [questionId] = (await world.until(id, waitsFor("question"))).questions;
    await soon(() => world.isFrozen()).toBe(true);
    const wrong = world.act(id, "answer", { questionId, answer: "SQLit\nred" });
    await expect(wrong).rejects.toThrow(/SQLite/);
    await world.act(id, "answer", { questionId, answer: "sqlite\nred, green" });
    await expect(world.act(id, "answer", { questionId, answer: "SQLite\nred" })).rejects.toThrow(
      /refused/,
    );
    await world.until(id, isOver);
    expect(heard).toContain('"Which database?"="SQLite"');
    expect(heard).toContain('"Which colours?"="red, green"');
    expect(world.api.requests).toHaveLength(2);
    expect(world.runs()).toHaveLength(1);
  });

  test("S1.16 what its policy does not allow is asked for: allowed it is done, refused it is told why", async () => {
    const { world } = stage;
    const heard: string[] = [];
    world.api.play((request) => {
      if (request.results.length > 0) heard.push(resultsOf(request));
      if (heard.length === 0) return shell(writes("allowed.txt"));
      return heard.length === 1 ? shell(writes("refused.txt")) : { text: complete };
    });
    const id = await world.task();
    expect(await world.until(id, waitsFor("question"))).toMatchObject(asks);
    await soon(() => world.isFrozen()).toBe(true);
    await world.act(id, "answer", { answer: "allow" });
    await soon(() => heard.length).toBe(1);
    await world.until(id, waitsFor("question"));
    await world.act(id, "answer", { answer: "deny: Not in this project." });
    const { workspace } = await world.until(id, isOver);
    expect(existsSync(join(workspace ?? "", "allowed.txt"))).toBe(true);
    expect(existsSync(join(workspace ?? "", "refused.txt"))).toBe(false);
    expect(heard[1]).toContain("Not in this project.");
    expect(world.api.requests).toHaveLength(3);
  });

  test("S1.14 S1.5 a claim without its file is refused; after a review's feedback it works on, and is approved", async () => {
    const { world } = stage;
    world.settings(
      "task_types: { doc: { phases: [{ name: P, prompt: Write of the moon., deliverables: [{ path: moon.md }] }] } }",
    );
    let place = "";
    world.api.play((request) => {
      const { said, results } = request;
      if (results.length > 0) return { text: phaseComplete(1) };
      if (said.includes("Write of the moon.") && request.number === 1)
        return { text: phaseComplete(1) };
      if (said.includes("moon.md") && !said.includes("Add the sun."))
        return write("The moon is far away.\n", place);
      return shell(`cat moon.md && printf 'And the sun.\\n' >> moon.md`);
    });
    const id = await world.task({ type: "doc" });
    place = join(
      (await world.until(id, ({ workspace }) => workspace !== null)).workspace ?? "",
      "moon.md",
    );
    await world.until(id, ({ status }) => status === "review");
    await soon(() => world.isFrozen()).toBe(true);
    const review = async (): Promise<{ id: string; hash: string }> =>
      world.call(`/api/tasks/${id}/review`);
    const first = await review();
    await world.act(id, "request-changes", { reviewId: first.id, feedback: "Add the sun." });
    await world.until(id, ({ reviews }) => reviews.some((each) => each !== first.id));
    const { id: reviewId, hash } = await review();
    await world.act(id, "approve", { reviewId, hash });
    await world.until(id, isOver);
    expect(readFileSync(place, "utf8")).toBe("The moon is far away.\nAnd the sun.\n");
    expect(stage.acted("Add the sun.")).toBe(1);
    expect(world.runs()).toHaveLength(1);
  });

  test("S1.15 a value it needs reaches it as a variable of a new process that takes up the conversation", async () => {
    const { world } = stage;
    const value = "sk-star-0123456789";
    world.settings(
      "task_types: { key: { permissions: everything, phases: [{ name: P, prompt: Use the key., review: false }] } }",
    );
    const need =
      "[DEPENDENCY_REQUEST]\ntype: api_key\nname: STAR_KEY\ndescription: The key to the stars\nrequired: true\n[/DEPENDENCY_REQUEST]\n";
    let heard = "";
    world.api.play((request) => {
      heard += resultsOf(request);
      if (request.results.length > 0) return { text: phaseComplete(1) };
      return request.number === 1
        ? { text: `I need a key.\n\n${need}` }
        : shell('printf "%s" "$STAR_KEY" | wc -c');
    });
    const id = await world.task({ type: "key" });
    await world.until(id, waitsFor("dependency"));
    await world.act(id, "provide", { value });
    await world.until(id, isOver);
    expect(heard).toContain(String(value.length));
    expect(world.runs()).toHaveLength(2);
    expect(stage.acted("Use the key.")).toBe(1);
    expect(world.api.requests.at(-1)?.conversation).toContain("I need a key.");
    expect(
      JSON.stringify([await world.steps(id), await world.call(`/api/tasks/${id}/output`)]),
    ).not.toContain(value);
  });
});
