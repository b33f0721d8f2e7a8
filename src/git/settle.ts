// A person has said what counts where they and the run disagree (held.ts). Nothing they made is thrown away:
// commits of theirs that leave a branch stay under a name of ours.
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { committing } from "./_commit.ts";
import { moveTarget } from "./move-target.ts";
import { type Branch, alone, mostRounds } from "./branches.ts";
import { landingOf } from "./commits.ts";
import type { GitPlace } from "./git.ts";
import {
  type RefMove,
  type Refs,
  baseRefOf,
  branchOf,
  moveRefs,
  readRefs,
  refOf,
  runRefs,
} from "./refs.ts";
import { type Target, beginRun, isIn, missingFrom, sharedBy } from "./target.ts";

type Repository = Omit<Branch, "name">;

/** Where nothing is in dispute nothing changes. */
export async function settleRun(
  repository: Repository,
  choice: "theirs" | "ours",
  at: number,
): Promise<void> {
  const { run } = repository;
  const { project } = await committing(repository, at);
  const target = await beginRun(repository);
  const refs = await readRefs(project, [runRefs(run), "refs/heads/"]);
  const below = refOf(run, "shown", "");
  for (const ref of refs.keys())
    if (ref.startsWith(below))
      await settleBranch(repository, project, refs, ref.slice(below.length), choice);
  await settleTarget(repository, project, refs, target, choice);
}

// --- internal ---

async function settleBranch(
  { root, run }: Repository,
  project: GitPlace,
  refs: Refs,
  name: string,
  choice: "theirs" | "ours",
): Promise<void> {
  const names = { ours: refOf(run, "branch", name), shown: refOf(run, "shown", name) };
  const head = `refs/heads/${name}`;
  const [ours, shown, theirs] = [refs.get(names.ours), refs.get(names.shown), refs.get(head)];
  if (ours === undefined || shown === undefined || theirs === undefined) return;
  if (theirs.id === shown.id || refs.has(refOf(run, "landed", name))) return;
  const left = refOf(run, "left", name);
  const was = refs.get(left)?.id ?? null;
  if (choice === "theirs") {
    await mustMove(root, project, [
      { name: left, from: was, to: ours.id },
      ...(ours.id === theirs.id ? [] : [{ name: names.ours, from: ours.id, to: theirs.id }]),
      { name: names.shown, from: shown.id, to: theirs.id },
    ]);
    return;
  }
  if (theirs.tree !== null)
    throw new Fault("refused", msg("settle.checked_out", { name, tree: theirs.tree }), {
      hint: msg("settle.checked_out.hint"),
    });
  await mustMove(root, project, [
    { name: left, from: was, to: theirs.id },
    { name: head, from: theirs.id, to: ours.id },
    ...(shown.id === ours.id ? [] : [{ name: names.shown, from: shown.id, to: ours.id }]),
  ]);
}

async function settleTarget(
  repository: Repository,
  project: GitPlace,
  refs: Refs,
  { ref, base }: Target,
  choice: "theirs" | "ours",
): Promise<void> {
  const { root, run } = repository;
  const tip = refs.get(ref)?.id;
  if (tip === undefined) {
    if (choice === "theirs") return;
    const to = await newestLanded(project, refs, run, base);
    return mustMove(root, project, [{ name: ref, from: null, to }]);
  }
  if (choice === "theirs" && tip !== base && !(await isIn(base, tip, project))) {
    const to = await sharedBy(project, base, tip);
    await mustMove(root, project, [{ name: baseRefOf(run), from: base, to }]);
  }
  for (const key of await missingFrom(project, run, base, tip)) {
    const landed = `${refOf(run, "landed", "")}${key}`;
    const commit = refs.get(landed)?.id;
    if (commit === undefined) continue;
    if (choice === "ours") await landAgain(repository, project, landed, commit);
    else
      await mustMove(root, project, [
        { name: `${refOf(run, "gone", "")}${key}`, from: null, to: commit },
      ]);
  }
}

/** Merged anew: nobody's history is rewritten to bring it back. */
async function landAgain(
  repository: Repository,
  project: GitPlace,
  landed: string,
  commit: string,
): Promise<void> {
  const { root } = repository;
  const { ref, base } = await beginRun(repository);
  for (let round = 1; ; round++) {
    const row = (await readRefs(project, [ref])).get(ref);
    if (row === undefined) return;
    const name = landed.slice(landed.lastIndexOf("/") + 1);
    const made = await landingOf(project, row.id, commit, `Merge ${name} again`);
    if (made.kind === "held") throw new Fault("refused", made.why);
    if (made.kind === "conflict")
      throw new Fault(
        "refused",
        msg("settle.conflict", { name: branchOf(ref), files: made.files.join(", ") }),
        { hint: msg("settle.conflict.hint", { commit: commit.slice(0, 12) }) },
      );
    const { commit: to } = made;
    const target = { ref, base, tip: row.id, tree: row.tree };
    const marks = [{ name: landed, from: commit, to }];
    const moved = await alone(repository, () => moveTarget({ root, target, to, marks }));
    if (moved === true) return;
    if (typeof moved !== "string") throw new Fault("refused", moved.why);
    if (round === mostRounds) throw new Fault("locked", msg("branch.busy", { root, name: ref }));
  }
}

async function newestLanded(
  project: GitPlace,
  refs: Refs,
  run: string,
  base: string,
): Promise<string> {
  let newest = base;
  for (const [name, { id }] of refs)
    if (name.startsWith(refOf(run, "landed", "")) && (await isIn(newest, id, project))) newest = id;
  return newest;
}

async function mustMove(root: string, project: GitPlace, moves: readonly RefMove[]): Promise<void> {
  const moved = await moveRefs(project, moves);
  if (moved !== true) throw new Fault("locked", msg("branch.busy", { root, name: moved }));
}
