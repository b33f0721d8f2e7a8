// A power cut (S5.2): ext4 on a file, whose file system is shut down under a process that writes.
//
// The process is stopped first, with each thread of it seen stopped: a sync that is on its way
// while the file system goes down may report success although it came too late, which no power
// cut can do. What had reached the disk by then is copied and mounted: so nothing that unmounting
// still writes is on it, and nobody who has the old one open (another mount namespace has) is in
// the way. Beside it run a control, which must lose nothing, and a planted fault, which must.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { uptime } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { figure } from "../figures.ts";
import { fixtureOf } from "../fixtures/documents.ts";
import { type Kind, kinds, refsOf } from "./kinds.ts";
import {
  type Running,
  type Workshop,
  compile,
  full,
  limit,
  seeded,
  stop,
  until,
  workshop,
} from "./programs.ts";

const cuts = full ? 200 : 6;
/** On one disk, so that the log, the backup and what a cut left stay; then a new, short one. */
const cutsPerDisk = full ? 20 : 2;
const chosen: readonly Kind[] = full ? kinds : ["shared-context", "develop-state", "several"];

let shop: Workshop;
let writer = "";
let checker = "";
/** Loaded before a process, lets it belong to an earlier boot, or makes its syncs do nothing. */
let library: string | { why: string };
let shutdown: string | { why: string };
let why: string | undefined;
/** Where the disk is mounted. */
let disk = "";
let image = "";
const [home, project] = [() => join(disk, "home"), () => join(disk, "project")];
const random = seeded(11);

beforeAll(async () => {
  shop = workshop();
  disk = join(shop.folder, "disk");
  image = join(shop.folder, "image");
  mkdirSync(disk);
  shutdown = compile("shutdown.c", shop.folder, false);
  library = compile("fault.c", shop.folder, true);
  why = whyNot();
  if (why !== undefined) return;
  writer = await shop.bundle("writer.ts");
  checker = await shop.bundle("checker.ts");
  writeFileSync(join(shop.folder, "boot"), "an-earlier-boot\n");
});
afterAll(async () => {
  unmount();
  await shop.close();
});

test(
  `S5.2 in ${cuts} power cuts no acknowledged update is lost, and no file is ever half`,
  limit,
  async ({ skip }) => {
    skip(why !== undefined, `power cuts: ${why}`);
    const bad: string[] = [];
    let sure = 0;
    for (let cut = 0; cut < cuts; cut++) {
      const kind = chosen[Math.floor(cut / cutsPerDisk) % chosen.length] ?? "shared-context";
      if (cut % cutsPerDisk === 0) await newDiskWith(kind);
      const acked = (await cutDuring("count", kind, {}, `cut${cut}`)).acked();
      sure += acked;
      bad.push(...(await complaints(kind, acked, `cut${cut}`)));
    }
    figure("power.documents", { seen: cuts, lost: bad.length, more: `${sure} updates` });
    expect(bad).toEqual([]);
  },
);

test(
  `S5.2 nor is a change of the database that was acknowledged, in ${cuts} cuts`,
  limit,
  async ({ skip }) => {
    skip(why !== undefined, `power cuts: ${why}`);
    const bad: string[] = [];
    let sure = 0;
    for (let cut = 0; cut < cuts; cut++) {
      if (cut % cutsPerDisk === 0) newDisk();
      const running = await cutDuring("row", "row");
      sure += running.lines.length;
      bad.push(...(await complaints("row", running.acked())));
    }
    figure("power.database", { seen: cuts, lost: bad.length, more: `${sure} changes` });
    expect(bad).toEqual([]);
  },
);

test(
  "S5.2 the control, lines that are appended and synced, loses nothing either",
  limit,
  async ({ skip }) => {
    skip(why !== undefined, `power cuts: ${why}`);
    const { bad, lost, sure } = await cutAppending({});
    figure("power.control", { seen: cuts, lost: bad, more: `${lost} of ${sure} lines lost` });
    expect(bad).toBe(0);
  },
);

test(
  "S5.2 and where syncs do nothing, acknowledged lines and updates are lost: such a cut is one",
  limit,
  async ({ skip }) => {
    skip(why !== undefined, `power cuts: ${why}`);
    const planted = { FAULT: "nosync", FAULT_BELOW: disk };
    const { bad, lost, sure } = await cutAppending(planted);
    newDisk();
    const acked = (await cutDuring("count", "shared-context", planted)).acked();
    const documents = await complaints("shared-context", acked);
    const more = `${lost} of ${sure} lines lost; of ${acked} updates: ${documents.join()}`;
    figure("power.nosync", { seen: cuts, lost: bad, more });
    expect(bad).toBeGreaterThan(0);
    expect(documents).not.toEqual([]);
  },
);

// --- internal ---

/** Cuts while the writer is at work, and mounts again. Returns the dead process. */
async function cutDuring(
  what: "count" | "row" | "append",
  kind: Kind | "row" | "append",
  environment: Record<string, string> = {},
  name = "n",
): Promise<Running> {
  mkdirSync(project(), { recursive: true });
  const args = [writer, home(), project(), what, name, "1000000", kind];
  const running = shop.start([process.execPath, ...args], {
    LD_PRELOAD: library as string,
    FAULT_BOOT: join(shop.folder, "boot"),
    ...environment,
  });
  let over = false;
  void running.ended.then(() => (over = true));
  const enough = 1 + random(25);
  await until("some acknowledgements", () => over || acknowledgements(running) >= enough);
  if (over) throw new Error(`it ended by itself: ${running.lines.slice(-3).join(" | ")}`);
  await stop(running);
  must(shutdown as string, [disk]);
  must("cp", [image, `${image}.copy`]);
  running.signal("SIGKILL");
  await running.ended;
  must("umount", [disk]);
  renameSync(`${image}.copy`, image);
  must("mount", mountArguments());
  if (what === "count") restart(kind as Kind);
  return running;
}

function acknowledgements({ lines }: Running): number {
  return lines.filter((line) => line.startsWith("ack ")).length;
}

/** What lay on the disk is older than this boot. */
function restart(kind: Kind): void {
  const then = Date.now() / 1000 - uptime() - 3600;
  for (const { path } of refsOf(project(), kind)) {
    const folder = dirname(path);
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), then, then);
  }
}

/** What is not as it should be. By a process of its own: nothing here may keep the disk busy. */
async function complaints(what: Kind | "row", acked: number, name = "n"): Promise<string[]> {
  const args = [checker, home(), project(), name, `${acked}`, what];
  const running = shop.start([process.execPath, ...args]);
  await running.ended;
  return running.lines.join() === "checked" ? [] : [running.lines.join() || "it died"];
}

/** How many cuts lost something, and of how many lines. */
async function cutAppending(environment: Record<string, string>) {
  let [bad, lost, sure] = [0, 0, 0];
  for (let cut = 0; cut < cuts; cut++) {
    newDisk();
    const acked = (await cutDuring("append", "append", environment)).acked();
    const found = linesIn(join(project(), "appended"));
    const kept = found.findLastIndex((line, place) => line === `${place + 1}`) + 1;
    sure += acked;
    lost += Math.max(0, acked - kept);
    if (kept < acked) bad++;
  }
  return { bad, lost, sure };
}

/** Without its syncs even the file system may be torn: a file that can not be read is lost too. */
function linesIn(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").slice(0, -1);
  } catch {
    return [];
  }
}

/** A rename does not bring the data with it there: what was not synced shows. */
function mountArguments(): string[] {
  return ["-o", "loop,noatime,noauto_da_alloc", "-t", "ext4", image, disk];
}

function unmount(): void {
  if (readFileSync("/proc/self/mounts", "utf8").includes(` ${disk} `)) must("umount", [disk]);
}

function newDisk(): void {
  unmount();
  rmSync(image, { force: true });
  must("truncate", ["-s", "48M", image]);
  must("mkfs.ext4", ["-q", "-F", image]);
  must("mount", mountArguments());
}

/** With the sources' own examples, durable and taken over; the shared context begins empty. */
async function newDiskWith(kind: Kind): Promise<void> {
  newDisk();
  if (kind === "shared-context") return;
  for (const { path, format } of refsOf(project(), kind)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, fixtureOf(format).bytes, { flush: true });
  }
  const args = [writer, home(), project(), "open", "n", "1", kind];
  expect(await shop.start([process.execPath, ...args]).ended).toMatchObject({ code: 0 });
}

/** Undefined: everything is there. */
function whyNot(): string | undefined {
  for (const built of [shutdown, library]) if (typeof built !== "string") return built.why;
  if (process.getuid?.() !== 0) return "only root may mount";
  for (const tool of ["mkfs.ext4", "mount", "umount", "truncate"])
    if (run(tool, ["--version"]).error) return `there is no ${tool}`;
  try {
    newDisk();
    return undefined;
  } catch (cause) {
    return `no ext4 can be mounted from a file (${String(cause)})`;
  }
}

function run(command: string, args: readonly string[]) {
  return spawnSync(command, args, { encoding: "utf8" });
}

function must(command: string, args: readonly string[]): void {
  const { status, stderr, error } = run(command, args);
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr || String(error)}`);
}
