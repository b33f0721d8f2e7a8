// How agents end, and what is done about it (S1.14): claims that do not hold, exits, signals,
// silence, errors they tell themselves.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { timerKey } from "../../src/engine/_draft.ts";
import { inside, isOver, onStage, pidOf, send, settings, soon } from "./stage.ts";

const stage = onStage({ policies: { silenceMs: 700 } });

const look = (id: string) => inside(stage.open, id);

describe("an agent that ends without a claim (S1.14)", () => {
  test("S1.14 exit 0: reminded twice in the same conversation, then it goes on to its claim", async () => {
    const script = "say one\nexit 0\nsay two\nexit 0\nsay three\ndone at last";
    const { id } = await stage.open.submit({ script });
    const task = await stage.open.until(id, isOver);
    expect(task).toMatchObject({ status: "completed", failure: null });
    expect((await look(id)).processes).toHaveLength(3);
    expect((await look(id)).agent.data).toMatchObject({ reminders: 2, crashes: 0 });
    expect((await look(id)).attempts.filter((each) => each.startsWith("failed"))).toEqual([]);
  });

  test("S1.14 exit 0 again and again: two reminders, three attempts, then failed with the reason", async () => {
    const { id } = await stage.open.submit({ script: "repeat 9\nsay {i}\nexit 0\nend" });
    const task = await stage.open.until(id, isOver);
    expect(task).toMatchObject({ status: "failed", failure: { reason: "attempts" } });
    expect((await look(id)).attempts).toEqual(["failed exit 0", "failed exit 0", "failed exit 0"]);
    expect((await look(id)).processes).toHaveLength(5);
  });

  test("S1.14 another code and a signal are attempts; what it did before stays done", async () => {
    const script = "write a.txt first\nexit 3\nwrite b.txt second\nsay ready\nsleep 60000\ndone x";
    const { id } = await stage.open.submit({ script });
    await soon(async () => (await look(id)).processes.length).toBe(2);
    const last = (await look(id)).processes.at(-1)?.id ?? "";
    await soon(() => said(last)).toContain("ready");
    send(pidOf(stage.world.home, last), "SIGKILL");
    await soon(async () => (await look(id)).attempts).toEqual(["failed exit 3", "failed SIGKILL"]);
    const { workspace, status } = await stage.open.tasks.show(id);
    expect(status).toBe("in_progress");
    expect(readFileSync(join(workspace ?? "", "a.txt"), "utf8")).toContain("first");
    expect((await look(id)).agent.data.crashes).toBe(2);
  });

  test("S1.14 a plain command that ends behind each claim is started for each phase and rework", async () => {
    settings(
      stage.world,
      `task_types:
  two_steps:
    phases:
      - { name: One, prompt: Do one, review: false, verify: ["test -f second"] }
      - { name: Two, prompt: Do two, review: false }`,
    );
    // It knows nothing of its conversation, only what lies in its folder.
    const agent = `
if [ -f second ]; then phase=2; else phase=1; fi
if [ -f first ]; then touch second; fi
touch first
printf '=== PHASE %s COMPLETE ===\\nCompleted: it\\n' $phase
`;
    writeFileSync(join(stage.world.folder, "agent.sh"), agent);
    const { id } = await stage.open.submit({
      type: "two_steps",
      agent: `command:sh ${join(stage.world.folder, "agent.sh")}`,
    });
    const task = await stage.open.until(id, isOver);
    expect(task).toMatchObject({ status: "completed", failure: null });
    expect((await look(id)).processes).toHaveLength(3);
    expect((await look(id)).attempts.map((each) => each.split(" ")[0])).toEqual([
      "failed",
      "passed",
      "passed",
    ]);
  });
});

describe("an agent that falls silent (S1.14)", () => {
  test("S1.14 a human is asked and nothing is killed; wait waits, restart is a new process", async () => {
    const { id } = await stage.open.submit({ script: "say begun\nhang" });
    const asked = await stage.open.until(id, ({ questions }) => questions.length > 0);
    expect(asked.agentStatus).toBe("running");
    const [first] = (await look(id)).processes;
    expect(first).toMatchObject({ status: "running" });
    const questionOf = async (name: string) =>
      (await stage.open.tasks.state(id)).entities.question.get(name)?.data;
    expect(await questionOf(asked.questions[0] ?? "")).toMatchObject({ origin: "silence" });
    await stage.open.tasks.answer(id, { answer: "wait" });
    const again = await stage.open.until(id, ({ questions }) => questions.length > 0);
    expect(again.questions).not.toEqual(asked.questions);
    expect((await look(id)).processes.map(({ status }) => status)).toEqual(["running"]);
    await stage.open.tasks.answer(id, { answer: "restart" });
    await soon(async () => (await look(id)).processes.length).toBe(2);
    const [ended, next] = (await look(id)).processes;
    expect(ended).toMatchObject({ status: "ended", data: { wanted: true } });
    expect(next?.data.resume).toBe(true);
    expect((await look(id)).agent.data.crashes).toBe(0);
  });

  test("S1.14 one that speaks is not asked about, however late we read it", async () => {
    await stage.again({ policies: { silenceMs: 3_600_000 } });
    const { engine, store } = stage.open;
    const { id } = await stage.open.submit({ script: "say begun\nhang" });
    await soon(() => [...(engine.live.get(id)?.tails.values() ?? [])][0]?.reader.offset).toBe(
      "begun\n".length,
    );
    const live = engine.live.get(id);
    const [tail] = live?.tails.values() ?? [];
    if (live === undefined || tail === undefined) throw new Error("nobody reads it");
    const key = timerKey(id, "silence", (await look(id)).agent.id);
    const hourLater = async (): Promise<void> => {
      tail.lastOutputAt -= 3_600_000;
      const timer = { key, taskId: id, name: "silence", dueAt: Date.now(), data: {} };
      await store.commit({ timers: [timer] });
    };
    const questions = async () => (await stage.open.tasks.show(id)).questions;
    // Nobody wakes us, as where no inotify instance is left.
    tail.stop();
    await engine.tails.look(live);
    appendFileSync(join(stage.world.home, "runs", tail.process, "out"), "still here\n");
    const before = Date.now();
    await hourLater();
    const due = async () => (await store.timersNamed("silence")).find((each) => each.key === key);
    await soon(async () => (await due())?.dueAt ?? 0).toBeGreaterThanOrEqual(before + 3_600_000);
    expect(await questions()).toEqual([]);
    // And an hour in which it says nothing.
    await hourLater();
    await stage.open.until(id, (task) => task.questions.length > 0);
    // Somebody has to see its end.
    await stage.again();
  });
});

describe("what does not hold (S1.6, S1.12)", () => {
  test("S1.6 a claim that fails its command goes back three times with the output, then the task fails", async () => {
    settings(
      stage.world,
      `task_types:
  checked:
    phases: [{ name: One, prompt: Do it, review: true, verify: ["echo it is not there; test -f it"] }]`,
    );
    const { id } = await stage.open.submit({ type: "checked", script: "phase 1" });
    const task = await stage.open.until(id, isOver);
    expect(task).toMatchObject({ status: "failed", failure: { reason: "verification_failed" } });
    expect(task.failure?.message).toContain("it is not there");
    expect((await look(id)).attempts.map((each) => each.split(" ")[0])).toEqual(
      Array(4).fill("failed"),
    );
    const told = await inputs(id);
    expect(told.split("[FEEDBACK").length - 1).toBe(3);
  });

  test("S1.6 fatal: failed with the agent's own words, a last snapshot, nothing tried again", async () => {
    const { id } = await stage.open.submit({ script: "write a.txt x\nfatal The disk is broken" });
    const task = await stage.open.until(id, isOver);
    expect(task).toMatchObject({
      status: "failed",
      failure: { reason: "fatal_error", message: "The disk is broken" },
    });
    await soon(() => stage.open.tasks.snapshots(id)).toHaveLength(1);
    expect((await look(id)).processes).toHaveLength(1);
    expect(stage.world.notices).toContain("failed");
  });

  test("S1.12 checkpoint_and_fail: a snapshot, then failed", async () => {
    const script = "write a.txt x\nerror checkpoint_and_fail No way on\nhang";
    const { id } = await stage.open.submit({ script });
    const task = await stage.open.until(id, isOver);
    expect(task.failure).toEqual({ reason: "fatal_error", message: "No way on" });
    await soon(() => stage.open.tasks.snapshots(id)).toHaveLength(1);
    await soon(async () => (await look(id)).processes[0]?.status).toBe("ended");
  });

  test("S1.12 notify_user: people are told, and the agent goes on", async () => {
    const script = "error notify_user The style guide is missing\ndone without it";
    const { id } = await stage.open.submit({ script });
    const task = await stage.open.until(id, isOver);
    expect(task.status).toBe("completed");
    await soon(() => stage.world.notices).toContain("error");
    const journal = await stage.open.store.transitions({ taskId: id });
    expect(journal.filter(({ trigger }) => trigger === "error")).toHaveLength(1);
  });

  test("S1.3 a set-up that fails ends the task with its output, also while it is paused", async () => {
    const go = join(stage.world.folder, "go");
    const waiting = `until [ -e ${go} ]; do sleep 0.05; done`;
    settings(stage.world, `setup: ${waiting}; echo no network; exit 7`);
    const paused = await stage.open.submit({ script: "done x" });
    const plain = await stage.open.submit({ script: "done x" });
    await stage.open.until(paused.id, ({ status }) => status === "in_progress");
    await stage.open.tasks.act(paused.id, { name: "pause" });
    writeFileSync(go, "");
    for (const { id } of [paused, plain]) {
      const task = await stage.open.until(id, isOver);
      expect(task).toMatchObject({ status: "failed", failure: { reason: "fatal_error" } });
      expect(task.failure?.message).toContain("no network");
    }
  });
});

// --- internal ---

function said(run: string): string {
  return readFileSync(join(stage.world.home, "runs", run, "out"), "utf8");
}

/** All that its processes were told, put together. */
async function inputs(id: string): Promise<string> {
  const folder = join(stage.world.home, "runs");
  const { processes } = await look(id);
  return processes.map((each) => readFileSync(join(folder, each.id, "in"), "utf8")).join("");
}
