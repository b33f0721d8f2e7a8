// What ended tasks keep on the disk (S1.21c): told a while before it goes, then removed, and said to be
// so wherever it was. What is not over, or needed by a retry, stays.
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Task } from "../../src/engine/state.ts";
import { type Workshop, limit, workshop } from "../crash/programs.ts";
import { bundled, closeWorld, inside, isOver, nothingLeft, onStage, soon } from "./stage.ts";
import { type EngineWorld, type Open, engineWorld } from "./world.ts";

const hour = 3_600_000;
/** All that ended is over its time at once, and has an hour from when it was told. */
const short = { keepMs: 1, removalNoticeMs: hour };
const script = "say hello\nwrite a.txt x\ndone x";

describe("ended tasks (S1.21c)", () => {
  const stage = onStage({ retainMs: 50, policies: short });
  const kept = async (id: string) => (await inside(stage.open, id)).task.data.kept;

  test("S1.21c told, still there, then gone, and said to be gone wherever somebody looks", async () => {
    const { open, world } = stage;
    const { id } = await open.submit({ script });
    await open.until(id, isOver);
    await told(open, id);
    const { outputs, tasks } = open;
    expect(await textOf(open, id)).toContain("hello");
    expect((await outputs.zip(id, undefined, "/")).bytes).toBeGreaterThan(0);
    expect(await tasks.snapshots(id)).not.toEqual([]);
    await soon(() => world.notices.filter((what) => what === "removal")).toHaveLength(1);
    expect(await outputs.kept()).toMatchObject([{ id, removal: { why: "age", near: true } }]);
    const { processes, agent } = await inside(open, id);

    await hourLater(open, id);
    await soon(async () => (await kept(id))?.removedAt).toEqual(expect.any(String));
    await nothingLeft(open);
    for (const name of [id, agent.id, ...processes.map((each) => each.id)])
      expect(named(world.home, name)).toEqual([]);
    expect(await open.store.snapshots(id)).toEqual([]);
    const gone = { code: "refused", text: { key: "task.files_removed" } };
    await expect(textOf(open, id)).rejects.toMatchObject(gone);
    await expect(outputs.piece(id, {})).rejects.toMatchObject(gone);
    await expect(outputs.zip(id, undefined, "/")).rejects.toMatchObject(gone);
    await expect(tasks.snapshots(id)).rejects.toMatchObject(gone);
    await expect(tasks.restore(id, undefined)).rejects.toMatchObject(gone);
    expect(await tasks.show(id)).toMatchObject({ status: "completed", workspace: null });
    const journal = await open.store.transitions({ taskId: id });
    expect(journal.map(({ trigger }) => trigger).slice(-2)).toEqual(["retention", "removed"]);
    expect(await outputs.kept()).toEqual([]);
    await tasks.remove(id);
    await soon(() => open.store.task(id)).toBeUndefined();
  });

  test("S1.21c by size the oldest goes, and only as much as has to; both are told as one", async () => {
    const policies = { keepMs: 1_000 * hour, removalNoticeMs: hour, keepBytes: 1e12 };
    await stage.again({ policies });
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      const { id } = await stage.open.submit({ script: `flood 1\n${script}` });
      await stage.open.until(id, isOver);
      await nothingLeft(stage.open);
      ids.push(id);
    }
    for (const id of ids) await soon(async () => (await kept(id))?.removeAt).toBeNull();
    stage.world.notices.splice(0);
    const bytes = (await stage.open.outputs.kept()).reduce((sum, each) => sum + each.bytes, 0);
    await stage.again({ policies: { ...policies, keepBytes: bytes / 2 } });
    for (const id of ids.slice(0, 2)) {
      await told(stage.open, id);
      expect((await kept(id))?.why).toBe("size");
    }
    expect((await kept(ids[2] ?? ""))?.removeAt).toBeNull();
    await soon(() => stage.world.notices).toEqual(["removal"]);
    // There is room after all: nothing goes, and that is told too.
    await stage.again({ policies });
    for (const id of ids) await soon(async () => (await kept(id))?.removeAt).toBeNull();
    expect(await textOf(stage.open, ids[0] ?? "")).toContain("hello");
  });

  test("S1.21c what works, waits, or was retried by one that does, is not touched", async () => {
    const { open } = stage;
    const waits = "need api_key THE_KEY\ndone x";
    const { id } = await open.submit({ script: waits });
    await open.until(id, ({ dependencies }) => dependencies.length > 0);
    await open.tasks.act(id, { name: "cancel" });
    const retry = await open.tasks.retry(id);
    await open.until(retry.id, ({ dependencies }) => dependencies.length > 0);
    const other = await open.submit({ script });
    await open.until(other.id, isOver);
    // It ended after them, and was seen: so were they.
    await told(open, other.id);
    expect(await kept(retry.id)).toBeNull();
    expect((await kept(id))?.removeAt ?? null).toBeNull();
    expect((await open.outputs.kept()).find((each) => each.id === id)?.removal).toBeNull();
    await open.tasks.act(retry.id, { name: "cancel" });
    await told(open, id);
    await told(open, retry.id);
  });

  test("S1.21c nothing goes by settings that nobody can read, nor what was put back to work", async () => {
    const { open, world } = stage;
    const { id } = await open.submit({ script });
    await open.until(id, isOver);
    await told(open, id);
    const file = join(world.root, "holdfast.yaml");
    writeFileSync(file, "version: 1\nretention: { days: soon }\n");
    await soon(async () => (await kept(id))?.removeAt).toBeNull();
    rmSync(file);
    await told(open, id);
    await open.tasks.restore(id, undefined);
    await soon(async () => (await open.tasks.show(id)).status).toBe("in_progress");
    expect(await kept(id)).toBeNull();
    expect(existsSync(join(world.home, "workspaces", id))).toBe(true);
  });
});

describe("killed in the middle of it", limit, () => {
  let shop: Workshop;
  let world: EngineWorld;
  let ours: Open;
  beforeEach(async () => {
    shop = workshop();
    world = engineWorld();
    ours = await world.open({ slots: 0 });
  });
  afterEach(async () => {
    await shop.close();
    await ours.close();
    await closeWorld(world);
  });

  test.each(["before clear", "after clear"])(
    "S1.20 %s: it is done after the next start, and told once",
    async (place) => {
      const keeper = await bundled("keeper.ts", shop.folder);
      const serve = (fail: string) =>
        shop.start([process.execPath, keeper, world.home, world.sample[1], "1"], {
          ...world.env,
          RETAIN: "50",
          FAIL: fail,
          POLICIES: JSON.stringify(short),
        });
      const first = serve(`${place}:1`);
      const { id } = await ours.submit({ script });
      await told(ours, id);
      await hourLater(ours, id);
      await first.ended;
      const second = serve("");
      await nothingLeft(ours);
      expect(named(world.home, id)).toEqual([]);
      const journal = await ours.store.transitions({ taskId: id });
      expect(journal.filter(({ trigger }) => trigger === "removed")).toHaveLength(1);
      second.signal("SIGKILL");
      await second.ended;
      expect(second.lines.filter((line) => line.startsWith("complaint"))).toEqual([]);
    },
  );
});

// --- internal ---

/** It stands in its row, in the future. */
async function told(open: Open, id: string): Promise<void> {
  const date = async () => (await open.tasks.state(id)).task.data.kept?.removeAt ?? 0;
  await soon(date).toBeGreaterThan(Date.now());
}

/** The date that was told has come. Nobody owns a task that is over: its row is nobody's in between. */
async function hourLater({ store }: Open, id: string): Promise<void> {
  await soon(async () => {
    const task = (await store.task(id)) as Task;
    const { data } = task;
    if (data.kept === null) return false;
    const past = { ...data.kept, removeAt: Date.now() - 1 };
    return (await store.commit({ tasks: [{ ...task, data: { ...data, kept: past } }] })).ok;
  }).toBe(true);
}

async function textOf({ outputs }: Open, id: string): Promise<string> {
  let text = "";
  for await (const piece of outputs.all(id)) text += piece;
  return text;
}

/** Every path below the folder that has this name in it. */
function named(folder: string, name: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.includes(name),
  );
}
