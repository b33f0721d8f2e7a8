// A branch that is done and tested goes onto the target (S2.6), with a commit of its own, and is closed.
import { rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { committing, tellLanded } from "./_commit.ts";
import { needlessNames, unitNames } from "./_unit-names.ts";
import { moveTarget } from "./move-target.ts";
import { finishRemoval, inTree, isTreeOf, treeOf } from "./_worktree.ts";
import { type Branch, alone, isInUse, mostRounds, namesOf, settled, stuck } from "./branches.ts";
import { type Merged, landingOf } from "./commits.ts";
import { type GitPlace, git, gitLine, tryGit } from "./git.ts";
import type { Held } from "./held.ts";
import { keepWhatIsLeft } from "./phase-tree.ts";
import { knownPlace } from "./project.ts";
import { type Refs, branchOf, headOf, moveRefs, readRefs, refOf } from "./refs.ts";
import { type StandingTarget, isIn, lookAtTarget, readRun } from "./target.ts";

export interface Landing {
  readonly message: string;
  readonly at: number;
  /** A look of a moment ago. */
  readonly seen?: Refs;
  /** What was tested: if the branch stands elsewhere by now, that has to be tested first. Null: nothing has to be. */
  readonly tested: string | null;
}

/** The branch, merged into the target with a commit of its own (`--no-ff`). */
export function landBranch(
  branch: Branch,
  landing: Landing,
): Promise<Merged | Held | { readonly kind: "moved" }> {
  return alone(branch, () => landOnTarget(branch, landing));
}

/** The merge of a branch that has landed and been closed; undefined: it is still to be. */
export async function landedBefore(
  { root, run, name }: Branch,
  seen?: Refs,
): Promise<string | undefined> {
  if (name === null) return undefined;
  const [mark, ours] = [refOf(run, "landed", name), refOf(run, "branch", name)];
  const project = await knownPlace(root);
  const refs = seen ?? (await readRefs(project, [mark, ours]));
  const [landed, tip] = [refs.get(mark)?.id, refs.get(ours)?.id];
  if (landed === undefined || tip === undefined) return undefined;
  return (await isIn(tip, landed, project)) ? landed : undefined;
}

/** After it has landed: its worktree and its copy go, its commits stay under names of ours. */
export async function closeBranch(branch: Branch): Promise<void> {
  const { root, run, name } = branch;
  if (name === null) return;
  const project = await knownPlace(root);
  const folder = treeOf(root, name);
  if (await isTreeOf(folder, name)) {
    await keepWhatIsLeft(branch, name, await inTree(project, folder), "all");
    await tryGit(["worktree", "unlock", folder], project);
    await git(["worktree", "remove", "--force", folder], project);
  } else await finishRemoval(project, folder);
  try {
    rmdirSync(dirname(folder));
  } catch {
    // Another branch's tree is there still.
  }
  // A git that somebody killed has done nothing: it is looked again.
  for (let round = 1; round <= mostRounds; round++) {
    const refs = await readRefs(project, [...namesOf(branch, name), ...unitNames(run)]);
    const moves = await needlessNames(project, run, name, refs);
    const [shown, head] = [refs.get(refOf(run, "shown", name)), refs.get(headOf(name))];
    const isTheirs =
      head !== undefined && (shown?.id !== head.id || isInUse(project, headOf(name), head.tree));
    if (head !== undefined && !isTheirs)
      moves.push({ name: headOf(name), from: head.id, to: null });
    if ((await moveRefs(project, moves)) !== true) continue;
    // Moved or checked out by a person: it is theirs now.
    if (isTheirs)
      await branch.tell?.({ trigger: "not_removed", branch: name, detail: head.tree ?? "" });
    return;
  }
}

// --- internal ---

async function landOnTarget(
  branch: Branch,
  { message, at, tested, seen }: Landing,
): Promise<Merged | Held | { readonly kind: "moved" }> {
  const { root, run, name } = branch;
  const { project, hooks } = await committing(branch, at);
  for (let round = 1, look = seen; ; round++, look = undefined) {
    const refs = look ?? (await readRun(project, run));
    const target = await lookAtTarget(branch, refs);
    if ("kind" in target) return target;
    if (name === null) return { kind: "merged", commit: target.tip };
    const mark = refOf(run, "landed", name);
    const before = refs.get(mark)?.id ?? null;
    const tip = await settled(branch, name, project, refs);
    if (typeof tip !== "string") return tip;
    if (await isIn(tip, target.tip, project)) return alreadyIn(project, target, tip, mark, before);
    if (tested !== null && tip !== tested) return { kind: "moved" };
    const how = hooks ? ({ target, how: "merge" } as const) : undefined;
    const made = await landingOf(project, target.tip, tip, message, how);
    if (made.kind !== "merged") return made;
    const marks = [{ name: mark, from: before, to: made.commit }];
    const moved = await moveTarget({ root, target, to: made.commit, marks });
    if (moved === true) {
      await tellLanded(project, how, made.commit);
      return made;
    }
    if (typeof moved !== "string") return moved;
    if (round === mostRounds) return stuck(branch, branchOf(target.ref), moved);
  }
}

/** A person merged it, or there was nothing to merge: the commit that brought it in. */
async function alreadyIn(
  project: GitPlace,
  target: StandingTarget,
  tip: string,
  mark: string,
  before: string | null,
): Promise<Merged> {
  if (before !== null) return { kind: "merged", commit: before };
  const args = ["rev-list", "--merges", "--ancestry-path", `${tip}..${target.tip}`];
  const merges = (await gitLine(args, project)).split("\n").filter((line) => line !== "");
  const commit = merges.at(-1) ?? tip;
  await moveRefs(project, [{ name: mark, from: null, to: commit }]);
  return { kind: "merged", commit };
}
