// A disk that fills up while agents work (DESIGN, idea 4): they stand still before it is full, nothing
// new starts, and all go on by themselves when there is room. First with a disk that says what the test
// wants, then with a real one.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Message, render } from "../../src/core/messages.ts";
import { type Running, type Workshop, limit, workshop } from "../crash/programs.ts";
import { bundled, inside, isOver, onStage, pidOf, soon } from "./stage.ts";

const floor = 500e6;
let free = 0;
let looks = 0;
let told: Message[] = [];
const measure = async () => {
  looks++;
  return [{ path: "/the/disk", freeBytes: free }];
};
const disk = { floorBytes: floor, measure, tell: (text: Message) => void told.push(text) };
beforeEach(() => {
  [free, told] = [floor * 2, []];
});
const stage = onStage({ slots: 2, disk });
const look = (id: string) => inside(stage.open, id);
/** It says half of them, and then nothing for as long as a slow machine needs to look at its disk. */
const lines = `${Array.from({ length: 20 }, (_, n) => `say line ${n + 1}\nsleep ${n === 9 ? 4000 : 10}\n`).join("")}done x`;

describe("a disk that fills up (DESIGN 4, S5.2)", () => {
  test("S5.2 below the floor agents are frozen and nothing starts; told once; with room all go on", async () => {
    const first = await stage.open.submit({ script: lines });
    const second = await stage.open.submit({ script: lines });
    for (const { id } of [first, second]) await soon(() => output(id)).toContain("line 2\n");
    free = floor - 1;
    const third = await stage.open.submit({ title: "Late", script: "done x" });
    for (const { id } of [first, second]) {
      await stage.open.until(id, ({ agentStatus }) => agentStatus === "paused");
      const { agent } = await look(id);
      expect(agent.data).toMatchObject({ holds: ["disk"], slot: false });
      await soon(() => isStopped(agent.data.process ?? "")).toBe(true);
      expect(await journal(id, "DISK_LOW")).toMatchObject([
        {
          from: "running",
          to: "paused",
          metadata: { path: "/the/disk", freeMb: 499, floorMb: 500 },
        },
      ]);
    }
    await soon(() => stage.world.notices).toEqual(["disk_low"]);
    expect(told.map((text) => render("en", text))).toEqual([
      expect.stringContaining("Only 499 MB are free on the disk of /the/disk"),
    ]);
    // Between the floor and a quarter more nothing changes.
    free = floor * 1.2;
    await twoLooks();
    expect((await stage.open.tasks.show(first.id)).agentStatus).toBe("paused");
    expect((await stage.open.tasks.show(third.id)).status).toBe("pending");
    free = floor * 1.25;
    const ended: string[] = [];
    for (const { id } of [first, second, third]) {
      const task = await stage.open.until(id, isOver);
      ended.push(task.status);
    }
    expect(ended).toEqual(["completed", "completed", "completed"]);
    for (const { id } of [first, second]) {
      const said = (await output(id)).split("\n").filter((line) => line.startsWith("line"));
      expect(said).toEqual(Array.from({ length: 20 }, (_, n) => `line ${n + 1}`));
      expect((await look(id)).processes).toHaveLength(1);
    }
    // Who stood still goes on before who never began (S1.7b).
    const late = await stage.open.tasks.show(third.id);
    const [room] = await journal(first.id, "DISK_ROOM");
    expect((late.startedAt ?? "") >= (room?.timestamp ?? "~")).toBe(true);
    expect(told.at(-1)?.key).toBe("disk.room");
    expect(stage.world.notices.filter((what) => what === "disk_low")).toHaveLength(1);
  });

  test("S1.20 a server that comes back finds them held, tells nobody again, and lets them go on", async () => {
    const { id } = await stage.open.submit({ script: lines });
    await soon(() => output(id)).toContain("line 2\n");
    free = floor / 2;
    await stage.open.until(id, ({ agentStatus }) => agentStatus === "paused");
    await soon(() => stage.world.notices).toEqual(["disk_low"]);
    // More than the floor, less than what lets those go on who were held.
    free = floor * 1.1;
    await stage.again();
    await twoLooks();
    expect((await look(id)).agent).toMatchObject({ status: "paused", data: { holds: ["disk"] } });
    expect(await stage.open.submit({ script: "done x" })).toMatchObject({ status: "pending" });
    free = floor * 2;
    const task = await stage.open.until(id, isOver);
    expect(task).toMatchObject({ status: "completed", failure: null });
    expect(stage.world.notices.filter((what) => what === "disk_low")).toHaveLength(1);
  });

  test("S1.9 one that waits for a person remembers it: answered, it goes on when there is room", async () => {
    const script = "ask choice Which? | Red | Blue\nsay got {answer}\ndone x";
    const { id } = await stage.open.submit({ script });
    await stage.open.until(id, ({ questions }) => questions.length > 0);
    free = 0;
    await soon(async () => (await look(id)).agent.data.holds).toEqual(["disk"]);
    await stage.open.tasks.answer(id, { answer: "Red" });
    await stage.open.until(id, ({ agentStatus }) => agentStatus === "paused");
    free = floor * 2;
    const task = await stage.open.until(id, isOver);
    expect(task.status).toBe("completed");
    expect(await output(id)).toContain("got Red");
  });
});

describe("a real disk", () => {
  let shop: Workshop;
  beforeAll(() => {
    shop = workshop();
  });
  afterAll(() => shop.close());

  test(
    "S5.2 a home of 96 MB is filled to its floor and emptied again: no line is lost, each task ends",
    limit,
    async ({ skip }) => {
      const program = await bundled("disk-full.ts", shop.folder);
      const place = join(shop.folder, "disk");
      mkdirSync(place);
      const running = await onSmallDisk(place, program);
      skip(running === undefined, "a disk that fills up: none can be mounted");
      const { ended, lines: said } = running as Running;
      expect({ ...(await ended), said }).toEqual({
        code: 0,
        signal: null,
        said: ["mounted", "working", "low", "frozen", "held back", "room", "completed completed"],
      });
    },
  );

  async function onSmallDisk(place: string, program: string): Promise<Running | undefined> {
    if (spawnSync("unshare", ["--version"]).error) return undefined;
    const script =
      'mount -t tmpfs -o size=96m,mode=0700 tmpfs "$0" && echo mounted && TMPDIR="$0" exec "$1" "$2"';
    for (const how of process.getuid?.() === 0 ? ["-m", "-Urm"] : ["-Urm"]) {
      const args = ["unshare", how, "sh", "-c", script, place, process.execPath, program];
      const running = shop.start(args);
      const mounted = running.said("mounted").then(
        () => true,
        () => false,
      );
      if (await mounted) return running;
    }
    return undefined;
  }
});

// --- internal ---

async function output(id: string): Promise<string> {
  let text = "";
  for await (const piece of stage.open.outputs.all(id)) text += piece;
  return text;
}

async function journal(id: string, trigger: string) {
  return (await stage.open.store.transitions({ taskId: id })).filter(
    (each) => each.trigger === trigger,
  );
}

/** The second began after this: what it found is decided when a third begins. */
async function twoLooks(): Promise<void> {
  const before = looks;
  await soon(() => looks).toBeGreaterThan(before + 2);
}

function isStopped(run: string): boolean {
  const pid = pidOf(stage.world.home, run);
  return /\) [Tt] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
}
