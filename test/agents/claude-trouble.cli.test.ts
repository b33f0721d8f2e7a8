// Claude Code itself, at work for the built server: what stops it and what it is brought back from
// (docs/agents.md).
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { full } from "../crash/programs.ts";
import { pidOf } from "../engine/stage.ts";
import { complete, describeClaude, gate, phaseComplete, shell, soon } from "./claude-stage.ts";

const free = (prompt: string): string =>
  `task_types: { free: { permissions: everything, phases: [{ name: P, prompt: ${prompt}, review: false }] } }`;
/** Writes on and on, so that whether it runs is seen. */
const ticking = `python3 -u -c "
import time
for i in range(6000):
    open('ticks.txt', 'a').write('.')
    time.sleep(0.05)
"`;
const isOver = ({ status }: { status: string }): boolean => status === "completed";
const ticksIn = (workspace: string | null): number => {
  const file = join(workspace ?? "", "ticks.txt");
  return existsSync(file) ? statSync(file).size : 0;
};

describeClaude("what stops it", (stage) => {
  test("S1.10 a pause lets it end its turn, with its tool; resumed it is told to go on", async () => {
    const { world } = stage;
    world.settings(free("Tick."));
    world.api.play(({ said }) =>
      said.includes("Tick.") ? shell(ticking, { timeout: 600_000 }) : { text: phaseComplete(1) },
    );
    const id = await world.task({ type: "free" });
    const { workspace } = await world.until(id, (task) => ticksIn(task.workspace) > 20);
    await world.act(id, "pause");
    await world.until(id, ({ agentStatus }) => agentStatus === "paused");
    await soon(() => world.isFrozen()).toBe(true);
    const [run = ""] = world.runs();
    // Asked to, Claude Code ended the turn and its tool itself, before it was frozen.
    expect(world.printed(run).at(-1)).not.toMatchObject({ type: "assistant" });
    expect(world.printed(run).some((line) => line["terminal_reason"] === "aborted_tools")).toBe(
      true,
    );
    const ticks = ticksIn(workspace);
    await world.act(id, "resume");
    await world.until(id, isOver);
    expect(ticksIn(workspace)).toBe(ticks);
    expect(stage.acted("Tick.")).toBe(1);
    expect(world.api.requests).toHaveLength(2);
    expect(world.runs()).toHaveLength(1);
  });

  test("S1.10 frozen in the middle of a turn, it and its connection stand still and go on where they were", async () => {
    const { world } = stage;
    const question =
      "[USER_QUESTION]\ncategory: choice\nquestion: Which way?\noptions: [left, right]\nrequired: true\n[/USER_QUESTION]\n";
    const rest = gate();
    world.settings(free("Walk."));
    world.api.play((request) => {
      // Into the turn that goes on, or as one of its own: that is Claude Code's to decide.
      if (request.said.includes("right")) return { text: phaseComplete(1) };
      if (request.results.length > 0) return { text: "I wait." };
      // The connection stays open behind the question, and the turn goes on with a tool.
      return {
        ...shell("echo walked > walked.txt"),
        text: `I ask.\n\n${question}`,
        before: () => rest.passed,
      };
    });
    const id = await world.task({ type: "free" });
    await world.until(id, ({ agentStatus }) => agentStatus === "waiting_question");
    await soon(() => world.isFrozen()).toBe(true);
    rest.open();
    // Not a wait for something: the time for which it has to stand still.
    await pause(full ? 30_000 : 3_000);
    const { workspace } = await world.until(id, () => true);
    expect(world.isFrozen()).toBe(true);
    expect(existsSync(join(workspace ?? "", "walked.txt"))).toBe(false);
    await world.act(id, "answer", { answer: "right" });
    await world.until(id, isOver);
    expect(existsSync(join(workspace ?? "", "walked.txt"))).toBe(true);
    expect(stage.acted("Walk.")).toBe(1);
    expect(stage.acted("right")).toBe(1);
    expect(world.api.requests.every(({ outcome }) => outcome === "answered")).toBe(true);
    expect(world.runs()).toHaveLength(1);
  });

  test("S1.20 killed in the middle of a tool, it is taken up by another process, and the tool is gone", async () => {
    const { world } = stage;
    world.settings(free("Tick."));
    world.api.play(({ said }) =>
      said.includes("Tick.") ? shell(ticking, { timeout: 600_000 }) : { text: phaseComplete(1) },
    );
    const id = await world.task({ type: "free" });
    const { workspace } = await world.until(id, (task) => ticksIn(task.workspace) > 20);
    const [first = ""] = world.runs();
    process.kill(pidOf(world.home, first), "SIGKILL");
    await world.until(id, isOver);
    expect(world.runs()).toHaveLength(2);
    expect(stage.acted("Tick.")).toBe(1);
    expect(world.api.requests).toHaveLength(2);
    expect(world.api.requests.at(-1)?.conversation).toContain("Tick.");
    await soon(() => world.pids()).toEqual([]);
    const ticks = ticksIn(workspace);
    await pause(200);
    expect(ticksIn(workspace)).toBe(ticks);
  });

  test("S1.20 killed before its conversation is on the disk, it begins another one", async () => {
    const { world } = stage;
    const asked = gate();
    world.api.play(({ number }) => {
      if (number > 1) return { text: complete };
      asked.open();
      return { hang: true };
    });
    const id = await world.task({ description: "Begin well." });
    await asked.passed;
    process.kill(pidOf(world.home, world.runs()[0] ?? ""), "SIGKILL");
    await world.until(id, isOver);
    expect(world.runs()).toHaveLength(2);
    expect(stage.acted("Begin well.")).toBe(1);
    const [first, second] = world.runs().map((run) => world.printed(run)[0]?.["session_id"]);
    expect(second).not.toBe(first);
  });

  test("S1.11 where its conversation was removed meanwhile, it begins another one in the same workspace", async () => {
    const { world } = stage;
    const need =
      "[DEPENDENCY_REQUEST]\ntype: env_variable\nname: STAR\ndescription: a star\nrequired: true\n[/DEPENDENCY_REQUEST]";
    world.api.play(({ number }) => ({ text: number === 1 ? need : complete }));
    const id = await world.task({ description: "Look up." });
    await world.until(id, ({ agentStatus }) => agentStatus === "waiting_dependency");
    // Frozen a moment before it wrote its last words, it would do so when it is thawed to end.
    process.kill(pidOf(world.home, world.runs()[0] ?? ""), "SIGKILL");
    await soon(() => world.pids()).toEqual([]);
    rmSync(join(world.env["HOME"] ?? "", ".claude", "projects"), { recursive: true });
    await world.act(id, "provide", { value: "Vega" });
    await world.until(id, isOver);
    // Once in each conversation, and first in the new one.
    expect(stage.acted("Look up.")).toBe(2);
    expect(world.api.requests[1]?.said).toContain("Look up.");
    expect(world.api.requests[1]?.conversation).not.toContain("STAR");
    expect(
      (await world.steps(id)).find(({ trigger }) => trigger === "failed")?.metadata,
    ).toMatchObject({ class: "session" });
  });

  test("S1.20 while the server is dead it works on; the next server takes it up, and nothing is done twice", async () => {
    const { world } = stage;
    const second = gate();
    world.settings(free("Write on."));
    world.api.play(async ({ results }) => {
      if (results.length === 0) return shell("echo once >> lines.txt");
      await second.passed;
      return { text: phaseComplete(1) };
    });
    const id = await world.task({ type: "free" });
    await soon(() => world.api.requests.length).toBe(2);
    await world.killServer();
    second.open();
    const [run = ""] = world.runs();
    await soon(() => world.printed(run).some(({ type }) => type === "result")).toBe(true);
    await world.serve();
    const { workspace } = await world.until(id, isOver);
    expect(readFileSync(join(workspace ?? "", "lines.txt"), "utf8")).toBe("once\n");
    expect(world.runs()).toHaveLength(1);
    expect(stage.acted("Write on.")).toBe(1);
    expect(world.api.requests).toHaveLength(2);
    const claims = (await world.steps(id)).filter(
      ({ trigger, machine }) => trigger === "PHASE_COMPLETE" && machine === "task",
    );
    expect(claims).toHaveLength(1);
  });
});

describeClaude("limits and what is spent", (stage) => {
  test("S1.18 a limit that it overcomes by itself stops nothing and costs no attempt", async () => {
    const { world } = stage;
    let refused = 0;
    world.api.play(() =>
      ++refused <= 2 ? { status: 429, headers: { "retry-after": "1" } } : { text: complete },
    );
    const id = await world.task({ description: "Try it." });
    await world.until(id, isOver);
    expect(world.api.requests.map(({ outcome }) => outcome)).toEqual([
      "refused",
      "refused",
      "answered",
    ]);
    expect(stage.acted("Try it.")).toBe(1);
    const steps = await world.steps(id);
    expect(steps.some(({ to }) => to === "paused")).toBe(false);
  });

  test("S1.18 a limit without a stated end parks it for a minute, and is no attempt", async () => {
    const { world } = stage;
    world.api.play(() => ({ status: 429, headers: { "retry-after": "300" } }));
    const id = await world.task();
    await world.until(id, ({ agentStatus }) => agentStatus === "paused");
    const parked = (await world.steps(id)).find(({ trigger }) => trigger === "RATE_LIMIT");
    const wait =
      Date.parse(String(parked?.metadata["until"])) - Date.parse(parked?.timestamp ?? "");
    expect(wait).toBeGreaterThan(30_000);
    expect(wait).toBeLessThan(80_000);
    expect(world.api.requests).toHaveLength(1);
    const { attempts } = (await world.call(`/api/tasks/${id}`)) as { attempts: unknown[] };
    expect(attempts).toEqual([]);
  });

  test("S1.14 a refused login parks it until a person has mended it", async () => {
    const { world } = stage;
    let mended = false;
    world.api.play(() => (mended ? { text: complete } : { status: 401 }));
    const id = await world.task({ description: "Log in." });
    const { questions } = await world.until(id, (task) => task.questions.length > 0);
    mended = true;
    await world.act(id, "answer", { questionId: questions[0], answer: "continue" });
    await world.until(id, isOver);
    expect(world.runs()).toHaveLength(2);
    expect(world.api.requests.filter(({ outcome }) => outcome === "answered")).toHaveLength(1);
    expect(world.api.requests.at(-1)?.conversation).toContain("Log in.");
  });

  test("S1.21c what it spends is added up turn by turn, over a killed process too", async () => {
    const { world } = stage;
    world.settings(
      "task_types: { two: { permissions: everything, phases: [{ name: A, prompt: First., review: false }, { name: B, prompt: Second., review: false }] } }",
    );
    const usage = { input: 1_000, output: 200 };
    world.api.play((request) => {
      if (request.said.includes("First.")) return { text: phaseComplete(1), usage };
      if (request.said.includes("Second.")) return shell(ticking, { timeout: 600_000 });
      return { text: phaseComplete(2), usage: { input: 2_000, output: 400 } };
    });
    const id = await world.task({ type: "two" });
    const first = await world.until(id, (task) => ticksIn(task.workspace) > 20);
    expect(first.tokens).toBe(1_200);
    expect(first.costUsd).toBeGreaterThan(0);
    process.kill(pidOf(world.home, world.runs()[0] ?? ""), "SIGKILL");
    const task = await world.until(id, isOver);
    // What the killed turn had spent is lost with it: Claude Code tells at the end of a turn.
    expect(task.tokens).toBe(3_600);
    expect(task.costUsd).toBeCloseTo(first.costUsd * 3, 9);
  });
});

describeClaude(
  "a subscription's limit",
  (stage) => {
    test("S1.18 parks it until the stated reset, then it goes on by itself", async () => {
      const { world } = stage;
      let reset = 0;
      world.api.play(() => {
        if (reset > 0) return { text: complete };
        reset = Math.floor(Date.now() / 1_000) + 15;
        return {
          status: 429,
          headers: {
            "anthropic-ratelimit-unified-status": "rejected",
            "anthropic-ratelimit-unified-reset": String(reset),
            "anthropic-ratelimit-unified-representative-claim": "five_hour",
            "anthropic-ratelimit-unified-5h-utilization": "1.0",
            "anthropic-ratelimit-unified-5h-reset": String(reset),
          },
        };
      });
      const id = await world.task({ description: "Go far." });
      await world.until(id, ({ agentStatus }) => agentStatus === "paused");
      await soon(() => world.isFrozen()).toBe(true);
      const parked = (await world.steps(id)).find(({ trigger }) => trigger === "RATE_LIMIT");
      expect(Date.parse(String(parked?.metadata["until"]))).toBe(reset * 1_000);
      await world.until(id, isOver);
      expect(Date.now()).toBeGreaterThanOrEqual(reset * 1_000);
      expect(world.api.requests.map(({ outcome }) => outcome)).toEqual(["refused", "answered"]);
      expect(world.api.requests.at(-1)?.conversation).toContain("Go far.");
      expect(world.runs()).toHaveLength(1);
    });
  },
  { CLAUDE_CODE_OAUTH_TOKEN: "dummy" },
);
