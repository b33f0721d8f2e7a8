// A disk that fills up (S5.2): a memory disk of one mebibyte, filled to many levels.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Running, type Workshop, full, limit, skipped, workshop } from "./programs.ts";

const levels = full ? 50 : 10;
/** Free bytes at the highest level: more than an update and a new log need. */
const most = 160 * 1024;

let shop: Workshop;
beforeAll(() => {
  shop = workshop();
});
afterAll(() => shop.close());

test(
  `S5.2 at ${levels} fill levels an update succeeds or fails clearly, nothing is lost, no litter, and it goes on once there is room`,
  limit,
  async () => {
    const filler = await shop.bundle("filler.ts");
    const writer = await shop.bundle("writer.ts");
    const disk = join(shop.folder, "disk");
    mkdirSync(disk);
    const free = Array.from({ length: levels }, (_, level) =>
      Math.floor((level * most) / (levels - 1)),
    );
    const running = await onMemoryDisk(
      `for free in ${free.join(" ")}; do for who in running starting; do
         "$1" "$2" "$0" "$3" "$who" "$free" || exit 1
       done; done`,
      [disk, process.execPath, filler, writer],
    );
    if (running === undefined)
      return skipped("a full disk", "no memory disk can be mounted, as root or in a namespace");
    const { code } = await running.ended;
    const count = (line: string): number => running.lines.filter((each) => each === line).length;
    const tally = ["running: done", "running: refused", "starting: done", "starting: refused"].map(
      (line): [string, number] => [line, count(line)],
    );
    console.log(`full disk, ${levels} levels:`, Object.fromEntries(tally));
    expect(code).toBe(0);
    expect(tally.filter(([, times]) => times === 0)).toEqual([]);
  },
);

// --- internal ---

/** Mounted for these processes only: the disk goes with them, whatever happens. */
async function onMemoryDisk(script: string, args: string[]): Promise<Running | undefined> {
  const mount = `mount -t tmpfs -o size=1m,mode=0700 tmpfs "$0" && echo mounted && ${script}`;
  for (const how of process.getuid?.() === 0 ? ["-m", "-Urm"] : ["-Urm"]) {
    const running = shop.start(["unshare", how, "sh", "-c", mount, ...args]);
    const mounted = running.said("mounted").then(
      () => true,
      () => false,
    );
    if (await mounted) return running;
  }
  return undefined;
}
