// A process that works on a tree, for tests that kill it: `tree-worker.mjs <home> <root> <what> …`.
//
//   make <head>             makes the workspace
//   take <seq>              takes a snapshot
//   restore <commit> <seq>  restores one, after taking <seq>
//   close <branch>          closes one that was merged, unless that was done
//
// Prints `done` when it is acknowledged.
import { writeSync } from "node:fs";
import type { Branch } from "../../src/git/branches.ts";
import { closeBranch, landedBefore } from "../../src/git/land.ts";
import { restoreTree, takeTree } from "../../src/git/snapshot.ts";
import { makeWorkspace, taskPlaces } from "../../src/git/workspace.ts";

const [home = "", root = "", what = "", first = "", second = ""] = process.argv.slice(2);
const places = taskPlaces(home, "task_1");
const { trees } = places;

if (what === "make")
  await makeWorkspace(places, root, { kind: "git", head: first, branch: "main" });
else if (what === "take") await takeTree({ trees, seq: Number(first), at: 0 });
else if (what === "close") await close({ root, run: "task_1", name: first });
else await restoreTree(first, { trees, seq: Number(second), at: 0 });
writeSync(1, "done\n");

async function close(branch: Branch): Promise<void> {
  if ((await landedBefore(branch)) !== undefined) await closeBranch(branch);
}
