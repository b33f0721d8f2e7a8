// One agent floods its output while another works: the server stays small and goes on answering, and
// all of the flood can be looked at, piece by piece (S1.20, S1.22).
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { full, limit, type Workshop, workshop } from "../crash/programs.ts";
import { figure } from "../figures.ts";
import { bundled, closeWorld, inside, isOver, nothingLeft, soon } from "./stage.ts";
import { type EngineWorld, type Open, engineWorld } from "./world.ts";

const megabytes = full ? 1_024 : 64;
const rounds = full ? 12 : 4;
/** What a server may hold in memory, whatever its agents print. */
const mostMemory = 200;

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

test(
  `S1.20 ${megabytes} MB from one agent: memory stays under ${mostMemory} MB, the other is heard`,
  limit,
  async () => {
    const keeper = await bundled("keeper.ts", shop.folder);
    const ours = await world.open({ slots: 0 });
    const script = `repeat ${rounds}\nask choice Go on? | yes | no\nend\ndone x`;
    const other = await ours.submit({ title: "Other", script });
    const running = shop.start(
      [process.execPath, keeper, world.home, world.sample[1], "2"],
      world.env,
    );
    await running.said("ready");
    await ours.until(other.id, (task) => task.questions.length > 0);
    const flood = await ours.submit({
      title: "Flood",
      script: `say first\nflood ${megabytes}\nsay last\ndone x`,
    });
    // The other one has asked, and the first of the flood is out, most of it is not.
    await soon(async () => (await ours.outputs.piece(flood.id, { limit: 1 })).size).toBeGreaterThan(
      100_000,
    );

    const latencies: number[] = [];
    let heard = 0;
    for (let round = 0; round < rounds; round++) {
      const { questions } = await ours.until(other.id, (task) => task.questions.length > 0);
      if (!isOver(await ours.tasks.show(flood.id))) heard++;
      const asked = performance.now();
      await ours.tasks.answer(other.id, { questionId: questions[0], answer: "yes" });
      latencies.push(Math.round(performance.now() - asked));
      await ours.until(
        other.id,
        (task) => isOver(task) || (task.questions.length > 0 && task.questions[0] !== questions[0]),
      );
    }
    await expect
      .poll(async () => isOver(await ours.tasks.show(flood.id)), {
        timeout: limit.timeout,
      })
      .toBe(true);
    const status = readFileSync(`/proc/${running.pid}/status`, "utf8");
    const peak = Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024);
    figure("flood of one agent", {
      seen: megabytes,
      lost: 0,
      more: `MB; peak of the server ${peak} MB; ${heard} questions of another answered meanwhile, in ${latencies.join(", ")} ms`,
    });
    expect((await ours.tasks.show(flood.id)).status).toBe("completed");
    expect((await ours.tasks.show(other.id)).status).toBe("completed");
    expect(peak).toBeLessThan(mostMemory);
    expect(heard).toBeGreaterThan(0);
    await wholeOutput(ours, flood.id);
    await nothingLeft(ours);
    await ours.close();
    running.signal("SIGKILL");
    await running.ended;
    expect(running.lines).toEqual(["ready"]);
  },
);

/** Every line in its place, in whatever pieces it is read. */
async function wholeOutput({ outputs, tasks }: Open, id: string): Promise<void> {
  const process = (await inside({ tasks } as Open, id)).processes[0]?.id;
  const pieceOf = (offset: number, bytes: number) =>
    outputs.piece(id, { process, offset, limit: bytes });
  const { size, text } = await pieceOf(0, 2_000);
  expect(size).toBeGreaterThan(megabytes * 1024 * 1024);
  expect(text.startsWith("first\nflood 1 ")).toBe(true);
  const begin = text.indexOf("flood 1 ");
  const lines = megabytes * 1_024;
  for (const line of [2, Math.floor(lines / 3), Math.floor(lines / 2), lines]) {
    const piece = await pieceOf(begin + (line - 1) * 1_024, 1_024);
    expect(piece.text.startsWith(`flood ${line} `), `line ${line}`).toBe(true);
    expect(piece.text.endsWith("\n")).toBe(true);
  }
  const end = await pieceOf(begin + lines * 1_024, 4_096);
  expect(end.text.startsWith("last\n")).toBe(true);
  expect(end.next).toBe(size);
  expect((await pieceOf(size + 10_000, 100)).text).toBe("");
}
