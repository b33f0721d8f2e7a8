// The order of the steps (S5.1), held by a disk that is slow on purpose: what must wait for a
// step is seen to wait for it. Faults that only a power cut or a race would show are found here.
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Disk, realDisk } from "../../src/store/disk.ts";
import type { DocumentRef } from "../../src/store/documents.ts";
import { figure } from "../figures.ts";
import { compile, limit, workshop } from "./programs.ts";
import { add, documentOf } from "./real-world.ts";
import { type TestWorld, testWorld } from "./world.ts";

let world: TestWorld;
let ref: DocumentRef;
beforeEach(async () => {
  world = await testWorld();
  ref = documentOf(world.folder);
});
afterEach(() => world.close());

test("S5.1 a file is put in place when it is synced, and acknowledged when its folder is", async () => {
  await world.process().update(add(ref, "n"));
  const steps: string[] = [];
  await world.process(slowDisk(steps)).update(add(ref, "n"));
  steps.push("acknowledged");
  expect(steps).toEqual([
    "create tmp",
    "sync begins",
    "sync ends",
    "link old",
    "rename shared-context.json",
    "sync folder",
    "rename shared-context.json.bak",
    "acknowledged",
  ]);
  figure("order.steps", { seen: steps.length, lost: 0 });
});

test(
  "S5.1 no change of the database is acknowledged without a sync of its own",
  limit,
  async ({ skip }) => {
    const shop = workshop();
    try {
      const library = compile("fault.c", shop.folder, true);
      if (typeof library !== "string") skip(`the syncs of the database: ${library.why}`);
      const writer = await shop.bundle("writer.ts");
      const syncsOf = async (changes: number): Promise<number> => {
        const home = join(shop.folder, `home-${changes}`);
        const log = `${home}.log`;
        const args = [writer, home, "", "row", "n", `${changes}`];
        const running = shop.start([process.execPath, ...args], {
          LD_PRELOAD: library as string,
          FAULT_BELOW: `${home}/`,
          FAULT_LOG: log,
        });
        expect(await running.ended).toMatchObject({ code: 0 });
        return readFileSync(log, "utf8").match(/^sync$/gm)?.length ?? 0;
      };
      const changes = 25;
      // One after the other, so that none can share another's. What is left is opening and closing.
      const missing = changes - ((await syncsOf(changes)) - (await syncsOf(0)));
      figure("order.database", { seen: changes, lost: Math.max(0, missing) });
      expect(missing).toBeLessThanOrEqual(0);
    } finally {
      await shop.close();
    }
  },
);

test("S2.7 a lock that appears at the last moment is respected, not replaced", async () => {
  const lock = `${ref.path}.lock`;
  let theirs: "to come" | "there" | "gone" = "to come";
  let seen = "";
  const appear = (path: string): void => {
    if (theirs !== "to come" || path !== lock) return;
    writeFileSync(lock, "theirs");
    theirs = "there";
  };
  const disk: Disk = {
    ...realDisk,
    link: (from, to) => {
      appear(to);
      return realDisk.link(from, to);
    },
    rename: (from, to) => {
      appear(to);
      realDisk.rename(from, to);
    },
    remove: (path) => {
      appear(path);
      realDisk.remove(path);
    },
    stamp: (path) => {
      const stamp = realDisk.stamp(path);
      if (path !== lock || theirs !== "there") return stamp;
      // Seen once by whoever waits; then its owner is done.
      seen = readFileSync(lock, "utf8");
      realDisk.remove(lock);
      theirs = "gone";
      return stamp;
    },
  };
  expect(await world.process(disk).update(add(ref, "n"))).toBe(1);
  expect(seen).toBe("theirs");
  figure("order.lock", { seen: 1, lost: 0 });
});

// --- internal ---

const isDocument = (path: string): boolean => basename(path).includes(basename(ref.path));
const kind = (path: string): string => basename(path).split(".").at(-1) ?? "";

/** Writes down what happens to the document and its files; a sync takes some turns. */
function slowDisk(steps: string[]): Disk {
  return {
    ...realDisk,
    create: (path, bytes, mode) => {
      if (kind(path) === "tmp") steps.push("create tmp");
      return realDisk.create(path, bytes, mode);
    },
    sync: async (handle) => {
      steps.push("sync begins");
      for (let i = 0; i < 100; i++) await turn();
      await realDisk.sync(handle);
      steps.push("sync ends");
    },
    link: (from, to) => {
      if (kind(to) === "old") steps.push("link old");
      return realDisk.link(from, to);
    },
    rename: (from, to) => {
      if (isDocument(to)) steps.push(`rename ${basename(to)}`);
      realDisk.rename(from, to);
    },
    syncFolder: (path) => {
      if (path === dirname(ref.path)) steps.push("sync folder");
      realDisk.syncFolder(path);
    },
  };
}
