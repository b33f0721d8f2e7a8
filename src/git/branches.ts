// The branches of a run in the project's own repository (S2.6), and the one way work gets onto them.
// What each reference means stands in refs.ts.
//
//   a unit's commit ─ mergeUnit ─▶ branch/<name> ─ show ─▶ refs/heads/<name>, for people to look at
//                                       ▲                         │
//                                       └── takeTheirs: what a person committed there ──┘
//
// Nothing is merged in a working tree: `merge-tree` makes the result from objects, so that a conflict
// is known before anything has changed. A reference moves only from where we saw it. Each step may be
// repeated: what was merged under a key is found again by it.
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { type Committer, committing, tellLanded } from "./_commit.ts";
import { claimRefs, goneRefs, handedBefore } from "./_handed.ts";
import { hasLanded, landedNames } from "./_unit-names.ts";
import { moveTarget } from "./move-target.ts";
import { followTree, inTree, treeOf } from "./_worktree.ts";
import { type Merged, type UnitMerge, commitOf, landingOf } from "./commits.ts";
import { type GitPlace, lockIn } from "./git.ts";
import { type GivenUp, branchGivenUp } from "./given-up.ts";
import { type Held, conflicting, inTheWay, rewritten } from "./held.ts";
import { knownPlace } from "./project.ts";
import { type RefMove, type Refs, branchOf, headOf, moveRefs, readRefs, refOf } from "./refs.ts";
import { commonFolder } from "./_folders.ts";
import {
  type RunRepository,
  type StandingTarget,
  headsAtWork,
  isIn,
  lookAtTarget,
  readRun,
} from "./target.ts";

/** A branch of a run; `name` null: the target itself, as phase 0 and plans work on it. */
export interface Branch extends RunRepository, Committer {
  readonly name: string | null;
  /** Lets one at a time land in a repository; without it the caller is the only one. */
  readonly alone?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Runs of the same plan that were given up, the newest first: this one goes on with what they had. */
  readonly givenUp?: () => Promise<readonly string[]>;
  /** Hears of what a person did, and of what follows from it. */
  readonly tell?: (news: BranchNews) => Promise<void>;
}

export interface BranchNews {
  /** theirs_merged · branch_remade · not_shown · not_ours · left_kept · taken_over: words of the journal. */
  readonly trigger: string;
  readonly branch: string;
  readonly detail: string;
}

export interface Opening {
  /** A look of a moment ago (`readRun`), and where the run lands by it. */
  readonly seen?: { readonly refs: Refs; readonly target: StandingTarget | null };
  /** A claim that begins there: the commit is held for it, whatever becomes of the branch. */
  readonly claim?: string;
}

/** Where it stands, to begin a unit there. A new one begins where the target stands. */
export async function openBranch(
  branch: Branch,
  { seen, claim }: Opening = {},
): Promise<{ readonly commit: string } | Held> {
  const { root, run, name } = branch;
  const project = await knownPlace(root);
  const began = claim === undefined ? [] : [refOf(run, "began", claim)];
  for (let round = 1, look = seen; ; round++, look = undefined) {
    const refs = look?.refs ?? (await readRun(project, run, began));
    const beginning = await beginningOf(branch, project, refs, look?.target ?? null);
    if ("kind" in beginning) return beginning;
    const { commit, moves, news } = beginning;
    const held = began
      .map((ref) => ({ name: ref, from: refs.get(ref)?.id ?? null, to: commit }))
      .filter(({ from, to }) => from !== to);
    const moved = await moveRefs(project, [...moves, ...held]);
    if (moved === true) {
      if (news !== undefined) await branch.tell?.(news);
      return { commit };
    }
    if (round === mostRounds) return stuck(branch, name ?? branchOf(began[0] ?? ""), moved);
  }
}

/** What can be said before it is opened, and would hold it; null: it is open. Nothing is changed to find out. */
export async function lookBefore(
  branch: Branch,
  seen: Refs,
): Promise<StandingTarget | Held | null> {
  const { run, name } = branch;
  const isOpen = name !== null && seen.has(refOf(run, "branch", name));
  return isOpen ? null : lookAtTarget(branch, seen);
}

interface BranchBeginning {
  readonly commit: string;
  /** None: it is open. */
  readonly moves: readonly RefMove[];
  readonly news?: BranchNews;
}

async function beginningOf(
  branch: Branch,
  project: GitPlace,
  refs: Refs,
  known: StandingTarget | null,
): Promise<BranchBeginning | Held> {
  const { run, name } = branch;
  const there = name === null ? undefined : refs.get(refOf(run, "branch", name));
  if (there !== undefined) return { commit: there.id, moves: [] };
  const target = known ?? (await lookAtTarget(branch, refs));
  if ("kind" in target) return target;
  const { tip } = target;
  if (name === null) return { commit: tip, moves: [] };
  const [ours, shown, head] = [refOf(run, "branch", name), refOf(run, "shown", name), headOf(name)];
  const left = await branchGivenUp(project, (await branch.givenUp?.()) ?? [], name);
  if (left !== undefined) {
    const news = { trigger: "taken_over", branch: name, detail: left.run };
    return { commit: left.commit, moves: takenOver(left, ours, shown), news };
  }
  // Also by one below it, `phase-1/old`: git has a name either as a branch or as a folder of them.
  const isTaken = [...refs.keys()].some((ref) => `${ref}/`.startsWith(`${head}/`));
  // A branch that somebody has already stays theirs: ours is then kept under our own names alone.
  const visible = isTaken ? [] : [shown, head];
  const moves = [ours, ...visible].map((ref) => ({ name: ref, from: null, to: tip }));
  if (!isTaken) return { commit: tip, moves };
  return { commit: tip, moves, news: { trigger: "not_ours", branch: name, detail: head } };
}

/** The branches that a run has opened: a phase keeps the name it began with, whatever its heading says later. */
export async function openedBranches({ root, run }: RunRepository): Promise<string[]> {
  const below = refOf(run, "branch", "");
  return branchesIn(await readRefs(await knownPlace(root), [below]), run);
}

/** Those in a look. */
export function branchesIn(refs: Refs, run: string): string[] {
  const below = refOf(run, "branch", "");
  return [...refs.keys()].flatMap((ref) =>
    ref.startsWith(below) ? [ref.slice(below.length)] : [],
  );
}

/** One agent's work becomes one commit on the branch. One at a time: who lost ten races in a row would give up. */
export function mergeUnit(branch: Branch, unit: UnitMerge): Promise<Merged | Held> {
  const { name } = branch;
  return alone(branch, () =>
    name === null ? mergeIntoTarget(branch, unit) : mergeIntoPhase(branch, name, unit),
  );
}

// --- internal ---

async function mergeIntoPhase(
  branch: Branch,
  name: string,
  unit: UnitMerge,
): Promise<Merged | Held> {
  const { run } = branch;
  const { project } = await committing(branch, unit.at);
  const [ours, mark] = [refOf(run, "branch", name), refOf(run, "merged", unit.key)];
  for (let round = 1; ; round++) {
    if (round > mostRounds) throw busy(branch, "stale");
    const refs = await readRefs(project, [
      ...namesOf(branch, name),
      mark,
      ...landedNames(run, name),
      ...claimRefs(run, unit),
      ...goneRefs(run),
    ]);
    if (!refs.has(ours)) {
      const opened = await openBranch(branch);
      if ("kind" in opened) return opened;
      continue;
    }
    const before = refs.get(mark)?.id ?? null;
    const tip = await takeTheirs(branch, name, project, refs);
    if (tip === undefined) continue;
    if (typeof tip !== "string") return tip;
    if (before !== null && (await isIn(before, tip, project))) {
      await show(branch, name, project);
      return { kind: "merged", commit: before };
    }
    if (before === null && (await hasLanded(project, run, name, { refs, tip, key: unit.key })))
      return { kind: "merged", commit: tip };
    const since = await handedBefore(project, { tip, refs, run, ...unit });
    const made = await commitOf(project, tip, unit, run, { since });
    if (made.kind !== "merged") return made;
    // The mark first: should only that be written, the next round finds it and moves the branch.
    const moves = [
      { name: mark, from: before, to: made.commit },
      ...(made.commit === tip ? [] : [{ name: ours, from: tip, to: made.commit }]),
    ];
    const copy = plainCopy(branch, name, project, refs, made.commit);
    if (copy !== undefined && (await moveRefs(project, [...moves, ...copy])) === true) return made;
    // Somebody has the copy, or had it for a moment: the work is merged whatever becomes of that.
    const moved = await moveRefs(project, moves);
    if (moved === true) {
      await show(branch, name, project);
      return made;
    }
    if (round === mostRounds) return stuck(branch, name, moved);
  }
}

export const mostRounds = 10;

/** What became of the copy that people see is found out as if this run had shown it. */
function takenOver(left: GivenUp, ours: string, shown: string): RefMove[] {
  const copy = left.shown === null ? [] : [{ name: shown, from: null, to: left.shown }];
  return [{ name: ours, from: null, to: left.commit }, ...copy];
}

export function namesOf({ run }: Branch, name: string): string[] {
  return [refOf(run, "branch", name), refOf(run, "shown", name), headOf(name)];
}

/** Where ours stands with what a person committed to the copy they see. */
export async function settled(
  branch: Branch,
  name: string,
  project: GitPlace,
  seen?: Refs,
): Promise<string | Held> {
  for (let round = 1, look = seen; ; round++, look = undefined) {
    const refs = look ?? (await readRefs(project, namesOf(branch, name)));
    const tip = await takeTheirs(branch, name, project, refs);
    if (tip !== undefined) {
      const isHeld = typeof tip !== "string";
      if (!isHeld && plainCopy(branch, name, project, refs, tip)?.length !== 0)
        await show(branch, name, project);
      return tip;
    }
    if (round === mostRounds) throw busy(branch, "stale");
  }
}

/**
 * Ours, with what somebody committed to the copy. A copy that was removed is made again by `show`; one
 * that was rewritten holds the run: only a person knows what they meant. Undefined: somebody moved it just now.
 */
async function takeTheirs(
  branch: Branch,
  name: string,
  project: GitPlace,
  refs: Refs,
): Promise<string | Held | undefined> {
  const { run } = branch;
  const [oursRef, shownRef, head] = [
    refOf(run, "branch", name),
    refOf(run, "shown", name),
    headOf(name),
  ];
  const ours = refs.get(oursRef)?.id;
  const shown = refs.get(shownRef)?.id;
  const theirs = refs.get(head)?.id;
  if (ours === undefined) return undefined;
  if (shown === undefined || theirs === undefined || theirs === shown) return ours;
  if (!(await isIn(shown, theirs, project))) return rewritten(name, theirs);
  const known: RefMove = { name: shownRef, from: shown, to: theirs };
  let tip = ours;
  const moves = [known];
  if (!(await isIn(theirs, ours, project))) {
    const made = await withTheirs(project, ours, theirs, name);
    if (made.kind === "held") return made;
    if (made.kind === "conflict") return conflicting(name, theirs, made.files);
    tip = made.commit;
    moves.unshift({ name: oursRef, from: ours, to: tip });
    await branch.tell?.({ trigger: "theirs_merged", branch: name, detail: theirs });
  }
  return (await moveRefs(project, moves)) === true ? tip : undefined;
}

async function withTheirs(
  project: GitPlace,
  ours: string,
  theirs: string,
  name: string,
): Promise<Merged | Held> {
  if (await isIn(ours, theirs, project)) return { kind: "merged", commit: theirs };
  return landingOf(project, ours, theirs, `Merge branch '${name}'`);
}

/**
 * What makes ours visible where the copy is as we left it and nobody has it checked out; undefined: that has to be
 * looked at (`show`).
 */
function plainCopy(
  branch: Branch,
  name: string,
  project: GitPlace,
  refs: Refs,
  to: string,
): RefMove[] | undefined {
  const [shown, head] = [refOf(branch.run, "shown", name), headOf(name)];
  const [last, row] = [refs.get(shown), refs.get(head)];
  if (last === undefined || row === undefined || row.tree !== null || row.id !== last.id)
    return undefined;
  if (isInUse(project, head, row.tree)) return undefined;
  const from = row.id;
  return from === to ? [] : [head, shown].map((ref) => ({ name: ref, from, to }));
}

/** Ours becomes visible, unless that would change what somebody has checked out or has moved. */
async function show(branch: Branch, name: string, project: GitPlace): Promise<void> {
  const { run } = branch;
  const refs = await readRefs(project, namesOf(branch, name));
  const [oursRef, shownRef, headRef] = [
    refOf(run, "branch", name),
    refOf(run, "shown", name),
    headOf(name),
  ];
  const ours = refs.get(oursRef)?.id;
  const shown = refs.get(shownRef)?.id;
  const head = refs.get(headRef);
  if (ours === undefined || shown === undefined || (shown === ours && head?.id === ours)) return;
  if (head !== undefined && head.id !== shown) return;
  if (head !== undefined && isInUse(project, headRef, head.tree, treeOf(branch.root, name))) {
    await branch.tell?.({ trigger: "not_shown", branch: name, detail: head.tree ?? "" });
    return;
  }
  if (head === undefined)
    await branch.tell?.({ trigger: "branch_remade", branch: name, detail: ours });
  // Lost against somebody else: the next look finds out what they did.
  const moved = await moveRefs(project, [
    { name: headRef, from: head?.id ?? null, to: ours },
    ...(shown === ours ? [] : [{ name: shownRef, from: shown, to: ours }]),
  ]);
  const own = treeOf(branch.root, name);
  if (moved === true && head?.tree === own) await followTree(await inTree(project, own), ours);
}

/** Checked out in a tree that is not ours, or about to be written by somebody's rebase. */
export function isInUse(
  project: GitPlace,
  ref: string,
  tree: string | null,
  own?: string,
): boolean {
  if (tree !== null && tree !== own) return true;
  return headsAtWork(commonFolder(project)).has(ref);
}

/** What has no branch of its own goes onto the target, each unit by itself. */
async function mergeIntoTarget(branch: Branch, unit: UnitMerge): Promise<Merged | Held> {
  const { root, run } = branch;
  const { project, hooks } = await committing(branch, unit.at);
  const names = [refOf(run, "merged", unit.key), refOf(run, "landed", unit.key)];
  for (let round = 1; ; round++) {
    const target = await lookAtTarget(branch);
    if ("kind" in target) return target;
    const refs = await readRefs(project, [...names, ...claimRefs(run, unit), ...goneRefs(run)]);
    const before = refs.get(names[0] ?? "")?.id;
    if (before !== undefined && (await isIn(before, target.tip, project)))
      return { kind: "merged", commit: before };
    const since = await handedBefore(project, { tip: target.tip, refs, run, ...unit });
    const landing = hooks ? ({ target, how: "commit" } as const) : undefined;
    const made = await commitOf(project, target.tip, unit, run, { since, landing });
    if (made.kind !== "merged") return made;
    const marks = names.map((name) => ({
      name,
      from: refs.get(name)?.id ?? null,
      to: made.commit,
    }));
    const moved = await moveTarget({ root, target, to: made.commit, marks });
    if (moved === true) {
      await tellLanded(project, landing, made.commit);
      return made;
    }
    if (typeof moved !== "string") return moved;
    if (round === mostRounds) return stuck(branch, branchOf(target.ref), moved);
  }
}

export function alone<T>(branch: Pick<Branch, "alone">, work: () => Promise<T>): Promise<T> {
  return branch.alone === undefined ? work() : branch.alone(work);
}

/** However often it was tried. A lock that nobody gives back is for a person to look at. */
export function stuck(branch: Branch, name: string, detail: string): Held {
  if (lockIn(detail) === undefined) throw busy(branch, detail);
  return inTheWay(name, detail);
}

function busy({ root, name }: Branch, detail: string): Fault {
  return new Fault("locked", msg("branch.busy", { root, name: name ?? "HEAD" }), {
    cause: new Error(detail),
  });
}
