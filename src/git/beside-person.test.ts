// A run and a person in one repository (S2.6), as the parts of src/git meet: what holds whichever of them moves
// first. test/git-person plays the same with the whole program.
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Bench, bench } from "../../test/engine/project.ts";
import { mergeUnit, openBranch } from "./branches.ts";
import { refusedFiles } from "./claim.ts";
import { closeBranch, landBranch } from "./land.ts";
import { moveTarget } from "./move-target.ts";
import { moveRefs } from "./refs.ts";
import { takeTree } from "./snapshot.ts";
import { lookAtTarget } from "./target.ts";
import { bringUnit } from "./unit.ts";

let b: Bench;
let base = "";
beforeEach(() => {
  b = bench();
  base = b.commit({ "a.txt": "a\n" });
  run = { root: b.root, run: "task_1" };
  phase = { ...run, name: "phase-1" };
});
afterEach(() => b.remove());

let run = { root: "", run: "" };
let phase = { ...run, name: "" };
const landing = { message: "merge", at: 0, tested: null };

/** A unit that writes a file with its name, merged into the phase. */
async function merged(unit: string): Promise<void> {
  const blob = b.git(["hash-object", "-w", "a.txt"]);
  b.git(["update-index", "--add", "--cacheinfo", `100644,${blob},${unit}.txt`]);
  const tree = b.git(["write-tree"]);
  b.git(["update-index", "--force-remove", `${unit}.txt`]);
  const commit = b.git(["commit-tree", tree, "-p", base, "-m", unit]);
  const how = { commit, base, subject: unit, key: `${unit}-1`, at: 0 };
  expect(await mergeUnit(phase, how)).toMatchObject({ kind: "merged" });
}

const filesOf = (name: string): string => b.git(["ls-tree", "--name-only", name]);

test("S2.6 a phase lands on the recorded target, whatever is checked out by then", async () => {
  await openBranch(phase);
  await merged("T1.1");
  b.git(["checkout", "-q", "-b", "other"]);
  expect(await landBranch(phase, landing)).toMatchObject({ kind: "merged" });
  expect([filesOf("main"), filesOf("other")]).toEqual(["T1.1.txt\na.txt", "a.txt"]);
});

test("S2.6 a phase's branch that was deleted is made again with everything it had", async () => {
  await merged("T1.1");
  b.git(["branch", "-D", "phase-1"]);
  await merged("T1.2");
  expect(filesOf("phase-1")).toBe("T1.1.txt\nT1.2.txt\na.txt");
});

test("S2.6 what a unit made has a name from when it is handed in", async () => {
  await b.workspace();
  b.write("made.txt", "made\n");
  const snapshot = await takeTree({ trees: b.places.trees, seq: 1, at: 0 });
  const unit = { key: "T1.1-1", snapshot, base, subject: "T1.1", at: 0 };
  const { commit } = await bringUnit(b.places, run, unit);
  b.git(["gc", "-q", "--prune=now"]);
  expect(b.git(["for-each-ref", "--format=%(objectname)", "refs/holdfast/task_1/unit/"])).toBe(
    commit,
  );
  expect(b.git(["show", `${commit}:made.txt`])).toBe("made");
});

test("S2.6 a file that would be left out is named, and refuses the claim", async () => {
  await b.workspace();
  b.write("small.txt", "small\n");
  b.write("large.bin", "");
  truncateSync(join(b.places.workspace, "large.bin"), 51 * 1024 * 1024);
  b.write("secret.txt", "s3cret-value\n");
  const secrets = ["s3cret-value"];
  const taken = await takeTree({ trees: b.places.trees, seq: 1, at: 0, secrets });
  expect(await refusedFiles(b.places.trees, b.root, taken)).toEqual([
    { path: "large.bin", why: "large" },
    { path: "secret.txt", why: "secret" },
  ]);
});

test("S2.6 a branch that a person has checked out stays when its phase has landed", async () => {
  await merged("T1.1");
  b.git(["checkout", "-q", "phase-1"]);
  expect(await landBranch(phase, landing)).toMatchObject({ kind: "merged" });
  await closeBranch(phase);
  expect(b.git(["symbolic-ref", "HEAD"])).toBe("refs/heads/phase-1");
  expect(filesOf("HEAD")).toBe("T1.1.txt\na.txt");
});

test("S2.6 a reference moves only from where it was seen: the target and the copy", async () => {
  await merged("T1.1");
  const target = await lookAtTarget(run);
  if ("kind" in target) throw new Error(target.key);
  const to = b.git(["rev-parse", "phase-1"]);
  const theirs = b.commit({ "theirs.txt": "theirs\n" });
  expect(await moveTarget({ root: b.root, target, to, marks: [] })).toEqual(expect.any(String));
  expect(b.git(["rev-parse", "main"])).toBe(theirs);
  b.git(["branch", "-f", "phase-1", theirs]);
  const move = { name: "refs/heads/phase-1", from: to, to: base };
  expect(await moveRefs({ cwd: b.root }, [move])).toEqual(expect.any(String));
  expect(b.git(["rev-parse", "phase-1"])).toBe(theirs);
});
