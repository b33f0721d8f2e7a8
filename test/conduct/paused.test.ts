// Ctrl-C in the terminal of a foreground run (S7.3): it is paused where it is, durably, and says how to resume.
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { type Running, cli, start } from "../cli/program.ts";
import { until } from "../crash/programs.ts";
import { type Features, approves, carriedOut, design, features } from "../develop/repository.ts";
import { waiting } from "../orchestrate/waiting.ts";
import { processesOf } from "./killed.ts";

const limit = { timeout: 600_000 };

type Made = Pick<Features, "project" | "env" | "folder">;

function begun({ project, env }: Made, words: readonly string[]): Running {
  const running = start([process.execPath, cli, ...words], { cwd: project, env });
  onTestFinished(() => void running.child.kill("SIGKILL"));
  return running;
}

/** What is left of it stands still: T, stopped by a signal. Who only holds an agent's files is not it. */
function states({ folder }: Made): string[] {
  return processesOf(folder).flatMap((pid) => {
    try {
      const program = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      if (!/agent\.mjs|-e/.test(program)) return [];
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      return [stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3)];
    } catch {
      return [];
    }
  });
}

test(
  "S7.3 orchestrate: Ctrl-C stops its agents where they are, --resume lets them continue",
  limit,
  async () => {
    const made = waiting();
    const running = begun(made, made.run);
    await made.begun();
    running.child.kill("SIGINT");
    const end = await running.ended;
    expect(end.code).toBe(4);
    expect(end.out).toMatch(/^PAUSED$/m);
    expect(end.out).toContain("holdfast orchestrate --resume");
    expect(new Set(states(made))).toEqual(new Set(["T"]));
    expect(made.call("log --json").out).toContain('"trigger":"pause"');
    made.go();
    const resumed = await begun(made, [...made.run, "--resume"]).ended;
    expect(resumed).toMatchObject({ code: 0, out: expect.stringContaining("ALL_DONE") as string });
    expect([...made.conversations().values()]).toEqual([1, 1]);
  },
);

test(
  "S7.3 a second Ctrl-C ends it at once, and what was paused or not is resumed",
  limit,
  async () => {
    const made = waiting();
    const running = begun(made, made.run);
    await made.begun();
    let said = "";
    running.child.stderr.on("data", (text: string) => (said += text));
    running.child.kill("SIGINT");
    await until("it says that it pauses", () => said.includes("Ctrl-C again"));
    running.child.kill("SIGINT");
    await running.ended;
    made.go();
    const resumed = await begun(made, [...made.run, "--resume"]).ended;
    expect(resumed).toMatchObject({ code: 0, out: expect.stringContaining("ALL_DONE") as string });
    expect([...made.conversations().values()]).toEqual([1, 1]);
  },
);

test("S7.3 develop: Ctrl-C pauses it like every foreground run", limit, async () => {
  const made = features({ DESIGN: [{ ...design("cp-1"), until: "design" }] });
  const running = begun(made, [...made.run, "chat"]);
  await until("its agent is at work", () => made.conversations().has("DESIGN"));
  running.child.kill("SIGINT");
  const end = await running.ended;
  expect([end.code, /^PAUSED$/m.test(end.out)]).toEqual([4, true]);
  expect(end.out).toContain("holdfast develop --resume");
  made.open("design");
  const { code } = await carriedOut(made, ["--resume"], approves(made));
  expect([code, made.state()?.phase]).toEqual([0, "DONE"]);
});
