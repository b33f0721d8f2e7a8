// A disk that fills up (S5.2), to many levels: one in memory, whose every page counts, and ext4,
// which promises room before it has any.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { figure } from "../figures.ts";
import { type Running, type Workshop, full, limit, workshop } from "./programs.ts";

const levels = full ? 50 : 6;
/** Free bytes at the highest level: more than an update and a new log need. */
const most = 160 * 1024;

/**
 * `$0` is where to. Blocks as large as a page: with smaller ones (which nobody has but on disks of
 * some megabytes) the kernel kills SQLite with SIGBUS when the index of its log finds no room.
 */
const mounts = {
  tmpfs: 'mount -t tmpfs -o size=1m,mode=0700 tmpfs "$0"',
  ext4: `truncate -s 16M "$0.image" && mkfs.ext4 -q -F -b 4096 "$0.image" &&
    mount -o loop "$0.image" "$0"`,
} as const;

let shop: Workshop;
let filler = "";
let writer = "";
beforeAll(async () => {
  shop = workshop();
  filler = await shop.bundle("filler.ts");
  writer = await shop.bundle("writer.ts");
});
afterAll(() => shop.close());

test.for(Object.entries(mounts))(
  `S5.2 at ${levels} fill levels of %s an update succeeds or fails clearly, nothing is lost, no litter, and it goes on once there is room`,
  limit,
  async ([type, mount], { skip }) => {
    const disk = join(shop.folder, type);
    mkdirSync(disk);
    const free = Array.from({ length: levels }, (_, level) =>
      Math.floor((level * most) / (levels - 1)),
    );
    const running = await onDisk(
      `${mount} && echo mounted && for free in ${free.join(" ")}; do for who in running starting; do
         "$1" "$2" "$0" "$3" "$who" "$free" || exit 1
       done; done`,
      [disk, process.execPath, filler, writer],
    );
    skip(running === undefined, `a full disk (${type}): ${whyNot(type)}`);
    const { ended, lines } = running as Running;
    const { code } = await ended;
    const tally = ["running: done", "running: refused", "starting: done", "starting: refused"].map(
      (line): [string, number] => [line, lines.filter((each) => each === line).length],
    );
    const seen = tally.reduce((sum, [, times]) => sum + times, 0);
    const more = tally.map(([line, times]) => `${times} ${line.replace(":", "")}`).join(", ");
    figure(`full-disk.${type}`, { seen, lost: code === 0 ? 0 : 1, more });
    expect(code).toBe(0);
    expect(tally.filter(([, times]) => times === 0)).toEqual([]);
  },
);

// --- internal ---

/** Mounted for these processes only: the disk goes with them, whatever happens. */
async function onDisk(script: string, args: string[]): Promise<Running | undefined> {
  if (!hasUnshare) return undefined;
  for (const how of isRoot ? ["-m", "-Urm"] : ["-Urm"]) {
    const running = shop.start(["unshare", how, "sh", "-c", script, ...args]);
    const mounted = running.said("mounted").then(
      () => true,
      () => false,
    );
    if (await mounted) return running;
  }
  return undefined;
}

const isRoot = process.getuid?.() === 0;
const hasUnshare = !spawnSync("unshare", ["--version"]).error;

function whyNot(type: string): string {
  if (!hasUnshare) return "there is no unshare";
  if (type === "tmpfs") return "none can be mounted, neither as root nor in a namespace";
  return isRoot ? "none can be mounted from a file" : "only root may mount one";
}
