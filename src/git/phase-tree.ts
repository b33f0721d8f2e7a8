// The tree of a phase's branch, where its commands run (S2.6).
import {
  type Left,
  ignoreTrees,
  inTree,
  isTreeOf,
  keepLeft,
  makeTree,
  pointTree,
  removeLocks,
  tagOf,
  treeOf,
} from "./_worktree.ts";
import { type Branch, openBranch, settled } from "./branches.ts";
import { type GitPlace, gitDied } from "./git.ts";
import type { Held } from "./held.ts";
import { knownPlace } from "./project.ts";
import { headOf, readRefs, refOf } from "./refs.ts";

export { isSetUp, markSetUp } from "./_worktree-setup.ts";

/** The branch's files to run commands in: as they are committed, whatever a killed process left. */
export async function openTree(
  branch: Branch,
): Promise<{ readonly folder: string; readonly commit: string } | Held> {
  const { root, name } = branch;
  const opened = await openBranch(branch);
  if ("kind" in opened) return opened;
  if (name === null) return { folder: root, commit: opened.commit };
  const project = await knownPlace(root);
  const tip = await settled(branch, name, project);
  if (typeof tip !== "string") return tip;
  const folder = treeOf(root, name);
  await ignoreTrees(project);
  const isThere = await isTreeOf(folder, name);
  if (!isThere) await makeTree(project, folder, tip);
  const tree = await inTree(project, folder);
  if (isThere) await keepWhatIsLeft(branch, name, tree, "changed");
  const head = (await readRefs(project, [headOf(name)])).get(headOf(name));
  // Somebody else may have it checked out: then ours stands on the commit alone.
  const isFree = head?.id === tip && (head.tree === null || head.tree === folder);
  await pointTree(tree, tip, isFree ? headOf(name) : null);
  return { folder, commit: tip };
}

/** Was a git of ours ended there by somebody else? Then its locks are ours to remove (`freeTree`). */
export function treeWasLeft({ root, name }: Pick<Branch, "root" | "name">): boolean {
  return name !== null && gitDied(tagOf(treeOf(root, name)));
}

/**
 * For whoever alone has the branch's tree now: the locks of git that nobody holds any more are removed, and
 * told. `wasLeft`: who had it before died in it. Else only those of before this boot are known to be
 * nobody's: any other may be a person's, who is at work there.
 */
export async function freeTree(
  { root, name }: Pick<Branch, "root" | "name">,
  wasLeft: boolean,
): Promise<string[]> {
  if (name === null) return [];
  const folder = treeOf(root, name);
  if (!(await isTreeOf(folder, name))) return [];
  return removeLocks(await inTree(await knownPlace(root), folder), wasLeft);
}

/** What somebody wrote there by hand is stored before it goes. */
export async function keepWhatIsLeft(
  branch: Branch,
  name: string,
  tree: GitPlace,
  which: Left,
): Promise<void> {
  const ref = refOf(branch.run, "left", name);
  if ((await keepLeft(tree, ref, which)) === undefined) return;
  await branch.tell?.({ trigger: "left_kept", branch: name, detail: ref });
}
