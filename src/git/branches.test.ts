import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fired } from "../../test/engine/planted.ts";
import { type Bench, bench, put } from "../../test/engine/project.ts";
import { mergeUnit, openBranch } from "./branches.ts";
import { evidenceOf } from "./evidence.ts";
import { closeBranch, landBranch } from "./land.ts";
import { openTree } from "./phase-tree.ts";

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.remove());

test("threat 4: a filter that comes with a tracked configuration runs in no later command", async () => {
  b.commit({ ".gitattributes": "*.late filter=late\n", "a.late": "1\n" });
  b.git(["config", "include.path", "../.gitconfig"]);
  const branch = { root: b.root, run: "task_1", name: "phase-1" };
  // What is known of the project was asked for before the configuration came.
  await openBranch(branch);
  const canary = join(b.folder, "canary");
  mkdirSync(canary);
  put(join(b.folder, "trap"), `#!/bin/sh\n: > '${canary}/smudge'\ncat\n`, 0o755);
  writeFileSync(
    join(b.root, ".gitconfig"),
    `[filter "late"]\n\tsmudge = "${join(b.folder, "trap")}"\n`,
  );
  await openTree(branch);
  expect(fired(canary)).toEqual([]);
  // The trap is real.
  b.git(["worktree", "add", "-q", join(b.folder, "plain"), "-b", "plain"]);
  expect(fired(canary)).toEqual(["smudge"]);
});

test("S2.6 a worktree whose removal was killed half-way is removed with its branch", async () => {
  const base = b.commit({ "a.txt": "a\n" });
  const branch = { root: b.root, run: "task_1", name: "phase-1" };
  const commit = b.git(["commit-tree", `${base}^{tree}`, "-p", base, "-m", "b"]);
  await mergeUnit(branch, { commit, base, subject: "b", key: "T1.1-1", at: 0 });
  await openTree(branch);
  const landing = { message: "merge", at: 0, tested: null };
  expect(await landBranch(branch, landing)).toMatchObject({ kind: "merged" });
  rmSync(join(b.root, "worktree/phase-1/.git"));
  await closeBranch(branch);
  expect(b.git(["worktree", "list"]).split("\n")).toHaveLength(1);
  expect(b.git(["branch", "--list", "phase-1"])).toBe("");
  expect(existsSync(join(b.root, "worktree"))).toBe(false);
});

test("S2.6 of many units those that landed are held by their phase alone, what was not merged keeps its name, and a repetition finds it", async () => {
  const base = b.commit({ "a.txt": "a\n" });
  const branch = { root: b.root, run: "task_1", name: "phase-1" };
  const made = b.commit({ "b.txt": "b\n" });
  b.git(["reset", "-q", "--hard", base]);
  const unit = (key: string, commit: string) => ({ commit, base, subject: key, key, at: 0 });
  const names = () =>
    b.git(["for-each-ref", "--format=%(refname:lstrip=3)", "refs/holdfast/task_1/"]);
  for (const key of ["T1.1-1", "T1.2-1"])
    b.git(["update-ref", `refs/holdfast/task_1/unit/${key}`, key === "T1.2-1" ? base : made]);
  const lost = Array.from({ length: 200 }, (_, n) => `unit/T2.${n}-1`);
  for (const name of lost) b.git(["update-ref", `refs/holdfast/task_1/${name}`, made]);
  expect(await mergeUnit(branch, unit("T1.1-1", made))).toMatchObject({ kind: "merged" });
  // It changed nothing, so that no commit names it.
  expect(await mergeUnit(branch, unit("T1.2-1", base))).toMatchObject({ kind: "merged" });
  await landBranch(branch, { message: "merge", at: 0, tested: null });
  const landed = b.git(["rev-parse", "main"]);
  // Twice: also who was killed before its answer was there asks again.
  for (let time = 1; time <= 2; time++) {
    await closeBranch(branch);
    const kept = names()
      .split("\n")
      .filter((name) => /^(?:unit|merged)/.test(name));
    expect(kept.filter((name) => !lost.includes(name))).toEqual(["merged/T1.2-1", "unit/T1.2-1"]);
    expect(kept).toHaveLength(lost.length + 2);
    expect(await mergeUnit(branch, unit("T1.1-1", made))).toMatchObject({ kind: "merged" });
  }
  expect(b.git(["rev-parse", "main"])).toBe(landed);
  const { there } = (await evidenceOf({ root: b.root, run: "task_1" })) ?? {};
  expect([...(there ?? [])].toSorted()).toEqual(["T1.1-1", "T1.2-1"]);
});
