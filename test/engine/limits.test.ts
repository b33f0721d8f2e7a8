// A rate limit is met by many agents of one account at the same time (S1.18): all stand still until the
// stated reset, nobody is started before it, they go on one after another, and it is no attempt.
import { afterEach, beforeAll, afterAll, beforeEach, describe, expect, test } from "vitest";
import { full, limit, type Running, type Workshop, workshop } from "../crash/programs.ts";
import { figure } from "../figures.ts";
import { bundled, closeWorld, endAll, inside, soon } from "./stage.ts";
import { type EngineWorld, type Open, engineWorld } from "./world.ts";

const agents = full ? 50 : 12;
/** More than the engine's own rhythm, so that it can be seen. */
const staggerMs = 300;

let shop: Workshop;
let keeper: string;
let world: EngineWorld;
let ours: Open;
let running: Running;
beforeAll(async () => {
  shop = workshop();
  keeper = await bundled("keeper.ts", shop.folder);
});
afterAll(() => shop.close());

beforeEach(async () => {
  world = engineWorld();
  ours = await world.open({ slots: 0 });
  await serve();
});
afterEach(async () => {
  await endAll(ours).catch((cause: unknown) => {
    throw new Error(running.lines.join("\n"), { cause });
  });
  await ours.close();
  running.signal("SIGKILL");
  await running.ended;
  await closeWorld(world);
});

describe(`${agents} agents of one account (S1.18)`, () => {
  test(
    "S1.18 they meet the limit together: one gate, nobody before the reset, one after another",
    limit,
    async () => {
      const ids = await atTheLimit(4);
      const { parked, gates } = await many(ids);
      expect(gates).toBe(1);
      const late = await ours.submit({ title: "Late", script: "say hello\ndone x" });
      await judge(ids, parked, late.id);
    },
  );

  test("S1.18 S1.20 the same where the server dies while they are parked", limit, async () => {
    // Long enough that it is closed still when the server is dead, on a slow machine as well.
    const ids = await atTheLimit(12);
    const { parked } = await many(ids);
    running.signal("SIGKILL");
    await running.ended;
    const late = await ours.submit({ title: "Late", script: "say hello\ndone x" });
    expect(await ours.store.timersNamed("gate")).toHaveLength(1);
    await serve();
    await judge(ids, parked, late.id);
  });
});

// --- internal ---

async function serve(): Promise<void> {
  running = shop.start([process.execPath, keeper, world.home, world.sample[1], `${agents}`], {
    ...world.env,
    POLICIES: JSON.stringify({ staggerMs, frozenMost: agents }),
  });
  await running.said("ready");
}

/** All at work, then all sent into the limit at the same moment, by the answer they wait for. */
async function atTheLimit(seconds: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < agents; n++) {
    const script = `ask choice Ready? | yes | no\nlimit ${seconds}\nsay after it.\nusage 1 0\ndone x`;
    ids.push((await ours.submit({ title: `Agent ${n}`, script })).id);
  }
  await soon(asked).toBe(agents);
  await Promise.all(ids.map((id) => ours.tasks.answer(id, { answer: "yes" })));
  return ids;
}

async function asked(): Promise<number> {
  return (await ours.store.entities({ kind: "question", status: "open" })).length;
}

interface Parked {
  readonly at: number;
  readonly until: number;
}

/** Until each has met it: when each was parked, and until when; and how many gates there were at most. */
async function many(ids: readonly string[]): Promise<{ parked: Parked[]; gates: number }> {
  const limits = async () => {
    const journal = await Promise.all(ids.map((taskId) => ours.store.transitions({ taskId })));
    return journal.flat().filter(({ trigger }) => trigger === "RATE_LIMIT");
  };
  let gates = 0;
  await soon(async () => {
    gates = Math.max(gates, (await ours.store.timersNamed("gate")).length);
    return (await limits()).length;
  }).toBe(ids.length);
  const parked = (await limits()).map(({ timestamp, metadata }) => ({
    at: Date.parse(timestamp),
    until: Date.parse((metadata as { until: string }).until),
  }));
  return { parked, gates };
}

async function judge(
  ids: readonly string[],
  parked: readonly Parked[],
  late: string,
): Promise<void> {
  const over = async (): Promise<number> =>
    (await ours.store.tasks({ statuses: ["completed", "failed"] })).length;
  await expect.poll(over, { timeout: limit.timeout, interval: 50 }).toBe(ids.length + 1);
  const wrong: string[] = [];
  const resumed: number[] = [];
  for (const id of ids) {
    const { task, agent, processes, attempts } = await inside(ours, id);
    const say = (what: string): void => void wrong.push(`${task.data.title}: ${what}`);
    if (task.status !== "completed") say(JSON.stringify(task.data.failure));
    if (agent.data.crashes > 0) say(`${agent.data.crashes} crashes`);
    if (processes.length !== 1) say(`${processes.length} processes`);
    if (attempts.some((each) => each.startsWith("failed"))) say(attempts.join());
    const journal = await ours.store.transitions({ taskId: id });
    const resets = journal.filter(({ trigger }) => trigger === "RATE_LIMIT_RESET");
    if (resets.length !== 1) say(`${resets.length} resets`);
    resumed.push(Date.parse(resets[0]?.timestamp ?? ""));
  }
  const { processes } = await inside(ours, late);
  const started = processes[0]?.data.startedAt ?? 0;
  // Whoever goes on or is started must find no limit that was met before and is not over yet.
  const early = [...resumed, started].filter((moment) =>
    parked.some(({ at, until }) => at < moment && moment < until),
  );
  const together = resumed.length - new Set(resumed).size;
  const met = parked.map(({ at }) => at);
  figure("agents at a limit", {
    seen: ids.length,
    lost: wrong.length + early.length + together,
    more: `met within ${span(met)} ms, resumed over ${span(resumed)} ms`,
  });
  expect(wrong).toEqual([]);
  expect(running.lines).toEqual(["ready"]);
  expect(early).toEqual([]);
  expect(together).toBe(0);
  expect(await ours.store.timersNamed("gate")).toEqual([]);
}

function span(times: readonly number[]): number {
  return Math.max(...times) - Math.min(...times);
}
