// The machine goes down: the server and every agent die at the same moment, and nobody sees how they
// ended. Each agent is resumed where it was; what people were asked, what waits for its time and
// who stands where in the queue is as before; no attempt is used (S1.20).
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { full, limit, seeded, type Workshop, workshop } from "../crash/programs.ts";
import { figure } from "../figures.ts";
import { bundled, inside, nothingLeft, powerCut, settings, soon, tagged } from "./stage.ts";
import { type EngineWorld, type Open, engineWorld } from "./world.ts";

const reboots = full ? 40 : 5;
const workers = full ? 8 : 4;
const slots = workers + 2;
const blocks = full ? 20 : 4;
const perBlock = 12;
const lines = blocks * perBlock;

let shop: Workshop;
let keeper: string;
let world: EngineWorld;
beforeAll(async () => {
  shop = workshop();
  keeper = await bundled("keeper.ts", shop.folder);
  world = engineWorld();
});
afterAll(async () => {
  await shop.close();
  await world.close();
});

test(
  `S1.20 ${reboots} times everything dies: each goes on where it was, every line counted once, no attempt used`,
  limit,
  async () => {
    settings(
      world,
      `task_types:
  reviewed: { phases: [{ name: One, prompt: Do it, deliverables: [{ path: a.txt }] }] }`,
    );
    const random = seeded(7);
    const ours = await world.open({ slots: 0 });
    const made = async (title: string, script: string, type = "custom"): Promise<string> =>
      (await ours.submit({ title, script, type })).id;
    const ids: string[] = [];
    for (let n = 0; n < workers; n++) ids.push(await made(`Worker ${n}`, worker(n)));
    const asker = await made("Asker", "ask choice Which? | Red | Blue\nsay got {answer}.\ndone x");
    const shown = await made("Shown", "write a.txt x\nphase 1\nwait", "reviewed");
    // Behind all others: no slot is ever free for them while the workers work.
    const queue: string[] = [];
    for (let n = 0; n < 3; n++) queue.push(await made(`Queued ${n}`, "say hello\ndone x"));

    const wrong: string[] = [];
    let killed = 0;
    let before: Standing | undefined;
    for (let reboot = 0; reboot < reboots; reboot++) {
      const running = shop.start(
        [process.execPath, keeper, world.home, world.sample[1], `${slots}`],
        world.env,
      );
      await running.said("ready");
      if (before) wrong.push(...compare(before, await standing(ours), reboot));
      const ready = async (): Promise<boolean> => {
        const now = await standing(ours);
        return now.questions.includes(asker) && now.reviews.includes(shown);
      };
      if (reboot === 0) await soon(ready).toBe(true);
      await answerSome(ours, ids);
      await new Promise((turn) => setTimeout(turn, 150 + random(900)));
      running.signal("SIGKILL");
      await running.ended;
      killed += await powerCut(world.home);
      before = await standing(ours);
    }
    const last = shop.start(
      [process.execPath, keeper, world.home, world.sample[1], `${slots}`],
      world.env,
    );
    await last.said("ready");
    await ours.tasks.answer(asker, { answer: "Red" });
    await ours.tasks.approve(shown, {});
    const over = async (): Promise<number> => {
      await answerSome(ours, ids);
      const tasks = await ours.store.tasks({ statuses: ["completed", "failed"] });
      return tasks.length;
    };
    await expect.poll(over, { timeout: limit.timeout, interval: 50 }).toBe(workers + 5);
    for (const [n, id] of ids.entries()) wrong.push(...(await judge(ours, id, n)));
    for (const id of [asker, shown, ...queue]) wrong.push(...(await noAttempt(ours, id)));
    await nothingLeft(ours);
    last.signal("SIGKILL");
    await last.ended;
    await ours.close();
    figure("reboots", {
      seen: reboots,
      lost: wrong.length,
      more: `${killed} processes killed, ${workers * lines} lines`,
    });
    expect(wrong).toEqual([]);
    expect(tagged(world.home)).toEqual([]);
  },
);

// --- what is played and what must have come of it ---

function worker(n: number): string {
  return [
    `repeat ${blocks}`,
    `repeat ${perBlock}`,
    `say worker ${n} block {i} line {j}.`,
    "usage 1 0",
    "sleep 25",
    "end",
    "ask choice Go on? | yes | no",
    "end",
    "done all said",
  ].join("\n");
}

/** What must be the same after the machine came back. */
interface Standing {
  readonly questions: readonly string[];
  readonly open: readonly string[];
  readonly reviews: readonly string[];
  readonly queue: readonly string[];
  readonly timers: ReadonlyMap<string, number>;
}

async function standing({ store }: Open): Promise<Standing> {
  const open = await Promise.all(
    ["question", "review"].map((kind) => store.entities({ kind, status: "open" })),
  );
  const [questions = [], reviews = []] = open;
  const timers = await Promise.all(["frozen", "review"].map((name) => store.timersNamed(name)));
  // Who was answered and has no slot yet is still frozen, until it gets one.
  const running = (await store.entities({ kind: "agent", status: "running" })).map(({ id }) => id);
  return {
    questions: questions.map(({ taskId }) => taskId),
    open: open.flat().map(({ id }) => id),
    reviews: reviews.map(({ taskId }) => taskId),
    queue: (await store.tasks({ status: "pending" })).map(({ id }) => id),
    timers: new Map(
      timers
        .flat()
        .filter(({ key }) => !running.some((id) => key.endsWith(`:${id}`)))
        .map(({ key, dueAt }) => [key, dueAt]),
    ),
  };
}

/** Right after it came back nobody has answered anything: new things may have come, none may be gone. */
function compare(before: Standing, after: Standing, reboot: number): string[] {
  const gone = before.open.filter((id) => !after.open.includes(id));
  const moved = [...before.timers].filter(([key, dueAt]) => after.timers.get(key) !== dueAt);
  const queue = before.queue.filter((id) => after.queue.includes(id));
  return [
    ...gone.map((id) => `${reboot}: ${id} is gone`),
    ...moved.map(([key]) => `${reboot}: the timer ${key} is another`),
    ...(queue.join() === after.queue.join() ? [] : [`${reboot}: another order of the queue`]),
  ];
}

async function judge(open: Open, id: string, n: number): Promise<string[]> {
  const wrong = await noAttempt(open, id);
  const { task, processes } = await inside(open, id);
  if (task.data.spent.tokens !== lines) wrong.push(`${task.data.spent.tokens} of ${lines} counted`);
  const seen = processes.filter((each) => existsSync(join(world.home, "runs", each.id, "exit")));
  // A reboot leaves no exit file; only the last process ended before our eyes.
  if (seen.length > 1) wrong.push(`the ends of ${seen.length} processes were seen`);
  let text = "";
  for await (const piece of open.outputs.all(id)) text += piece;
  for (let block = 1; block <= blocks; block++)
    for (let line = 1; line <= perBlock; line++) {
      const count = text.split(`worker ${n} block ${block} line ${line}.\n`).length - 1;
      if (count !== 1) wrong.push(`block ${block} line ${line} printed ${count} times`);
    }
  return wrong.map((what) => `worker ${n}: ${what}`);
}

async function noAttempt(open: Open, id: string): Promise<string[]> {
  const { task, agent, attempts } = await inside(open, id);
  return [
    ...(task.status === "completed" ? [] : [`${task.status} ${JSON.stringify(task.data.failure)}`]),
    ...(agent.data.crashes === 0 ? [] : [`${agent.data.crashes} crashes`]),
    ...attempts.filter((each) => each.startsWith("failed")),
  ].map((what) => `${task.data.title}: ${what}`);
}

async function answerSome(open: Open, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const { questions } = await open.tasks.show(id);
    for (const questionId of questions)
      await open.tasks.answer(id, { questionId, answer: "yes" }, questionId).catch(() => undefined);
  }
}
