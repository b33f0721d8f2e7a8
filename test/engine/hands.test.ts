// A server and eight people at terminals, all at the same tasks at once: no command is lost, each is
// answered exactly once, and of those that exclude each other one is taken (DESIGN, idea 2).
import { afterAll, beforeAll, expect, test } from "vitest";
import { inboxKey } from "../../src/app/_task-rules.ts";
import { full, limit, type Running, type Workshop, until, workshop } from "../crash/programs.ts";
import { figure } from "../figures.ts";
import { bundled, closeWorld, nothingLeft } from "./stage.ts";
import { type EngineWorld, type Open, engineWorld } from "./world.ts";

const people = 8;
const tasks = full ? 6 : 3;
const rounds = full ? 25 : 4;

let shop: Workshop;
let world: EngineWorld;
let ours: Open;
beforeAll(async () => {
  shop = workshop();
  world = engineWorld();
  ours = await world.open({ slots: 0 });
});
afterAll(async () => {
  await ours.close();
  await shop.close();
  await closeWorld(world);
});

test(
  `DESIGN 2: ${people} processes and the server, ${rounds} rounds on ${tasks} tasks: each command answered once`,
  limit,
  async () => {
    const [keeper, hand] = await Promise.all(
      ["keeper.ts", "hand.ts"].map((file) => bundled(file, shop.folder)),
    );
    const script = `repeat ${rounds}\nask choice Go on? | yes | no\nsay round {i}.\nend\ndone x`;
    const ids: string[] = [];
    for (let n = 0; n < tasks; n++) ids.push((await ours.submit({ script })).id);
    const server = shop.start(
      [process.execPath, keeper ?? "", world.home, world.sample[1], `${tasks}`],
      world.env,
    );
    const hands = Array.from({ length: people }, () =>
      shop.start([process.execPath, hand ?? "", world.home], world.env),
    );
    await Promise.all([server, ...hands].map((each) => each.said("ready")));

    let sent = 0;
    const asked: string[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const id of ids) {
        const { questions } = await ours.until(id, (task) => task.questions.length > 0);
        asked.push(...questions);
        for (const [n, each] of hands.entries()) {
          const wish = (name: string, more: object): void => {
            each.tell(
              JSON.stringify({ id, key: `h${n}:${name}:${sent++}:${id}:${questions[0]}`, ...more }),
            );
          };
          if (n % 3 === 1) wish("pause", { do: "act", given: { name: "pause" } });
          wish("answer", { do: "answer", given: { questionId: questions[0], answer: "yes" } });
          if (n % 3 !== 0) wish("resume", { do: "act", given: { name: "resume" } });
        }
      }
      await until("all are answered", () => answers(hands).length === sent);
      for (const id of ids)
        if ((await ours.tasks.show(id)).agentStatus === "paused")
          await ours.tasks.act(id, { name: "resume" });
    }
    await Promise.all(ids.map((id) => ours.until(id, ({ status }) => status === "completed")));
    await nothingLeft(ours);
    for (const each of hands) each.tell("end");
    await Promise.all(hands.map(({ ended }) => ended));
    server.signal("SIGKILL");
    await server.ended;

    const wrong = await judge(ids, asked, answers(hands), sent);
    figure("commands of several processes", { seen: sent, lost: wrong.length });
    expect(wrong).toEqual([]);
    expect([server, ...hands].flatMap(({ lines }) => lines.filter(isComplaint))).toEqual([]);
  },
);

// --- internal ---

interface Said {
  readonly key: string;
  readonly name: string;
  readonly code: string;
}

/** What they were answered: `h3:answer:17:task_…:question_… ok`. */
function answers(hands: readonly Running[]): Said[] {
  return hands
    .flatMap(({ lines }) => lines)
    .filter((line) => /^h\d+:/.test(line))
    .map((line) => {
      const [key = "", code = ""] = line.split(" ");
      return { key, name: key.split(":")[1] ?? "", code };
    });
}

function isComplaint(line: string): boolean {
  return line.startsWith("complaint");
}

async function judge(
  ids: readonly string[],
  asked: readonly string[],
  said: readonly Said[],
  sent: number,
): Promise<string[]> {
  const wrong: string[] = [];
  if (new Set(said.map(({ key }) => key)).size !== sent) wrong.push("a key was answered twice");
  for (const { key, code } of said)
    if (code !== "ok" && code !== "refused") wrong.push(`${key} ${code}`);
  for (const question of asked) {
    const taken = said.filter(
      ({ key, name, code }) => name === "answer" && key.endsWith(question) && code === "ok",
    );
    if (taken.length !== 1) wrong.push(`${question} was answered ${taken.length} times`);
  }
  for (const { key, name } of said) {
    const entry = await ours.store.inboxEntry(inboxKey(name, key.split(":")[3] ?? "", key));
    if (entry === undefined || entry.acknowledgedAt === null) wrong.push(`${key} has no answer`);
  }
  // What was said to be done stands in the journal, once each; our own resumes come on top.
  const journal = (
    await Promise.all(ids.map((taskId) => ours.store.transitions({ taskId })))
  ).flat();
  const count = (trigger: string): number =>
    journal.filter((each) => each.machine === "task" && each.trigger === trigger).length;
  const ok = (name: string): number =>
    said.filter((each) => each.name === name && each.code === "ok").length;
  if (count("pause") !== ok("pause"))
    wrong.push(`${ok("pause")} pauses, ${count("pause")} journaled`);
  if (count("resume") < ok("resume"))
    wrong.push(`${ok("resume")} resumes, ${count("resume")} journaled`);
  return wrong;
}
