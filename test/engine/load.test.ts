// Many small tasks (S1.3): all are worked off, none twice, never more at once than there are slots.
import { afterAll, beforeAll, expect, test } from "vitest";
import { full, limit, type Workshop, workshop } from "../crash/programs.ts";
import { figure } from "../figures.ts";
import { bundled, closeWorld, nothingLeft } from "./stage.ts";
import { type EngineWorld, engineWorld } from "./world.ts";

const tasks = full ? 1_000 : 60;
const slots = full ? 50 : 10;

let shop: Workshop;
let world: EngineWorld;
beforeAll(async () => {
  shop = workshop();
  world = engineWorld();
});
afterAll(async () => {
  await shop.close();
  await closeWorld(world);
});

test(`S1.3 ${tasks} tasks on ${slots} slots: all completed, one process each`, limit, async () => {
  const keeper = await bundled("keeper.ts", shop.folder);
  const ours = await world.open({ slots: 0 });
  for (let n = 0; n < tasks; n++)
    await ours.submit({ title: `Task ${n}`, script: `write a.txt ${n}\nusage 1\ndone x` });
  const running = shop.start(
    [process.execPath, keeper, world.home, world.sample[1], `${slots}`],
    world.env,
  );
  const began = performance.now();
  await running.said("ready");
  const statuses = async (): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const { status } of await ours.store.tasks()) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  let most = 0;
  const over = async (): Promise<number> => {
    const agents = await ours.store.entities({ kind: "agent", status: "running" });
    const held = agents.filter(({ data }) => (data as { slot: boolean }).slot).length;
    most = Math.max(most, held);
    const { completed = 0, failed = 0 } = await statuses();
    return completed + failed;
  };
  await expect.poll(over, { timeout: limit.timeout, interval: 200 }).toBe(tasks);
  const seconds = (performance.now() - began) / 1_000;
  await nothingLeft(ours);
  const counts = await statuses();
  const processes = await ours.store.entities({ kind: "process" });
  const spent = (await ours.store.entities({ kind: "spending" })).reduce(
    (sum, { data }) => sum + (data as { tokens: number }).tokens,
    0,
  );
  figure("tasks worked off", {
    seen: tasks,
    lost: tasks - (counts["completed"] ?? 0),
    more: `${(tasks / seconds).toFixed(1)} a second on ${slots} slots, at most ${most} at once`,
  });
  expect(counts).toEqual({ completed: tasks });
  expect(processes).toHaveLength(tasks);
  expect(spent).toBe(tasks);
  expect(most).toBeLessThanOrEqual(slots);
  await ours.close();
  running.signal("SIGKILL");
  await running.ended;
  expect(running.lines).toEqual(["ready"]);
});
