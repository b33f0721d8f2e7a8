// The branches of a run in the project's own repository (S2.6), and the one way work gets onto them.
//
//   <root>/worktree/<name>      a worktree of the branch; we alone work there
//   refs/holdfast/units/<id>    what one agent made, as one commit on where its branch stood
//   refs/holdfast/landed/<name> where a branch stood that was merged and removed
//   refs/holdfast/left/<name>   what lay in its worktree and belonged to no commit
//
// Nothing is merged in a working tree: `merge-tree` makes the result from objects, so that a conflict
// is known before anything has changed. A branch then moves only from where we saw it. Each step may
// be repeated: what was merged under a key is found again by it.
import { rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { knownPlace, withoutFilters } from "./project.ts";
import { mergeTrees } from "./_merge.ts";
import {
  ignoreTrees,
  inTree,
  isTreeOf,
  keepLeft,
  makeTree,
  removeLocks,
  tagOf,
} from "./_worktree.ts";
import { type GitPlace, git, gitDied, gitLine, tryGit } from "./git.ts";

export { isSetUp, markSetUp } from "./_worktree-setup.ts";
export { bringUnit, dropClaims, dropUnit, fetchUnit, unitRef, wantedFiles } from "./unit.ts";

/** The project's repository, and which branch of it: null is the one that is checked out. */
export interface Branch {
  readonly root: string;
  readonly name: string | null;
}

/** Where it stands; a new one begins where the checked-out one stands. */
export async function openBranch({ root, name }: Branch): Promise<{ commit: string }> {
  const project = await knownPlace(root);
  if (name === null) return { commit: await tipOf("HEAD", project) };
  const ref = requireRef(name);
  const there = await tryGit(["rev-parse", "-q", "--verify", ref], project);
  if (there.code !== 0) {
    const head = await tipOf("HEAD", project);
    // Of another branch that had this name once.
    await tryGit(["update-ref", "-d", landedRef(name)], project);
    await git(["update-ref", ref, head, "0".repeat(head.length)], project);
  }
  return { commit: await tipOf(ref, project) };
}

/** The branch's files to run commands in: as they are committed, whatever a killed process left. */
export async function openTree({ root, name }: Branch): Promise<string> {
  if (name === null) return root;
  const project = await knownPlace(root);
  const folder = treeOf(root, name);
  await openBranch({ root, name });
  await ignoreTrees(project);
  if (!(await isTreeOf(folder, name))) await makeTree(project, folder, name);
  await git(["read-tree", "--reset", "-u", "HEAD"], await inTree(project, folder));
  return folder;
}

/** Was a git of ours ended there by somebody else? Then its locks are ours to remove (`freeTree`). */
export function treeWasLeft({ root, name }: Branch): boolean {
  return name !== null && gitDied(tagOf(treeOf(root, name)));
}

/**
 * For who alone has the branch's tree now: the locks of git that nobody holds any more are removed, and
 * told. `wasLeft`: who had it before died in it. Else only those of before this boot are known to be
 * nobody's: any other may be a person's, who is at work there.
 */
export async function freeTree({ root, name }: Branch, wasLeft: boolean): Promise<string[]> {
  const folder = treeOf(root, name ?? "");
  if (name === null || !(await isTreeOf(folder, name))) return [];
  return removeLocks(await inTree(await knownPlace(root), folder), wasLeft);
}

export type Merged =
  | { readonly kind: "merged"; readonly commit: string }
  | { readonly kind: "conflict"; readonly files: readonly string[]; readonly text: string }
  /** The checked-out tree has changes of somebody's in the way. */
  | { readonly kind: "project"; readonly text: string };

export interface UnitMerge {
  /** What the agent made, and where it began. */
  readonly commit: string;
  readonly base: string;
  /** The first line of the branch's new commit. */
  readonly subject: string;
  /** Found again by it: merged once, however often it is asked for. */
  readonly key: string;
  readonly at: number;
}

/** One agent's work becomes one commit on the branch. */
export async function mergeUnit(branch: Branch, unit: UnitMerge): Promise<Merged> {
  const project = { ...(await knownPlace(branch.root)), at: unit.at };
  for (let round = 1; ; round++) {
    const { commit: tip } = await openBranch(branch);
    const before = await mergedUnder(unit.key, tip, project);
    if (before !== undefined) return { kind: "merged", commit: before };
    if (unit.commit === unit.base) return { kind: "merged", commit: tip };
    const made = await mergeTrees(project, tip, unit.commit);
    if (!made.ok) return { kind: "conflict", files: made.files, text: made.text };
    const message = `${unit.subject}\n\n${trailer}: ${unit.key}\n`;
    const args = ["commit-tree", made.tree, "-p", tip];
    const commit = await gitLine(args, { ...project, input: message });
    const moved = await advance(branch, tip, commit, project);
    if (moved === true) return { kind: "merged", commit };
    if (moved !== "stale") return { kind: "project", text: moved };
    if (round === mostRounds) throw busy(branch);
  }
}

/** Is it on its branch, or in what that branch went into? Where nothing was made, nothing is missing. */
export async function isMerged(
  { root, name }: Branch,
  { commit, base, key }: Pick<UnitMerge, "commit" | "base" | "key">,
): Promise<boolean> {
  if (commit === base) return true;
  const project = await knownPlace(root);
  for (const ref of [...(name === null ? [] : [requireRef(name)]), "HEAD"]) {
    const tip = await tryGit(["rev-parse", "-q", "--verify", `${ref}^{commit}`], project);
    if (tip.code !== 0) continue;
    const merged = await mergedUnder(key, tip.stdout.toString("utf8").trim(), project);
    if (merged !== undefined) return true;
  }
  return false;
}

/** The merge of a branch that was landed and closed; undefined: it is still to be. */
export async function landedBefore({ root, name }: Branch): Promise<string | undefined> {
  if (name === null) return undefined;
  const project = await knownPlace(root);
  const there = await tryGit(["rev-parse", "-q", "--verify", requireRef(name)], project);
  const landed = await tryGit(["rev-parse", "-q", "--verify", landedRef(name)], project);
  if (there.code === 0 || landed.code !== 0) return undefined;
  return mergeOf(landed.stdout.toString("utf8").trim(), project);
}

/** The branch, merged into the checked-out one with a commit of its own (`--no-ff`). */
export async function landBranch(branch: Branch, message: string, at: number): Promise<Merged> {
  const { root, name } = branch;
  const project = { ...(await knownPlace(root)), at };
  if (name === null) return { kind: "merged", commit: await tipOf("HEAD", project) };
  for (let round = 1; ; round++) {
    const { commit: tip } = await openBranch(branch);
    const head = await tipOf("HEAD", project);
    if (await isIn(tip, head, project))
      return { kind: "merged", commit: await mergeOf(tip, project) };
    const made = await mergeTrees(project, head, tip);
    if (!made.ok) return { kind: "conflict", files: made.files, text: made.text };
    const args = ["commit-tree", made.tree, "-p", head, "-p", tip];
    const commit = await gitLine(args, { ...project, input: `${message}\n` });
    const moved = await advance({ root, name: null }, head, commit, project);
    if (moved === true) return { kind: "merged", commit };
    if (moved !== "stale") return { kind: "project", text: moved };
    if (round === mostRounds) throw busy(branch);
  }
}

/** After it was merged: its worktree and its name go, its commits stay under names of ours. */
export async function closeBranch({ root, name }: Branch): Promise<void> {
  if (name === null) return;
  const project = await knownPlace(root);
  const ref = requireRef(name);
  const folder = treeOf(root, name);
  const there = await tryGit(["rev-parse", "-q", "--verify", ref], project);
  if (there.code === 0) {
    const tip = there.stdout.toString("utf8").trim();
    await git(["update-ref", landedRef(name), tip], project);
    if (await isTreeOf(folder, name)) await keepLeft(await inTree(project, folder), name, tip);
  }
  if (await isTreeOf(folder, name)) {
    await tryGit(["worktree", "unlock", folder], project);
    await git(["worktree", "remove", "--force", folder], project);
  }
  try {
    rmdirSync(dirname(folder));
  } catch {
    // Another branch's tree is there still.
  }
  // Its name last: without it nobody comes again (`landedBefore`).
  if (there.code === 0) await git(["update-ref", "-d", ref], project);
}

export function treeOf(root: string, name: string): string {
  return join(root, "worktree", name);
}

// --- internal ---

const trailer = "Holdfast-Unit";
const mostRounds = 10;

function requireRef(name: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,100}$/u.test(name) && !/\.\.|\.lock$|\.$/.test(name))
    return `refs/heads/${name}`;
  throw new Fault("invalid_input", msg("branch.bad_name", { name: name.slice(0, 80) }));
}

function landedRef(name: string): string {
  return `refs/holdfast/landed/${name}`;
}

function tipOf(ref: string, place: GitPlace): Promise<string> {
  return gitLine(["rev-parse", "--verify", `${ref}^{commit}`], place);
}

async function isIn(commit: string, head: string, place: GitPlace): Promise<boolean> {
  return (await tryGit(["merge-base", "--is-ancestor", commit, head], place)).code === 0;
}

/** The commit that brought it in; where it came without one, the newest there is. */
async function mergeOf(commit: string, place: GitPlace): Promise<string> {
  const args = ["rev-list", "--merges", "--ancestry-path", `${commit}..HEAD`];
  const merges = (await gitLine(args, place)).split("\n").filter((line) => line !== "");
  return merges.at(-1) ?? (await tipOf("HEAD", place));
}

async function mergedUnder(key: string, tip: string, place: GitPlace): Promise<string | undefined> {
  const format = `--format=%H %(trailers:key=${trailer},valueonly,separator=%x2C)`;
  const args = ["log", format, `--grep=${trailer}: ${key}`, "--fixed-strings", "-n", "20", tip];
  const lines = (await gitLine(args, place)).split("\n");
  return lines.find((line) => line.slice(line.indexOf(" ") + 1) === key)?.split(" ")[0];
}

/** `stale`: it is not where we saw it; another text: what stands in the way. */
async function advance(
  { root, name }: Branch,
  from: string,
  to: string,
  project: GitPlace,
): Promise<true | string> {
  if (name === null) {
    const merge = await tryGit(["merge", "--ff-only", "-q", to], await withoutFilters(project));
    if (merge.code === 0) return true;
    return (await tipOf("HEAD", project)) === from ? merge.stderr.trim() : "stale";
  }
  const moved = await tryGit(["update-ref", requireRef(name), to, from], project);
  if (moved.code !== 0)
    return (await openBranch({ root, name })).commit === from ? moved.stderr.trim() : "stale";
  return true;
}

function busy({ root, name }: Branch): Fault {
  return new Fault("locked", msg("branch.busy", { root, name: name ?? "HEAD" }));
}
