// The server dies by -9 again and again, at named places and at any moment, while agents work: no
// line of theirs is lost or counted twice, nothing is started twice, nothing is left (S1.20).
import { afterAll, beforeAll, expect, test } from "vitest";
import { full, limit, seeded, type Workshop, workshop } from "../crash/programs.ts";
import { figure } from "../figures.ts";
import { bundled, closeWorld } from "./stage.ts";
import { type EngineWorld, type Open, engineWorld } from "./world.ts";

const kills = full ? 200 : 14;
const agents = 10;
const blocks = full ? 120 : 6;
const lines = blocks * 10;
/** A place for who is short beside those who ask. */
const slots = `${agents + 2}`;

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
  await closeWorld(world);
});

const around = (name: string): string[] => [`before ${name}`, `after ${name}`];
/** Met again and again by agents that ask, and by those that only begin and end. */
const often = ["committed", ...["write", "settle", "snapshot"].flatMap(around)];
const seldom = ["make_workspace", "start", "verify", "end"].flatMap(around);
const places = [...often, ...seldom];

test(
  `S1.20 ${kills} kills of the server: every line counted once, every question as it was, no second process`,
  limit,
  async () => {
    const random = seeded(20);
    // Our own hands are those of a command: no slots, the inbox, whoever owns the task answers.
    const ours = await world.open({ slots: 0 });
    const ids: string[] = [];
    for (let n = 0; n < agents; n++)
      ids.push((await ours.submit({ title: `Agent ${n}`, script: course(n) })).id);

    let named = 0;
    const short: string[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const place = places[kill % places.length] ?? "committed";
      const atPlace = kill % 2 === 0 || random(3) > 0;
      const lasts = often.includes(place) && !(await over(ours, ids));
      const time = lasts ? 1 + random(kill < places.length ? 2 : 12) : 1;
      const fail = atPlace ? `${place}:${time}` : "none:1";
      // Somebody has to begin and to end, or some places are never met.
      if (atPlace && !lasts)
        short.push((await ours.submit({ title: "Short", script: "say short.\ndone it" })).id);
      const running = shop.start([process.execPath, keeper, world.home, world.sample[1], slots], {
        ...world.env,
        FAIL: fail,
      });
      const dead = running.ended.then(() => "dead");
      await Promise.race([running.said("ready").catch(() => undefined), dead]);
      // A named place is waited for, and comes as long as there is work; else any moment will do.
      const patience = atPlace ? 300_000 : 40 + random(260);
      await Promise.race([dead, keepAnswering(ours, ids, dead), pause(patience)]);
      running.signal("SIGKILL");
      await dead;
      if (running.lines.some((line) => line.startsWith("failpoint"))) named++;
    }
    const last = shop.start(
      [process.execPath, keeper, world.home, world.sample[1], slots],
      world.env,
    );
    await last.said("ready");
    while (!(await over(ours, [...ids, ...short]))) {
      await answerSome(ours, ids);
      await pause(20);
    }
    const wrong = [...(await judge(ours, ids)), ...(await judgeShort(ours, short))];
    while ((await ours.store.tasksWithEffects()).length > 0) await pause(20);
    last.signal("SIGKILL");
    await last.ended;
    figure("kills of the server", {
      seen: kills,
      lost: wrong.length,
      more: `${named} between commit and act at named places, ${agents * lines} lines`,
    });
    expect(wrong).toEqual([]);
    expect(named).toBeGreaterThanOrEqual(kills / 2 - 1);
    await ours.close();
  },
);

// --- what is played and what must have come of it ---

/** Blocks of lines with a question between: something is committed and carried out all the time. */
function course(n: number): string {
  return [
    `repeat ${blocks}`,
    `repeat ${lines / blocks}`,
    `say agent ${n} block {i} line {j}.`,
    "usage 1 0",
    "sleep 30",
    "end",
    "ask choice Go on? | yes | no",
    "end",
    "write answer.txt {answer}",
    "done all said",
  ].join("\n");
}

async function over(open: Open, ids: readonly string[]): Promise<boolean> {
  const tasks = await Promise.all(ids.map((id) => open.tasks.show(id)));
  return tasks.every(({ status }) => status === "completed" || status === "failed");
}

async function judge(open: Open, ids: readonly string[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const [n, id] of ids.entries()) {
    const { task, entities } = await open.tasks.state(id);
    const say = (what: string): void => void wrong.push(`${id}: ${what}`);
    if (task.status !== "completed") say(`${task.status} ${JSON.stringify(task.data.failure)}`);
    if (task.data.spent.tokens !== lines)
      say(`${task.data.spent.tokens} of ${lines} lines counted`);
    if (entities.process.size !== 1) say(`${entities.process.size} processes`);
    const answers = [...entities.question.values()].filter(({ data }) => data.answer === "yes");
    if (answers.length !== blocks || entities.question.size !== blocks)
      say(`${answers.length} of ${entities.question.size} questions answered`);
    let text = "";
    for await (const piece of open.outputs.all(id)) text += piece;
    for (let at = 0; at < lines; at++) {
      const [block, line] = [Math.floor(at / (lines / blocks)) + 1, (at % (lines / blocks)) + 1];
      const count =
        text.split(`agent ${n} block ${block} line ${line}.
`).length - 1;
      if (count !== 1) say(`block ${block} line ${line} printed ${count} times`);
    }
  }
  return wrong;
}

async function judgeShort(open: Open, ids: readonly string[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const id of ids) {
    const { task, entities } = await open.tasks.state(id);
    let text = "";
    for await (const piece of open.outputs.all(id)) text += piece;
    const said = text.split("short.\n").length - 1;
    if (task.status !== "completed" || entities.process.size !== 1 || said !== 1)
      wrong.push(`${id}: ${task.status}, ${entities.process.size} processes, said ${said} times`);
  }
  return wrong;
}

async function keepAnswering(
  open: Open,
  ids: readonly string[],
  dead: Promise<unknown>,
): Promise<void> {
  const state = { over: false };
  void dead.then(() => (state.over = true));
  while (!state.over) {
    await answerSome(open, ids);
    await pause(20);
  }
}

/** Answers whatever is open; the owner may die before it answers us, and a second time is refused. */
async function answerSome(open: Open, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const { questions } = await open.tasks.show(id);
    for (const questionId of questions)
      await open.tasks.answer(id, { questionId, answer: "yes" }, questionId).catch(() => undefined);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((turn) => setTimeout(turn, milliseconds));
}
