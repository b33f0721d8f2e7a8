// When the tree of a unit that is over goes, and when it is kept (S2.6).
import { existsSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Bench, bench } from "../../test/engine/project.ts";
import { keptTrees, leaveWorkspace } from "./kept.ts";
import { takeTree } from "./snapshot.ts";

let b: Bench;
beforeEach(async () => {
  b = bench();
  at = 1_700_000_000_000;
  b.commit({ "a.txt": "a\n", ".gitignore": "*.log\n" });
  await b.workspace();
});
afterEach(() => b.remove());

let at = 0;
const take = () => takeTree({ trees: b.places.trees, seq: at * 1_000, at });
const leave = (handedIn: boolean, secrets: readonly string[] = []) =>
  leaveWorkspace(b.places, { at: ++at, secrets, handedIn });
const there = () => [
  existsSync(b.places.workspace),
  existsSync(b.places.trees.repository),
  keptTrees(join(b.folder, "home"), "task_1").length,
];

test("S2.6 all of it handed in or ignored: it goes, with its snapshots", async () => {
  b.write("b.txt", "b\n");
  b.write("b.log", "x");
  await take();
  expect([await leave(true), there()]).toEqual([null, [false, false, 0]]);
  // As often as one likes.
  expect([await leave(true), there()]).toEqual([null, [false, false, 0]]);
});

test("S2.6 written after it was handed in: it is kept, also where a kill came in between", async () => {
  await take();
  b.write("late.txt", "late\n");
  // What one that was killed had taken already.
  await takeTree({ trees: b.places.trees, seq: at * 1_000 + 998, at });
  const kept = await leave(true);
  expect(kept?.files).toEqual([]);
  expect(readFileSync(join(kept?.folder ?? "", "late.txt"), "utf8")).toBe("late\n");
  expect(there()).toEqual([false, false, 1]);
});

test("S2.6 of one that failed the snapshots stay, and the tree only if they do not hold all of it", async () => {
  b.write("b.txt", "b\n");
  expect([await leave(false), there()]).toEqual([null, [false, true, 0]]);
  await b.workspace();
  b.write("large.bin", "");
  truncateSync(join(b.places.workspace, "large.bin"), 51 * 1024 * 1024);
  b.write("secret.txt", "s3cret-value\n");
  const kept = await leave(false, ["s3cret-value"]);
  expect(kept?.files).toEqual([
    { path: "large.bin", why: "large" },
    { path: "secret.txt", why: "secret" },
  ]);
  expect(there()).toEqual([false, true, 1]);
  // One that was put back to work may leave another.
  await b.workspace();
  b.write(".git /x", "x");
  expect((await leave(false))?.folder).toBe(join(b.places.kept, "2"));
});
