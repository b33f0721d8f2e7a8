// A process that works on a tree, for tests that kill it: `tree-worker.mjs <home> <root> <what> …`.
//
//   make <head>             makes the workspace
//   take <seq>              takes a snapshot
//   restore <commit> <seq>  restores one, after taking <seq>
//   close <branch>          closes one that was merged, unless that was done
//   land <branch> <commit> <base>   merges a unit into the branch, lands and closes it
//   onto <key> <commit> <base>      merges a unit into the target
//
// Prints `done` when it is acknowledged.
import { writeSync } from "node:fs";
import { type Branch, mergeUnit } from "../../src/git/branches.ts";
import { closeBranch, landBranch, landedBefore } from "../../src/git/land.ts";
import { freeTree, openTree } from "../../src/git/phase-tree.ts";
import { restoreTree, takeTree } from "../../src/git/snapshot.ts";
import { makeWorkspace, taskPlaces } from "../../src/git/workspace.ts";

const [home = "", root = "", what = "", first = "", second = "", third = ""] =
  process.argv.slice(2);
const places = taskPlaces(home, "task_1");
const { trees } = places;

if (what === "make")
  await makeWorkspace(places, root, { kind: "git", head: first, branch: "main" });
else if (what === "take") await takeTree({ trees, seq: Number(first), at: 0 });
else if (what === "close") await close({ root, run: "task_1", name: first });
else if (what === "land") await land({ root, run: "task_1", name: first });
else if (what === "onto") await merge({ root, run: "task_1", name: null }, first);
else await restoreTree(first, { trees, seq: Number(second), at: 0 });
writeSync(1, "done\n");

async function close(branch: Branch): Promise<void> {
  if ((await landedBefore(branch)) !== undefined) await closeBranch(branch);
}

async function merge(branch: Branch, key: string): Promise<void> {
  const unit = { commit: second, base: third, subject: key, key, at: 0 };
  const merged = await mergeUnit(branch, unit);
  if (merged.kind !== "merged") throw new Error(JSON.stringify(merged));
}

async function land(branch: Branch): Promise<void> {
  // As who has the tree alone, after one that died in it.
  await freeTree(branch, true);
  if ((await landedBefore(branch)) === undefined) {
    await merge(branch, first);
    const tree = await openTree(branch);
    if ("kind" in tree) throw new Error(JSON.stringify(tree));
    const landing = { message: first, at: 0, tested: tree.commit };
    const landed = await landBranch(branch, landing);
    if (landed.kind !== "merged") throw new Error(JSON.stringify(landed));
  }
  await closeBranch(branch);
}
