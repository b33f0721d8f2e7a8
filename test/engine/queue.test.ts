// Who works when: dependencies, priorities, slots, and who goes on first (S1.3, S1.7b, S1.8, S1.11).
import { afterEach, describe, expect, test } from "vitest";
import type { Open } from "./world.ts";
import { inside, isOver, onStage, settings, soon, tagged } from "./stage.ts";

const stage = onStage({ slots: 1 });
const look = (id: string) => inside(stage.open, id);

let watching: { stop(): number } | undefined;
afterEach(() => watching?.stop());

describe("the queue (S1.3, S1.8)", () => {
  test("S1.8 higher priority first, inside one the first come; with one slot one after another", async () => {
    const busy = await stage.open.submit({ script: "hang" });
    await stage.open.until(busy.id, ({ status }) => status === "in_progress");
    const order = ["low", "normal", "high", "normal", "critical", "low"] as const;
    const ids: string[] = [];
    for (const [n, priority] of order.entries())
      ids.push(
        (await stage.open.submit({ title: `${priority} ${n}`, priority, script: "done x" })).id,
      );
    watching = watchSlots(stage.open, 1);
    await stage.open.tasks.act(busy.id, { name: "cancel" });
    const tasks = await Promise.all(ids.map((id) => stage.open.until(id, isOver)));
    const began = tasks.toSorted((a, b) => ((a.startedAt ?? "") < (b.startedAt ?? "") ? -1 : 1));
    expect(began.map(({ title }) => title)).toEqual([
      "critical 4",
      "high 2",
      "normal 1",
      "normal 3",
      "low 0",
      "low 5",
    ]);
    expect(watching.stop()).toBe(1);
  });

  test("S1.3 a task waits for the one it depends on, while others pass it", async () => {
    const first = await stage.open.submit({ title: "First", script: "sleep 800\ndone x" });
    const after = await stage.open.submit({
      title: "After",
      script: "done x",
      dependsOn: [first.id],
    });
    const other = await stage.open.submit({ title: "Other", script: "done x" });
    await stage.open.until(other.id, isOver);
    const task = await stage.open.until(after.id, isOver);
    const { completedAt } = await stage.open.tasks.show(first.id);
    expect((task.startedAt ?? "") >= (completedAt ?? "~")).toBe(true);
  });

  test("S1.3 a failed dependency keeps it waiting, not failing", async () => {
    const first = await stage.open.submit({ script: "fatal No" });
    const after = await stage.open.submit({ script: "done x", dependsOn: [first.id] });
    await stage.open.until(first.id, ({ status }) => status === "failed");
    const other = await stage.open.submit({ script: "done x" });
    await stage.open.until(other.id, isOver);
    expect((await stage.open.tasks.show(after.id)).status).toBe("pending");
  });

  test("S1.7b never more agents at work than slots, whatever they ask and whoever is paused", async () => {
    await stage.again({ slots: 3 });
    watching = watchSlots(stage.open, 3);
    const script = "say a\nsleep 60\nask choice Go on? | yes | no\nsay b\nsleep 60\ndone x";
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push((await stage.open.submit({ script })).id);
    for (const [n, id] of ids.entries())
      void stage.open
        .until(id, ({ questions }) => questions.length > 0)
        .then(async () => {
          if (n % 3 === 0) await stage.open.tasks.act(id, { name: "pause" });
          await stage.open.tasks.answer(id, { answer: "yes" });
          if (n % 3 === 0) await stage.open.tasks.act(id, { name: "resume" });
        });
    const tasks = await Promise.all(ids.map((id) => stage.open.until(id, isOver)));
    expect(tasks.map(({ status }) => status)).toEqual(ids.map(() => "completed"));
    expect(watching.stop()).toBeLessThanOrEqual(3);
    await soon(() => stage.open.engine.slotsFree).toBe(3);
  });

  test("S1.7b the slot of an agent whose task's lease ran out stays taken, and nobody complains", async () => {
    watching = watchSlots(stage.open, 1);
    const busy = await stage.open.submit({ script: "say a\nsleep 1500\nsay b\ndone x" });
    await stage.open.until(busy.id, ({ status }) => status === "in_progress");
    const next = await stage.open.submit({ script: "done x" });
    // As on a machine that slept through it.
    const lease = await stage.open.store.lease(busy.id);
    const ended = lease && stage.open.store.release(lease);
    await Promise.all([ended, stage.open.engine.leases.renew()]);
    expect([...stage.open.engine.leases.lost]).toEqual([busy.id]);
    expect(stage.open.engine.slotsFree).toBe(0);
    for (const { id } of [busy, next])
      expect((await stage.open.until(id, isOver)).status).toBe("completed");
    expect(watching.stop()).toBe(1);
    await soon(() => stage.open.engine.slotsFree).toBe(1);
    expect([...stage.open.engine.leases.lost]).toEqual([]);
    expect(stage.world.complaints).toEqual([]);
  });

  test("S1.7b a commit that comes after its lease's end decides nothing, and its task goes on", async () => {
    const busy = await stage.open.submit({ script: "say a\nsleep 800\nsay b\ndone x" });
    await stage.open.until(busy.id, ({ status }) => status === "in_progress");
    const lease = await stage.open.store.lease(busy.id);
    if (lease) await stage.open.store.release(lease);
    // Found out by what the agent says next.
    expect((await stage.open.until(busy.id, isOver)).status).toBe("completed");
    expect(await stage.open.store.entities({ kind: "process", taskId: busy.id })).toHaveLength(1);
    expect(stage.world.complaints).toEqual([]);
  });
});

describe("who waits (S1.7b, S1.11)", () => {
  test("S1.7b who waits for a person frees the slot; answered, it goes on before who never began", async () => {
    const asker = await stage.open.submit({
      title: "Asker",
      script: "ask choice Which? | Red | Blue\nsay {answer}\nsleep 300\ndone x",
    });
    await stage.open.until(asker.id, ({ questions }) => questions.length > 0);
    const busy = await stage.open.submit({ title: "Busy", script: "hang" });
    await stage.open.until(busy.id, ({ status }) => status !== "pending");
    const waiting = await stage.open.submit({
      title: "Waiting",
      script: "done x",
      priority: "critical",
    });
    await stage.open.tasks.answer(asker.id, { answer: "Red" });
    const slot = async () => (await look(asker.id)).agent.data.slot;
    expect(await slot()).toBe(false);
    expect((await stage.open.tasks.show(asker.id)).agentStatus).toBe("running");
    await stage.open.tasks.act(busy.id, { name: "cancel" });
    const task = await stage.open.until(asker.id, isOver);
    expect(task.status).toBe("completed");
    const last = await stage.open.until(waiting.id, isOver);
    expect((last.startedAt ?? "") >= (task.completedAt ?? "~")).toBe(true);
  });

  test("S1.11 frozen for long it is ended; answered, it comes to the same end in another process", async () => {
    await stage.again({ slots: 2, policies: { frozenMs: 300 } });
    const { id } = await stage.open.submit({
      script: "say one\nusage 5\nask choice Which? | Red | Blue\nsay got {answer}\nusage 5\ndone x",
    });
    await stage.open.until(id, ({ questions }) => questions.length > 0);
    await soon(async () => (await look(id)).processes[0]?.status).toBe("ended");
    // It is known to have ended a moment before its holder is gone.
    await soon(() => tagged(stage.world.home)).toEqual([]);
    expect((await look(id)).agent).toMatchObject({
      status: "waiting_question",
      data: { crashes: 0, slot: false },
    });
    await stage.open.tasks.answer(id, { answer: "Blue" });
    const task = await stage.open.until(id, isOver);
    expect(task).toMatchObject({ status: "completed", tokens: 10 });
    let text = "";
    for await (const piece of stage.open.outputs.all(id)) text += piece;
    expect(text.split("\n").filter((line) => /^(one|got)/.test(line))).toEqual(["one", "got Blue"]);
  });

  test("S1.7b of many frozen only so many stay in memory: who waits longest is ended", async () => {
    settings(stage.world, "frozen: { most: 2 }");
    await stage.again({ slots: 5 });
    const script = "ask choice Which? | Red | Blue\nsay got {answer}\ndone x";
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const { id } = await stage.open.submit({ script });
      await stage.open.until(id, ({ questions }) => questions.length > 0);
      ids.push(id);
    }
    const states = async (): Promise<(string | undefined)[]> =>
      Promise.all(ids.map(async (id) => (await look(id)).processes[0]?.status));
    await soon(states).toEqual(["ended", "ended", "ended", "running", "running"]);
    for (const id of ids) await stage.open.tasks.answer(id, { answer: "Red" });
    const tasks = await Promise.all(ids.map((id) => stage.open.until(id, isOver)));
    expect(tasks.map(({ status }) => status)).toEqual(ids.map(() => "completed"));
  });
});

// --- internal ---

/** Counts the agents at work again and again: the most at once. */
function watchSlots({ store }: Open, slots: number): { stop(): number } {
  let most = 0;
  const state = { over: false };
  void (async () => {
    while (!state.over) {
      const running = (await store.entities({ kind: "agent", status: "running" })).filter(
        ({ data }) => (data as { slot: boolean }).slot,
      );
      most = Math.max(most, running.length);
      if (running.length > slots) throw new Error(`${running.length} agents at work`);
      await new Promise((turn) => setTimeout(turn, 5));
    }
  })();
  return {
    stop: () => {
      state.over = true;
      return most;
    },
  };
}
