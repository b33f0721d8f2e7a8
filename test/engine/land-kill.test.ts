// A unit is merged, its phase tested and landed, with a kill at each call of git: of who called it, of both,
// and of git alone. Done again it ends as if nobody had been killed; nothing of the user's has changed but
// what landed, and no lock is left that would disable their own git (S2.6).
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { full, limit } from "../crash/programs.ts";
import { figure } from "../figures.ts";
import { type Way, arm, bundled, cameTo, disarm, runWorker } from "./killing-git.ts";
import { type Bench, bench, put } from "./project.ts";

const ways: readonly Way[] = ["before", "after", "during", "alone"];
let b: Bench;
let program = "";
beforeEach(async () => {
  b = bench();
  symlinkSync(resolve(import.meta.dirname, "../../node_modules"), join(b.folder, "node_modules"));
  program = await bundled(b.folder, "tree-worker");
  b.commit({ "a.txt": "a\n", "mine.txt": "mine\n", "한글.txt": "1\n" });
  put(join(b.root, "mine.txt"), "changed by its owner\n");
});
afterEach(() => b.remove());

test.each([
  ["a phase", "land"],
  ["a unit without a branch", "onto"],
] as const)("S2.6 killed at each call of git, %s lands once and whole", limit, (_, what) => {
  let [kills, step, round] = [0, 1, 0];
  for (let reached = true; reached; step++) {
    reached = false;
    for (const way of full ? ways : [ways[step % ways.length] ?? "alone"]) {
      const name = `p${(round += 1)}`;
      const words = [what, name, ...unit(name)];
      const all = [join(b.folder, "home"), b.root, ...words];
      arm(b.folder, step, way);
      const first = runWorker(b.folder, program, all);
      if (cameTo(b.folder, step)) [reached, kills] = [true, kills + 1];
      disarm(b.folder);
      const hit = first.killed || first.failed !== "";
      const again = hit ? runWorker(b.folder, program, all) : first;
      const found = { step, way, ...again, ...standing(name) };
      expect(found).toEqual({ step, way, killed: false, failed: "", ...wanted });
    }
  }
  figure(`kills while landing (${what})`, { seen: kills, lost: 0 });
  expect(kills).toBeGreaterThan(full ? 25 : 3);
});

/** What an agent made: a new file, on where the target stands. */
function unit(name: string): [commit: string, base: string] {
  const base = b.git(["rev-parse", "main"]);
  const blob = b.git(["hash-object", "-w", "a.txt"]);
  const others = b.git(["ls-tree", "-z", base]);
  const input = `${others}100644 blob ${blob}\t${name}.txt\0`;
  const tree = execFileSync("git", ["mktree", "-z"], {
    cwd: b.root,
    input,
    encoding: "utf8",
  }).trim();
  return [b.git(["commit-tree", tree, "-p", base, "-m", name]), base];
}

const wanted = {
  there: true,
  once: 1,
  status: "M mine.txt",
  mine: "changed by its owner\n",
  head: "refs/heads/main",
  branches: "refs/heads/main",
  worktrees: 1,
  locks: [],
};

function standing(name: string) {
  const subjects = b.git(["log", "--format=%s", "--no-merges", "main"]).split("\n");
  return {
    there: b.git(["ls-tree", "--name-only", "main"]).split("\n").includes(`${name}.txt`),
    once: subjects.filter((subject) => subject === name).length,
    status: b.git(["status", "--porcelain"]).trim(),
    mine: readFileSync(join(b.root, "mine.txt"), "utf8"),
    head: b.git(["symbolic-ref", "HEAD"]),
    branches: b.git(["for-each-ref", "--format=%(refname)", "refs/heads/"]),
    worktrees: b.git(["worktree", "list"]).split("\n").length,
    locks: readdirSync(join(b.root, ".git"), { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".lock"),
    ),
  };
}
