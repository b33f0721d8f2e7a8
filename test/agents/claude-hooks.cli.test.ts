// Claude Code at work for the server, and what hooks tell it then: where it was when it has forgotten (S0.10),
// and that a thing is not done (S6.4).
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { cli, root } from "../cli/program.ts";
import {
  type ClaudeStage,
  describeClaude,
  gate,
  phaseComplete,
  resultsOf,
  shell,
} from "./claude-stage.ts";
import type { Reply } from "./model-api/model-api.ts";

const head = "You work for Holdfast on task";
const isOver = ({ status }: { status: string }): boolean => status === "completed";
const settings =
  "task_types: { long: { permissions: everything, phases: [{ name: P, prompt: Count the stars., review: false, deliverables: [{ path: stars.md }] }] } }";

/** Variables that Claude Code's user has set for it. */
function userSettings(own: Record<string, string>, env: Record<string, string>): void {
  const config = join(own["HOME"] ?? "", ".claude");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "settings.json"), JSON.stringify({ env }));
}

/** Its context is full at the third tool, in the middle of a turn. */
function forgetful({ world }: ClaudeStage, summarised: () => Promise<void>): void {
  userSettings(world.env, { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" });
  world.settings(settings);
  let tools = 0;
  world.api.play(async ({ said, conversation }) => {
    if (/create a detailed summary/i.test(said)) {
      await summarised();
      return { text: "<summary>We counted.</summary>" };
    }
    if (conversation.includes("We counted."))
      return tools++ < 4 ? shell("echo far > stars.md") : { text: phaseComplete(1) };
    tools++;
    const usage = { input: tools === 3 ? 150_000 : 1_000, output: 10 };
    return { ...shell(`echo ${tools}`), usage };
  });
}

/** The user has it as well, and `holdfast` on the PATH. */
async function withPlugin({ world }: ClaudeStage): Promise<void> {
  await world.killServer();
  const bin = join(world.env["HOME"] ?? "", "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "holdfast"), `#!/bin/sh\nexec ${process.execPath} ${cli} "$@"\n`);
  chmodSync(join(bin, "holdfast"), 0o755);
  world.env["PATH"] = [bin, world.env["PATH"]].join(delimiter);
  const env = { ...world.env, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" };
  for (const words of [
    ["marketplace", "add", root],
    ["install", "holdfast@holdfast"],
  ])
    spawnSync(world.env["HOLDFAST_CLAUDE"] ?? "", ["plugin", ...words], { env });
  await world.serve();
}

const marks = (input: object): Reply => ({
  text: "So.",
  calls: [{ name: "TaskUpdate", input }],
});
const told = (conversation: string | undefined): number =>
  (conversation?.split(head).length ?? 0) - 1;

describeClaude("what hooks tell it", (stage) => {
  test("S0.10 in the first request behind a compaction stands where the work is, once, also when the server was killed", async () => {
    const { world } = stage;
    const [begun, over] = [gate(), gate()];
    forgetful(stage, () => {
      begun.open();
      return over.passed;
    });
    const id = await world.task({ type: "long", title: "Stars" });
    await begun.passed;
    expect(world.api.requests.map(({ conversation }) => told(conversation))).not.toContain(1);
    await world.killServer();
    over.open();
    await expect.poll(() => world.api.requests.at(-1)?.conversation).toContain("We counted.");
    await world.serve();
    await world.until(id, isOver);
    const after = world.api.requests.filter(({ conversation }) =>
      conversation.includes("We counted."),
    );
    for (const { conversation } of after) expect(told(conversation)).toBe(1);
    const [first] = after;
    expect(first?.conversation).toContain(`${head} ${id} “Stars”, phase 1 of 1.`);
    expect(first?.conversation).toContain("Not there yet: stars.md");
    expect(first?.conversation).toMatch(/Its instructions: [^\n]*Count the stars\./);
    expect(world.runs()).toHaveLength(1);
  });

  test("S0.10 it is told once where the user has the plugin as well", async () => {
    const { world } = stage;
    forgetful(stage, () => Promise.resolve());
    await withPlugin(stage);
    const id = await world.task({ type: "long", title: "Stars" });
    await world.until(id, isOver);
    // The plugin is there: it told at the start.
    expect(told(world.api.requests[0]?.conversation)).toBe(1);
    const after = world.api.requests.find(({ conversation }) =>
      conversation.includes("We counted."),
    );
    expect(told(after?.conversation)).toBe(1);
    expect(after?.conversation).toContain("Not there yet: stars.md");
  });

  test("S6.4 a false “done” is refused with what is missing, and a true one passes", async () => {
    const { world } = stage;
    // Newer versions have its list of tasks without a terminal only for who asks for it.
    userSettings(world.env, { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" });
    await withPlugin(stage);
    world.settings(settings);
    const done = { taskId: "1", status: "completed" };
    const subject = { subject: "Finish phase 1", description: "All of it" };
    const replies: Reply[] = [
      { text: "I plan.", calls: [{ name: "TaskCreate", input: subject }] },
      marks(done),
      shell("echo far > stars.md"),
      marks(done),
      { text: phaseComplete(1) },
    ];
    const heard: string[] = [];
    world.api.play((request) => {
      heard.push(resultsOf(request));
      return replies.shift() ?? { text: "Nothing is left." };
    });
    const id = await world.task({ type: "long" });
    await world.until(id, isOver);
    expect(heard[2]).toContain("stars.md");
    expect(heard[4]).not.toContain("stars.md");
  });
});
