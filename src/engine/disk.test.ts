import { mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Message } from "../core/messages.ts";
import { DiskWatch, type Room, measureHome } from "./disk.ts";

let rooms: Room[] = [];
let told: Message[] = [];
let watch: DiskWatch;
beforeEach(() => {
  rooms = [{ path: "/home", freeBytes: 900e6 }];
  told = [];
  const tell = (text: Message): void => void told.push(text);
  watch = new DiskWatch({ floorBytes: 500e6, measure: async () => rooms, tell });
});

const look = async (free: number): Promise<boolean> => {
  rooms = [{ path: "/home", freeBytes: free }];
  watch.is(await watch.look(watch.low !== null));
  return watch.low !== null;
};

test("S5.2 low below the floor, and enough again only at a quarter more", async () => {
  const seen: boolean[] = [];
  for (const free of [500e6, 499e6, 500e6, 624e6, 625e6, 500e6]) seen.push(await look(free));
  expect(seen).toEqual([false, true, true, true, false, false]);
  // Told when it changes, not each time somebody looks.
  expect(told.map(({ key }) => key)).toEqual(["disk.low", "disk.room"]);
});

test("S5.2 who held agents when its server died goes on holding them up to that quarter", async () => {
  rooms = [{ path: "/home", freeBytes: 600e6 }];
  expect(await watch.look(false)).toBeNull();
  expect(await watch.look(true)).toMatchObject({ path: "/home" });
});

test("S5.2 of several disks the fullest counts, and is named with what is free and what is needed", async () => {
  rooms = [
    { path: "/home", freeBytes: 900e6 },
    { path: "/home/workspaces", freeBytes: 12_300_000 },
  ];
  watch.is(await watch.look(false));
  expect(watch.holdBack()).toEqual({
    key: "disk.low",
    params: { path: "/home/workspaces", free: 12, floor: 500, enough: 625 },
  });
  expect(watch.figures).toEqual({ path: "/home/workspaces", freeMb: 12, floorMb: 500 });
});

test("S5.2 what can not be measured stays as it was", async () => {
  rooms = [];
  expect(await watch.look(false)).toBeNull();
  await look(1e6);
  rooms = [];
  expect(await watch.look(true)).toMatchObject({ freeBytes: 1e6 });
});

let folder = "";
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("S5.2 a home is measured where it lies, each disk once, whatever of it is there", async () => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-disk-"));
  mkdirSync(join(folder, "runs"));
  const { bsize, blocks } = statfsSync(folder);
  const found = await measureHome(folder);
  expect(found.map(({ path }) => path)).toEqual([folder]);
  expect(found[0]?.freeBytes).toBeGreaterThan(0);
  expect(found[0]?.freeBytes).toBeLessThanOrEqual(bsize * blocks);
  expect(await measureHome(join(folder, "not there"))).toEqual([]);
});
