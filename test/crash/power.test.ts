// A power cut (S5.2): ext4 on a file, whose file system is shut down under a process that writes.
//
// The process is stopped first, with each thread of it seen stopped: a sync that is on its way
// while the file system goes down may report success although it came too late, which no power
// cut can do. Beside it run a control, which must lose nothing, and a planted fault, which must.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { uptime } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Running,
  type Workshop,
  compile,
  full,
  limit,
  seeded,
  skipped,
  stop,
  until,
  workshop,
} from "./programs.ts";
import { documentOf } from "./real-world.ts";

const cuts = full ? 200 : 6;

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
  `S5.2 in ${cuts} power cuts no acknowledged update is lost, and the file is never half`,
  limit,
  async () => {
    if (why !== undefined) return skipped("power cuts", why);
    let sure = 0;
    // Not a fresh disk each time: the log, the backup and what the cut left stay.
    for (let cut = 0; cut < cuts; cut++) {
      const name = `cut${cut}`;
      const acked = (await cutDuring("count", name)).acked();
      sure += acked;
      expect(await check(name, acked)).toEqual(["checked"]);
      // The file grows with each name; a new disk now and then keeps it short.
      if (cut % 20 === 19) newDisk();
    }
    console.log(`power: ${cuts} cuts, ${sure} updates acknowledged, 0 lost`);
  },
);

test(
  "S5.2 the control, lines that are appended and synced, loses nothing either",
  limit,
  async () => {
    if (why !== undefined) return skipped("power cuts", why);
    const { lost, sure } = await cutAppending({});
    console.log(`power: control, ${cuts} cuts, ${sure} lines acknowledged, ${lost} lost`);
    expect(lost).toBe(0);
  },
);

test(
  "S5.2 and where syncs do nothing, acknowledged lines and updates are lost: such a cut is one",
  limit,
  async () => {
    if (why !== undefined) return skipped("power cuts", why);
    const planted = { FAULT: "nosync", FAULT_BELOW: disk };
    const { lost, sure } = await cutAppending(planted);
    expect(lost).toBeGreaterThan(0);
    newDisk();
    const acked = (await cutDuring("count", "n", planted)).acked();
    const found = existsSync(documentOf(project()).path);
    console.log(
      `power: planted, ${lost} of ${sure} lines lost; the document of ${acked} updates is ${found ? "there" : "gone"}`,
    );
    expect(await check("n", acked)).not.toEqual(["checked"]);
  },
);

// --- internal ---

/** Cuts while the writer is at work, and mounts again. Returns the dead process. */
async function cutDuring(
  what: string,
  name: string,
  environment: Record<string, string> = {},
): Promise<Running> {
  mkdirSync(project(), { recursive: true });
  const running = shop.start([process.execPath, writer, home(), project(), what, name, "1000000"], {
    LD_PRELOAD: library as string,
    FAULT_BOOT: join(shop.folder, "boot"),
    ...environment,
  });
  const enough = 1 + random(25);
  await until("some acknowledgements", () => running.acked() >= enough);
  await stop(running);
  must(shutdown as string, [disk]);
  running.signal("SIGKILL");
  await running.ended;
  must("umount", [disk]);
  must("mount", mountArguments());
  restart();
  return running;
}

/** What lay on the disk is older than this boot. */
function restart(): void {
  const folder = dirname(documentOf(project()).path);
  if (!existsSync(folder)) return;
  const then = Date.now() / 1000 - uptime() - 3600;
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), then, then);
}

async function check(name: string, acked: number): Promise<string[]> {
  const running = shop.start([process.execPath, checker, home(), project(), name, `${acked}`]);
  await running.ended;
  return running.lines;
}

async function cutAppending(environment: Record<string, string>) {
  let lost = 0;
  let sure = 0;
  for (let cut = 0; cut < cuts; cut++) {
    newDisk();
    const acked = (await cutDuring("append", "n", environment)).acked();
    const file = join(project(), "appended");
    const found = linesIn(file);
    const kept = found.findLastIndex((line, place) => line === `${place + 1}`) + 1;
    sure += acked;
    lost += Math.max(0, acked - kept);
  }
  return { lost, sure };
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

/** Undefined: everything is there. */
function whyNot(): string | undefined {
  for (const built of [shutdown, library]) if (typeof built !== "string") return built.why;
  if (process.getuid?.() !== 0) return "only root may mount a disk";
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
  return spawnSync(command, args, { encoding: "utf8", timeout: 30_000 });
}

function must(command: string, args: readonly string[]): void {
  const { status, stderr, error } = run(command, args);
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr || String(error)}`);
}
