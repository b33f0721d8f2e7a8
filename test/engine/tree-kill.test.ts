// S1.20 for trees: the process that makes a workspace, takes a snapshot or restores one is killed at
// every step, sometimes with the git it started, sometimes while that goes on without it. The same
// call again ends in the wanted tree. And on a disk that is full (S5.2).
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { leftovers } from "../../src/git/leftovers.ts";
import { mergeUnit, openBranch } from "../../src/git/branches.ts";
import { landBranch } from "../../src/git/land.ts";
import { openTree } from "../../src/git/phase-tree.ts";
import { type Trees, makeTrees, restoreTree, takeTree } from "../../src/git/snapshot.ts";
import { makeWorkspace } from "../../src/git/workspace.ts";
import { full, limit } from "../crash/programs.ts";
import { arm, bundled, disarm, runWorker } from "./killing-git.ts";
import { type Bench, bench, put, treeOf } from "./project.ts";

const size = full ? 300 : 90;
let b: Bench;
let program = "";
let head = "";
beforeAll(async () => {
  b = bench();
  symlinkSync(resolve(import.meta.dirname, "../../node_modules"), join(b.folder, "node_modules"));
  program = await bundled(b.folder, "tree-worker");
  const files = Object.fromEntries(
    Array.from({ length: size }, (_, n) => [`d${n % 10}/한글 ${n}.txt`, `file ${n}\n`.repeat(n)]),
  );
  head = b.commit(files);
});
afterAll(() => b.remove());

const ways = ["before", "after", "during"] as const;

/** Runs the worker with a git that kills; was it killed? */
function run(...words: string[]): boolean {
  const { killed, failed } = runWorker(b.folder, program, [
    join(b.folder, "home"),
    b.root,
    ...words,
  ]);
  if (!killed && failed !== "") throw new Error(failed);
  return killed;
}

/** Kills at each step until the work is done before it comes to it. Gives the number of kills. */
async function atEachStep(words: () => string[], check: () => Promise<void>): Promise<number> {
  let kills = 0;
  // Reduced, each step in one of the ways, each way in turn.
  for (let step = 1; ; step++) {
    let killed = false;
    for (const way of full ? ways : [ways[step % ways.length] ?? "during"]) {
      arm(b.folder, step, way);
      if (run(...words())) {
        killed = true;
        kills += 1;
        // Again on what the first left: it may come to fewer or more steps by now.
        arm(b.folder, step, way);
        run(...words());
      }
      await check();
    }
    if (!killed) return kills;
  }
}

const trees = (): Trees => b.places.trees;
const tag = (): string => `tree:${b.places.trees.repository}`;

describe("S1.20 killed at every step", limit, () => {
  test("a workspace is made anew, whole", async () => {
    const kills = await atEachStep(makeIt, async () => {
      const start = { kind: "git", head, branch: "main" } as const;
      const { folder } = await makeWorkspace(b.places, b.root, start);
      expect(treeOf(folder)).toEqual(treeOf(b.root));
      expect(b.git(["status", "--porcelain"], folder)).toBe("");
      rmSync(join(b.folder, "home"), { recursive: true });
    });
    expect(kills).toBeGreaterThan(full ? 8 : 3);
  });

  test("a snapshot holds what is there", async () => {
    await b.workspace();
    // What an undisturbed repository says of the same tree.
    const other = { repository: join(b.folder, "other.git"), workTree: b.places.workspace };
    await makeTrees(other, null);
    let seq = 0;
    const words = (): string[] => {
      change(++seq);
      return ["take", String(seq)];
    };
    const kills = await atEachStep(words, async () => {
      const again = await takeTree({ trees: trees(), seq: ++seq, at: 0 });
      const undisturbed = await takeTree({ trees: other, seq, at: 0 });
      expect(again.tree).toBe(undisturbed.tree);
      expect(leftovers(tag())).toEqual([]);
    });
    expect(kills).toBeGreaterThan(full ? 8 : 1);
  });

  test("a restored tree is the snapshot's, and what was before it can come back", async () => {
    rmSync(join(b.folder, "home"), { recursive: true, force: true });
    await b.workspace();
    const wanted = treeOf(b.places.workspace);
    const { commit } = await takeTree({ trees: trees(), seq: 0, at: 0 });
    let seq = 0;
    let before = wanted;
    const words = (): string[] => {
      // The second try is the same call: its snapshot of how it was is there already.
      if (!repeated()) {
        change(++seq);
        before = treeOf(b.places.workspace);
      }
      return ["restore", commit, String(seq)];
    };
    let tries = 0;
    const repeated = (): boolean => tries++ % 2 === 1;
    const kills = await atEachStep(words, async () => {
      tries = 0;
      const restored = await restoreTree(commit, { trees: trees(), seq, at: 0 });
      expect(treeOf(b.places.workspace)).toEqual(wanted);
      expect(leftovers(tag())).toEqual([]);
      await restoreTree(restored.before.commit, { trees: trees(), seq: ++seq, at: 0 });
      expect(treeOf(b.places.workspace)).toEqual(before);
    });
    expect(kills).toBeGreaterThan(full ? 40 : 3);
  });

  test("a branch that landed is closed: neither its name nor a folder of it stays", async () => {
    // The few that write, each of them: after one alone the branch is known as closed.
    const writing = '*" update-ref "*|*" worktree "*';
    let step = 0;
    for (let killed = true; killed;) {
      const name = await merged(++step);
      arm(b.folder, step, "after", writing);
      killed = run("close", name);
      // As a person resumes: nobody is killed any more.
      disarm(b.folder);
      run("close", name);
      const refs = b.git(["for-each-ref", "--format=%(refname)", `refs/heads/${name}`]);
      const left = { refs, folder: existsSync(join(b.root, "worktree")) };
      expect({ step, ...left }).toEqual({ step, refs: "", folder: false });
    }
    // All of them, and one time without a kill.
    expect(step).toBe(4);
  });
});

test("S5.2 on a full disk it is said to be full, nothing is lost, no litter, and it goes on", async ({
  skip,
}) => {
  const filling = await bundled(b.folder, "tree-full");
  const disk = join(b.folder, "disk");
  mkdirSync(disk);
  const script = `mount -t tmpfs -o size=1m tmpfs "$0" && exec "$1" "$2" "$0"`;
  const hows = process.getuid?.() === 0 ? ["-m", "-Urm"] : ["-Urm"];
  const runs = hows.map((how) =>
    spawnSync("unshare", [how, "sh", "-c", script, disk, process.execPath, filling], {
      encoding: "utf8",
    }),
  );
  const ran = runs.find(({ stdout }) => typeof stdout === "string" && stdout !== "");
  skip(ran === undefined, "a full disk: none can be mounted");
  expect(ran?.stdout.trim().split("\n")).toEqual([
    "disk.full",
    "whole true",
    "disk.full",
    "there a.txt large.bin",
    "litter ",
    "files 2",
  ]);
});

/** A branch with a commit of its own and a tree, merged and not closed. */
async function merged(step: number): Promise<string> {
  const branch = { root: b.root, run: "task_1", name: `phase-${step}` };
  await openBranch(branch);
  const base = b.git(["rev-parse", "HEAD"]);
  const commit = b.git(["commit-tree", "HEAD^{tree}", "-p", base, "-m", branch.name]);
  await mergeUnit(branch, { commit, base, subject: branch.name, key: branch.name, at: 0 });
  await openTree(branch);
  const landing = { message: `merge ${branch.name}`, at: 0, tested: null };
  expect(await landBranch(branch, landing)).toMatchObject({ kind: "merged" });
  return branch.name;
}

function makeIt(): string[] {
  rmSync(b.places.ready, { force: true });
  return ["make", head];
}

const at = (path: string): string => join(b.places.workspace, path);

/** Some of each: changed, removed, added, another kind. */
function change(seq: number): void {
  // This one is by turns a file, a folder and a link.
  rmSync(at("d9/한글 9.txt"), { recursive: true, force: true });
  for (let n = 0; n < size; n += 3)
    put(at(`d${n % 10}/한글 ${n}.txt`), `changed ${seq}\n`.repeat(n + 1));
  for (let n = 1; n < size; n += 7) rmSync(at(`d${n % 10}/한글 ${n}.txt`), { force: true });
  for (let n = 0; n < 20; n++)
    put(at(`new ${seq}/${n}`), readFileSync(program).subarray(0, n * 100));
  if (seq % 3 === 0) return;
  rmSync(at("d9/한글 9.txt"));
  if (seq % 3 === 1) put(at("d9/한글 9.txt/inside"), "a folder now");
  else symlinkSync("nowhere", at("d9/한글 9.txt"));
}
