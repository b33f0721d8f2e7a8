// The user's own hooks, for what is about to land on their branch, where holdfast.yaml says `hooks: run` (S2.6).
//
// Commits are made from objects, so a hook gets a worktree of its own to look at, `worktree/.landing`: HEAD is the
// branch as it stands, index and files are what is to be committed. What it stages there is committed, as with git.
// The hook itself is the file in the user's own hooks folder, as it is before the landing: one that a landing
// brings, in a tracked folder of hooks, is not run by that landing, nor after it.
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { finishRemoval, ignoreTrees, inTree, isTreeOf, makeTree, treeOf } from "./_worktree.ts";
import { type GitPlace, git, gitLine, tryGit } from "./git.ts";
import { type Held, hookFailed } from "./held.ts";
import { isHook, ownHooks } from "./own-commands.ts";
import { gitFolder } from "./_folders.ts";
import type { StandingTarget } from "./target.ts";
import { branchOf } from "./refs.ts";

export interface Checked {
  readonly tree: string;
  readonly message: string;
}

/** What a `git commit` or a `git merge` would run before it. */
export async function beforeLanding(
  project: GitPlace,
  target: StandingTarget,
  how: "commit" | "merge",
  wanted: Checked,
): Promise<Checked | Held> {
  const first = how === "merge" ? "pre-merge-commit" : "pre-commit";
  const hooks = await ownHooks(project.cwd);
  if (![first, "commit-msg"].some((name) => isHook(join(hooks, name)))) return wanted;
  return inLandingTree(project, target.tip, wanted.tree, async (tree) => {
    const file = join(gitFolder(tree.cwd), how === "merge" ? "MERGE_MSG" : "COMMIT_EDITMSG");
    for (const [name, args] of [
      [first, []],
      ["commit-msg", [file]],
    ] as const) {
      if (!isHook(join(hooks, name))) continue;
      writeFileSync(file, wanted.message);
      const words = await runHook(tree, hooks, name, args);
      if (words !== undefined) return hookFailed(branchOf(target.ref), name, words);
    }
    const message = isHook(join(hooks, "commit-msg")) ? readFileSync(file, "utf8") : wanted.message;
    return { tree: await gitLine(["write-tree"], tree), message };
  });
}

/** What git would run afterwards; how it ends changes nothing. Only where the branch is checked out. */
export async function afterLanding(
  project: GitPlace,
  target: StandingTarget,
  how: "commit" | "merge",
  to: string,
): Promise<void> {
  if (target.tree === null || to === target.tip) return;
  const name = how === "merge" ? "post-merge" : "post-commit";
  const hooks = await ownHooks(project.cwd);
  if (!isHook(join(hooks, name))) return;
  const below = relative(target.tree, hooks);
  const args = [
    "--literal-pathspecs",
    "diff-tree",
    "-r",
    "--name-only",
    target.tip,
    to,
    "--",
    below,
  ];
  const isTracked = below !== "" && !below.startsWith("..");
  if (isTracked && (await gitLine(args, project)) !== "") return;
  const tree = { ...project, cwd: target.tree };
  await runHook(tree, hooks, name, how === "merge" ? ["0"] : []);
}

// --- internal ---

const mostSeconds = 1_200;
const treeName = ".landing";

async function inLandingTree<T>(
  project: GitPlace,
  commit: string,
  result: string,
  work: (tree: GitPlace) => Promise<T>,
): Promise<T> {
  const folder = treeOf(project.cwd, treeName);
  await ignoreTrees(project);
  await remove(project, folder);
  await makeTree(project, folder, commit);
  try {
    const tree = await inTree(project, folder);
    await git(["read-tree", "--reset", "-u", result], { ...tree, seconds: 3_600 });
    return await work(tree);
  } finally {
    await remove(project, folder);
  }
}

/** Also what a kill left of it. */
async function remove(project: GitPlace, folder: string): Promise<void> {
  if (await isTreeOf(folder, treeName))
    await git(["worktree", "remove", "--force", "--force", folder], project);
  else await finishRemoval(project, folder);
}

/** Undefined: it took it. A text: the last of what it said. */
async function runHook(
  tree: GitPlace,
  hooks: string,
  name: string,
  args: readonly string[],
): Promise<string | undefined> {
  const place = { ...tree, asUser: true, settings: [["core.hooksPath", hooks]] as const };
  const { code, stderr } = await tryGit(["hook", "run", name, "--", ...args], {
    ...place,
    seconds: mostSeconds,
  });
  return code === 0 ? undefined : stderr.trim() || `(${code})`;
}
