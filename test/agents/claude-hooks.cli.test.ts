// Claude Code forgets in the middle of its work for the server (S0.10): what it is told then.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { cli, root } from "../cli/program.ts";
import { type ClaudeStage, describeClaude, gate, phaseComplete, shell } from "./claude-stage.ts";

const head = "You work for Holdfast on task";
const isOver = ({ status }: { status: string }): boolean => status === "completed";
const settings =
  "task_types: { long: { permissions: everything, phases: [{ name: P, prompt: Count the stars., review: false, deliverables: [{ path: stars.md }] }] } }";

/** Its context is full at the third tool, in the middle of a turn. */
function forgetful({ world }: ClaudeStage, summarised: () => Promise<void>): void {
  const config = join(world.env["HOME"] ?? "", ".claude");
  mkdirSync(config, { recursive: true });
  const env = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" };
  writeFileSync(join(config, "settings.json"), JSON.stringify({ env }));
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

const told = (conversation: string | undefined): number =>
  (conversation?.split(head).length ?? 0) - 1;

describeClaude("what it forgets", (stage) => {
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
    await expect
      .poll(() => world.api.requests.at(-1)?.conversation, { timeout: 60_000 })
      .toContain("We counted.");
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
    await world.killServer();
    const bin = join(world.env["HOME"] ?? "", "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "holdfast"), `#!/bin/sh\nexec ${process.execPath} ${cli} "$@"\n`);
    chmodSync(join(bin, "holdfast"), 0o755);
    world.env["PATH"] = [bin, world.env["PATH"]].join(delimiter);
    forgetful(stage, () => Promise.resolve());
    for (const words of [
      ["marketplace", "add", root],
      ["install", "holdfast@holdfast"],
    ])
      spawnSync(world.env["HOLDFAST_CLAUDE"] ?? "", ["plugin", ...words], {
        env: { ...world.env, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
      });
    await world.serve();
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
});
