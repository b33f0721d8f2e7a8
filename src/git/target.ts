// Where a run lands (S2.6): the branch that was checked out when it began, recorded. HEAD is never asked
// again: whatever a person switches to meanwhile is theirs.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { repositoryAround } from "../store/project.ts";
import { commonFolder, gitFolder, textAt } from "./_folders.ts";
import { type GitPlace, gitLine, requireGit, tryGit } from "./git.ts";
import { type Held, lost, rebasing, targetGone, targetRewritten } from "./held.ts";
import { hasHistory, knownPlace } from "./project.ts";
import { type Refs, baseRefOf, branchOf, moveRefs, readRefs, refOf } from "./refs.ts";

/** A run, and the repository it works on. */
export interface RunRepository {
  readonly root: string;
  readonly run: string;
}

export interface Target {
  /** `refs/heads/main`. */
  readonly ref: string;
  readonly base: string;
}

/**
 * Recorded once; whoever asks again gets the same. `onto`: a branch that a person named; without it the one
 * checked out `here`, where the command was given: the project, or a linked worktree of it.
 */
export async function beginRun(
  { root, run }: RunRepository,
  onto?: string,
  here = root,
): Promise<Target> {
  const project = await knownPlace(root);
  for (let round = 1; ; round++) {
    const found = await readRefs(project, recordOf(run));
    const target = targetIn(found, run);
    if (target && (onto === undefined || target.ref === `refs/heads/${onto}`)) return target;
    await requireGit();
    const ref = onto === undefined ? await checkedOut(project, here) : `refs/heads/${onto}`;
    const tip = await tryGit(["rev-parse", "-q", "--verify", `${ref}^{commit}`], project);
    if (tip.code !== 0) throw noBranch(branchOf(ref));
    const commit = tip.stdout.toString("utf8").trim();
    const base = target ? await sharedBy(project, target.base, commit) : commit;
    const before = target && found.get(refOf(run, "onto", branchOf(target.ref)));
    const moved = await moveRefs(project, [
      { name: baseRefOf(run), from: target?.base ?? null, to: base },
      ...(target && before
        ? [{ name: refOf(run, "onto", branchOf(target.ref)), from: before.id, to: null }]
        : []),
      { name: refOf(run, "onto", branchOf(ref)), from: null, to: base },
    ]);
    if (moved === true) return { ref, base };
    // Another process of this run recorded it at the same moment.
    if (round === mostRounds) throw new Fault("locked", msg("branch.busy", { root, name: moved }));
  }
}

/** The branch's name, for people; null: it is not recorded, or there is no repository. */
export async function landsOn({ root, run }: RunRepository): Promise<string | null> {
  if (!(await hasHistory(root))) return null;
  const project = await knownPlace(root);
  const target = targetIn(await readRefs(project, recordOf(run)), run);
  return target === undefined ? null : branchOf(target.ref);
}

export interface StandingTarget extends Target {
  readonly tip: string;
  /** Where it is checked out; null: nowhere. */
  readonly tree: string | null;
}

/** All that says how a run stands, but for its units: one look. `more`: other names. */
export function readRun(
  project: GitPlace,
  run: string,
  more: readonly string[] = [],
): Promise<Refs> {
  const kinds = (["branch", "shown", "landed"] as const).map((kind) => refOf(run, kind, ""));
  return readRefs(project, [...recordOf(run), ...kinds, "refs/heads/", ...more]);
}

/** How a run stands, for what follows at once. */
export async function lookAtRun({ root, run }: RunRepository): Promise<Refs> {
  return readRun(await knownPlace(root), run);
}

/** As it stands now, if work may land there. `seen`: a look of a moment ago. */
export async function lookAtTarget(
  { root, run }: RunRepository,
  seen?: Refs,
): Promise<StandingTarget | Held> {
  const project = await knownPlace(root);
  for (let look = seen; ; look = undefined) {
    let refs = look ?? (await readRun(project, run));
    if (targetIn(refs, run) === undefined) {
      await beginRun({ root, run });
      refs = await readRun(project, run);
    }
    const target = targetIn(refs, run) ?? (await beginRun({ root, run }));
    const name = branchOf(target.ref);
    const row = refs.get(target.ref);
    if (row === undefined) return targetGone(name);
    if (headsAtWork(commonFolder(project)).has(target.ref)) return rebasing(name);
    const outside = await namesOutside(project, run, row.id, refs);
    if (outside.includes(baseRefOf(run))) return targetRewritten(name, row.id);
    const missing = await missingOf(project, run, { base: target.base, tip: row.id, outside });
    if (missing.length === 0) return { ...target, tip: row.id, tree: row.tree };
    // Others land at the same moment: what is missing from an older commit may be in the newest.
    const now = (await readRefs(project, [target.ref])).get(target.ref)?.id;
    if (now === row.id) return lost(name, row.id, missing);
  }
}

/** Is what has landed still there, at the end of a run? Undefined: it is, or the run never came to git. */
export async function checkLanded({ root, run }: RunRepository): Promise<Held | undefined> {
  const project = await knownPlace(root);
  const target = targetIn(await readRefs(project, recordOf(run)), run);
  if (target === undefined) return undefined;
  const tip = (await readRefs(project, [target.ref])).get(target.ref)?.id;
  const name = branchOf(target.ref);
  if (tip === undefined) return targetGone(name);
  const missing = await missingFrom(project, run, target.base, tip);
  return missing.length === 0 ? undefined : lost(name, tip, missing);
}

/** What has landed and is not in this history: names of phases and keys of units. */
export async function missingFrom(
  project: GitPlace,
  run: string,
  base: string,
  tip: string,
): Promise<string[]> {
  const outside = await notMerged(project, tip, [refOf(run, "landed", "")]);
  return missingOf(project, run, { base, tip, outside });
}

/** The newest commit below both: what lies above it in the second is what somebody made of the first. */
export async function sharedBy(project: GitPlace, base: string, tip: string): Promise<string> {
  const found = await tryGit(["merge-base", base, tip], project);
  return found.code === 0 ? found.stdout.toString("utf8").trim() : tip;
}

export function targetIn(refs: Refs, run: string): Target | undefined {
  const base = refs.get(baseRefOf(run))?.id;
  const below = refOf(run, "onto", "");
  const name = [...refs.keys()].find((ref) => ref.startsWith(below))?.slice(below.length);
  return base === undefined || name === undefined ? undefined : { ref: `refs/heads/${name}`, base };
}

/**
 * Branches that a rebase or a bisect of somebody's will write to when it ends: it is checked out nowhere
 * meanwhile, and moving it would undo what they are doing.
 */
export function headsAtWork(common: string): Set<string> {
  const folders = [common, ...worktreeFolders(common)];
  const files = ["rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"];
  const names = folders.flatMap((folder) => files.map((file) => textAt(join(folder, file)).trim()));
  return new Set(
    names
      .filter((name) => name !== "")
      .map((name) => (name.startsWith("refs/") ? name : `refs/heads/${name}`)),
  );
}

/** Keys of units that commits of this history name: also of one that somebody amended, rebased or picked. */
export async function keysIn(
  project: GitPlace,
  run: string,
  base: string,
  tip: string,
): Promise<Set<string>> {
  const format = `--format=%(trailers:key=${unitTrailer},valueonly,separator=%x0a)`;
  const args = ["log", format, `${base}..${tip}`];
  const text = (await tryGit(args, { ...project, maxOutput: mostBytes })).stdout.toString("utf8");
  const named = text.split("\n").map((line) => line.split(" "));
  return new Set(named.flatMap(([key = "", of]) => (of === run ? [key] : [])));
}

export async function isIn(commit: string, tip: string, place: GitPlace): Promise<boolean> {
  if (commit === tip) return true;
  return (await tryGit(["merge-base", "--is-ancestor", commit, tip], place)).code === 0;
}

/** The line of a commit's message that says which unit it is: it survives an amend and a rebase. */
export const unitTrailer = "Holdfast-Unit";

/** The branch of the linked worktree that a folder lies in; undefined: it is none, or one of our own. */
export function linkedBranch(root: string, folder: string): string | undefined {
  const isOwn = `${folder}/`.startsWith(`${join(root, "worktree")}/`);
  if (folder === root || isOwn || repositoryAround(folder) !== repositoryAround(root))
    return undefined;
  let tree = folder;
  while (!existsSync(join(tree, ".git")) && tree !== dirname(tree)) tree = dirname(tree);
  const head = tree === root ? "" : textAt(join(gitFolder(tree), "HEAD"));
  return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
}

// --- internal ---

const mostRounds = 10;

/** Which of these, and of all below those that end with “/”, hold a commit that is not in the history of `tip`. */
async function notMerged(
  project: GitPlace,
  tip: string,
  names: readonly string[],
): Promise<string[]> {
  const args = ["for-each-ref", "--format=%(refname)", `--no-merged=${tip}`, ...names];
  return (await gitLine(args, project)).split("\n").filter((name) => name !== "");
}

/** Of where the run began, and of what has landed. Nothing is asked where that is the same commit. */
async function namesOutside(
  project: GitPlace,
  run: string,
  tip: string,
  refs: Refs,
): Promise<string[]> {
  const [base, landed] = [baseRefOf(run), refOf(run, "landed", "")];
  const names = [...refs].filter(([name]) => name === base || name.startsWith(landed));
  if (names.every(([, { id }]) => id === tip)) return [];
  return notMerged(project, tip, [base, landed]);
}

/** `outside`: names whose commit itself is not there. It may be in another form, or have been taken out. */
async function missingOf(
  project: GitPlace,
  run: string,
  at: { readonly base: string; readonly tip: string; readonly outside: readonly string[] },
): Promise<string[]> {
  const { base, tip } = at;
  const below = refOf(run, "landed", "");
  const keys = at.outside.flatMap((name) =>
    name.startsWith(below) ? [name.slice(below.length)] : [],
  );
  if (keys.length === 0) return [];
  const refs = await readRefs(project, [refOf(run, "gone", ""), refOf(run, "branch", "")]);
  const known = await keysIn(project, run, base, tip);
  const missing: string[] = [];
  for (const key of keys) {
    if (known.has(key) || refs.has(`${refOf(run, "gone", "")}${key}`)) continue;
    const branch = refs.get(`${refOf(run, "branch", "")}${key}`)?.id;
    if (branch === undefined || !(await isRewritten(project, run, branch, { base, tip, known })))
      missing.push(key);
  }
  return missing;
}

/** The references that say where it lands. */
function recordOf(run: string): string[] {
  return [baseRefOf(run), refOf(run, "onto", "")];
}

async function checkedOut(project: GitPlace, here: string): Promise<string> {
  const linked = linkedBranch(project.cwd, here);
  if (linked !== undefined) return `refs/heads/${linked}`;
  const head = await tryGit(["symbolic-ref", "-q", "HEAD"], project);
  if (head.code === 0) return head.stdout.toString("utf8").trim();
  throw new Fault("refused", msg("target.detached", { root: project.cwd }), {
    hint: msg("target.detached.hint"),
  });
}

/** Is the branch there in another form: its merge amended, or the commit of each of its units rebased? */
async function isRewritten(
  project: GitPlace,
  run: string,
  branch: string,
  {
    base,
    tip,
    known,
  }: { readonly base: string; readonly tip: string; readonly known: ReadonlySet<string> },
): Promise<boolean> {
  if (await isIn(branch, tip, project)) return true;
  const keys = await keysIn(project, run, base, branch);
  return keys.size > 0 && [...keys].every((key) => known.has(key));
}

function noBranch(name: string): Fault {
  return new Fault("refused", msg("target.no_branch", { name }), {
    hint: msg("target.no_branch.hint", { name }),
  });
}

const mostBytes = 64 * 1024 * 1024;

function worktreeFolders(common: string): string[] {
  try {
    return readdirSync(join(common, "worktrees")).map((name) => join(common, "worktrees", name));
  } catch {
    return [];
  }
}
