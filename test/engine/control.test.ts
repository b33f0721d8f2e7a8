// Pause, resume, cancel, retry, archive, delete: in every state an agent may be in (S1.7, S1.9).
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inside, isOver, nothingLeft, onStage, pidOf, settings, soon, tagged } from "./stage.ts";

const stage = onStage();
const look = (id: string) => inside(stage.open, id);

const reviewed = `task_types:
  reviewed: { phases: [{ name: One, prompt: Do it, deliverables: [{ path: a.txt }] }] }`;

/** How each state is come to, and how the task goes on from it. */
const states: Record<
  string,
  { script: string; type?: string; go: (id: string) => Promise<unknown> }
> = {
  running: { script: "say 1\nsay 2\nsleep 4000\nsay 3\ndone x", go: async () => undefined },
  waiting_question: {
    script: "ask choice Which? | Red | Blue\nsay {answer}\ndone x",
    go: (id) => stage.open.tasks.answer(id, { answer: "Red" }),
  },
  waiting_dependency: {
    script: "need api_key THE_KEY\nsay here\ndone x",
    go: (id) => stage.open.tasks.provide(id, { value: "s3cret-value" }),
  },
  waiting_review: {
    script: "write a.txt x\nphase 1\nwait",
    type: "reviewed",
    go: (id) => stage.open.tasks.approve(id, {}),
  },
  limited: { script: "limit 4\nsay after\ndone x", go: async () => undefined },
};

/** `running` is only worth its name once the agent has printed something. */
async function come(name: string): Promise<string> {
  settings(stage.world, reviewed);
  const state = states[name];
  const { id } = await stage.open.submit({
    type: state?.type ?? "custom",
    script: state?.script ?? "",
  });
  const status = name === "limited" ? "paused" : name;
  await stage.open.until(
    id,
    (task) => task.agentStatus === status && (name !== "waiting_review" || task.reviews.length > 0),
  );
  if (name === "running") await soon(() => output(id)).toContain("2\n");
  return id;
}

describe("pause and resume (S1.9)", () => {
  test.each(Object.keys(states).filter((name) => name !== "waiting_review"))(
    "S1.9 %s: paused, nothing of it moves; resumed, it comes to the same end",
    async (name) => {
      const id = await come(name);
      await stage.open.tasks.act(id, { name: "pause" });
      await expect(stage.open.tasks.act(id, { name: "pause" })).rejects.toMatchObject({
        code: "refused",
      });
      await states[name]?.go(id);
      // Whatever it waited for: a person's hold keeps it still.
      await stage.open.until(id, ({ agentStatus }) => agentStatus === "paused");
      await soon(async () => (await look(id)).agent.data.holds).toEqual(["person"]);
      expect((await look(id)).agent.data.slot).toBe(false);
      await soon(async () => allStopped((await look(id)).agent.data.process ?? "")).toBe(true);
      await stage.open.tasks.act(id, { name: "resume" });
      const task = await stage.open.until(id, isOver);
      expect(task).toMatchObject({ status: "completed", failure: null });
      expect((await look(id)).agent.data.crashes).toBe(0);
    },
  );

  test("S1.7 under review a pause is refused, with what is allowed", async () => {
    const id = await come("waiting_review");
    await expect(stage.open.tasks.act(id, { name: "pause" })).rejects.toMatchObject({
      code: "refused",
      allowed: ["approve", "request-changes", "cancel"],
    });
  });
});

describe("cancel (S1.7)", () => {
  test.each(Object.keys(states))(
    "S1.7 %s: ended at once as failed, cancelled, no process left",
    async (name) => {
      const id = await come(name);
      const task = await stage.open.tasks.act(id, { name: "cancel" });
      expect(task).toMatchObject({ status: "failed", failure: { reason: "cancelled" } });
      expect(task.questions.length + task.dependencies.length + task.reviews.length).toBe(0);
      await nothingLeft(stage.open);
      expect(tagged(stage.world.home)).toEqual([]);
      expect(stage.open.engine.slotsFree).toBe(4);
    },
  );

  test("S1.7 in the middle of a set-up: that is stopped at once, and nothing is started", async () => {
    settings(stage.world, "setup: echo begun >begun; sleep 60");
    const { id } = await stage.open.submit({ script: "done x" });
    const workspace = join(stage.world.home, "workspaces", id);
    await soon(() => existsSync(join(workspace, "begun"))).toBe(true);
    const task = await stage.open.tasks.act(id, { name: "cancel" });
    expect(task.status).toBe("failed");
    await nothingLeft(stage.open);
    expect(tagged(stage.world.home)).toEqual([]);
    expect(existsSync(join(stage.world.home, "runs"))).toBe(false);
  });

  test("S1.7 a pending one goes back to draft, and can be submitted again", async () => {
    await stage.again({ slots: 1 });
    const first = await stage.open.submit({ script: "sleep 60000\ndone x" });
    await stage.open.until(first.id, ({ status }) => status === "in_progress");
    const { id } = await stage.open.submit({ script: "done x" });
    expect((await stage.open.tasks.act(id, { name: "cancel" })).status).toBe("draft");
    await stage.open.tasks.act(first.id, { name: "cancel" });
    await stage.open.tasks.submit(id);
    const task = await stage.open.until(id, isOver);
    expect(task.status).toBe("completed");
  });
});

describe("what comes after (S1.7)", () => {
  test("S1.7 a retry is another task, linked, and runs from the beginning", async () => {
    const { id } = await stage.open.submit({ title: "Twice", script: "write a.txt x\nfatal No" });
    await stage.open.until(id, ({ status }) => status === "failed");
    const retry = await stage.open.tasks.retry(id);
    expect(retry).toMatchObject({ retryOf: id, title: "Twice" });
    const task = await stage.open.until(retry.id, isOver);
    expect(task.status).toBe("failed");
    expect(task.workspace).not.toBe((await stage.open.tasks.show(id)).workspace);
  });

  test("S1.7 an archived task leaves the usual list; a deleted one leaves nothing", async () => {
    settings(stage.world, "setup: echo ready");
    const { id } = await stage.open.submit({
      script: "need api_key THE_KEY\nwrite a.txt x\ndone x",
    });
    await stage.open.until(id, ({ dependencies }) => dependencies.length > 0);
    await stage.open.tasks.provide(id, { value: "s3cret-value" });
    await stage.open.until(id, isOver);
    await stage.open.tasks.act(id, { name: "archive" });
    expect((await stage.open.tasks.list({})).tasks).toEqual([]);
    expect((await stage.open.tasks.list({ archived: true })).tasks).toHaveLength(1);
    await nothingLeft(stage.open);
    expect(named(stage.world.home, id)).not.toEqual([]);
    const { processes, agent } = await look(id);
    await stage.open.tasks.remove(id);
    await soon(() => stage.open.store.task(id)).toBeUndefined();
    for (const name of [id, agent.id, ...processes.map((each) => each.id)])
      expect(named(stage.world.home, name)).toEqual([]);
    const { store } = stage.open;
    expect(await store.entities({ taskId: id })).toEqual([]);
    expect(await store.snapshots(id)).toEqual([]);
    expect(await store.secrets(id)).toEqual([]);
    expect(await store.openEffects(id)).toEqual([]);
    await expect(stage.open.tasks.show(id)).rejects.toMatchObject({ code: "not_found" });
  });

  test("S1.7 deleted as soon as it is completed, while its ZIP is still being made", async () => {
    const { id } = await stage.open.submit({ script: "write a.txt x\ndone x" });
    await stage.open.until(id, isOver);
    await stage.open.tasks.remove(id);
    // Whoever asks something of it meanwhile is answered: nobody waits for a task that is gone.
    const asked = Array.from({ length: 20 }, () => stage.open.tasks.act(id, { name: "archive" }));
    const codes = (await Promise.allSettled(asked)).map((answer) =>
      answer.status === "fulfilled" ? "ok" : (answer.reason as { code: string }).code,
    );
    expect(codes.filter((code) => !["ok", "refused", "not_found"].includes(code))).toEqual([]);
    await soon(() => stage.open.store.task(id)).toBeUndefined();
    expect(named(stage.world.home, id)).toEqual([]);
    expect(await stage.open.store.tasksWithEffects()).toEqual([]);
  });
});

// --- internal ---

async function output(id: string): Promise<string> {
  let text = "";
  for await (const piece of stage.open.outputs.all(id)) text += piece;
  return text;
}

/** Stopped, or not there: what is ended and resumed later does not move either. */
function allStopped(run: string): boolean {
  const pid = pidOf(stage.world.home, run);
  try {
    return /\) [TtZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return true;
  }
}

/** Every path below the folder that has this name in it. */
function named(folder: string, name: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.includes(name),
  );
}
