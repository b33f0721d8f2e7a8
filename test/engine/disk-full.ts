// A server, two agents and a home on a disk of its own that fills up. `TMPDIR=<disk> node disk-full.mjs`
import { rmSync, statfsSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { measureHome } from "../../src/engine/disk.ts";
import { type EngineWorld, type Open, engineWorld } from "./world.ts";

const floor = 40e6;
/** It says half of them, and then nothing for as long as a slow machine needs to look at its disk. */
const script = `${Array.from({ length: 30 }, (_, n) => `say line ${n + 1}\nsleep ${n === 14 ? 4000 : 10}\n`).join("")}done x`;

const world = engineWorld();
let looks = 0;
const measure = async () => {
  looks++;
  return measureHome(world.home);
};
const tell = ({ key }: { key: string }): void => say(key.slice("disk.".length));
const open = await world.open({ slots: 2, disk: { floorBytes: floor, measure, tell } });
await open.service.start();
const ids = [(await open.submit({ script })).id];
await until(async () => (await output(open, ids[0])).includes("line 3\n"));
say("working");
fill(world);
await open.until(ids[0] ?? "", ({ agentStatus }) => agentStatus === "paused");
say("frozen");
const late = await open.submit({ script: "say hello\ndone x" });
ids.push(late.id);
const before = looks;
await until(async () => looks > before + 2);
if ((await open.tasks.show(late.id)).status === "pending") say("held back");
rmSync(join(world.folder, "filler"));
const tasks = await Promise.all(ids.map((id) => open.until(id, ended)));
const lines = (await output(open, ids[0])).split("\n").filter((line) => line.startsWith("line"));
const all = Array.from({ length: 30 }, (_, n) => `line ${n + 1}`);
if (lines.join() !== all.join()) say(`lines ${lines.join()}`);
say(tasks.map(({ status }) => status).join(" "));
for (const complaint of world.complaints) say(complaint);
await until(async () => (await open.store.tasksWithEffects()).length === 0);
await open.close();
await world.close();
process.exit(0);

// --- internal ---

function ended({ status }: { status: string }): boolean {
  return status === "completed" || status === "failed";
}

/** To a few megabytes below the floor: room for what has to be written down is left. */
function fill({ folder }: EngineWorld): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, "filler"), Buffer.alloc(bavail * bsize - floor + 4e6, 1));
}

async function output({ outputs }: Open, id = ""): Promise<string> {
  let text = "";
  for await (const piece of outputs.all(id)) text += piece;
  return text;
}

async function until(is: () => Promise<boolean>): Promise<void> {
  while (!(await is())) await pause(20);
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}
