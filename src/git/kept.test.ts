// When the tree of a unit that is over goes, and when it is kept (S2.6).
import { existsSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
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
const git = (...words: string[]): void => void b.git(words, b.places.workspace);
const commit = (name: string): void => {
  b.write(`${name}.txt`, `${name}\n`);
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@a", "commit", "-q", "-m", name);
};
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

describe("S2.6 what an agent put into the repository of its clone", () => {
  test.each<[string, readonly string[], () => void]>([
    ["its result, committed where it began", [], () => commit("made")],
    [
      "its result, committed on a branch of its own",
      [],
      () => {
        git("checkout", "-q", "-b", "feature/x");
        commit("made");
        git("tag", "v1");
      },
    ],
    [
      "a branch that it merged again, packed",
      [],
      () => {
        git("checkout", "-q", "-b", "feature");
        commit("made");
        git("checkout", "-q", "-");
        git(
          "-c",
          "user.name=a",
          "-c",
          "user.email=a@a",
          "merge",
          "-q",
          "--no-ff",
          "-m",
          "m",
          "feature",
        );
        git("pack-refs", "--all");
      },
    ],
    [
      "a new repository in its place",
      [],
      () => {
        rmSync(join(b.places.workspace, ".git"), { recursive: true });
        git("init", "-q");
        commit("made");
      },
    ],
    [
      "no repository any more",
      [],
      () => rmSync(join(b.places.workspace, ".git"), { recursive: true }),
    ],
    [
      "a branch that it left",
      ["refs/heads/aside"],
      () => {
        git("checkout", "-q", "-b", "aside");
        commit("aside");
        git("checkout", "-q", "-");
      },
    ],
    [
      "a branch that it left, packed",
      ["refs/heads/aside"],
      () => {
        git("checkout", "-q", "-b", "aside");
        commit("aside");
        git("checkout", "-q", "-");
        git("gc", "-q", "--prune=now");
      },
    ],
    [
      "a stash",
      ["refs/stash"],
      () => {
        b.write("a.txt", "changed\n");
        git("-c", "user.name=a", "-c", "user.email=a@a", "stash", "-q");
      },
    ],
    [
      "a reference that names nothing",
      ["refs/heads/broken"],
      () => b.write(".git/refs/heads/broken", `${"1".repeat(40)}\n`),
    ],
  ])("%s", async (_, refs, does) => {
    does();
    await take();
    const kept = await leave(true);
    expect(kept?.refs ?? []).toEqual(refs);
    expect(there()).toEqual([false, false, refs.length > 0 ? 1 : 0]);
  });
});
