// The commits by which work comes onto a branch, made from objects alone.
import { type Landing, commitTree } from "./_commit.ts";
import { mergeChange, mergeTrees } from "./_merge.ts";
import { type GitPlace, gitLine } from "./git.ts";
import type { Held } from "./held.ts";
import { unitTrailer } from "./target.ts";

export type Merged =
  | { readonly kind: "merged"; readonly commit: string }
  | { readonly kind: "conflict"; readonly files: readonly string[]; readonly text: string };

export interface UnitMerge {
  /** What the agent made, and where it began. */
  readonly commit: string;
  readonly base: string;
  /** Of its commit, where that is known. */
  readonly tree?: string;
  /** The first line of the branch's new commit. */
  readonly subject: string;
  /** Of this attempt: merged once under it, however often it is asked for. */
  readonly key: string;
  /** How the keys begin under which the same claim hands in; without it there is one key for all. */
  readonly claim?: string;
  readonly at: number;
}

/** The unit's work on top of `tip`; where it changed nothing, `tip` itself. `since`: what is on it already. */
export async function commitOf(
  project: GitPlace,
  tip: string,
  unit: UnitMerge,
  run: string,
  {
    since,
    landing,
  }: { readonly since: string | undefined; readonly landing?: Landing | undefined },
): Promise<Merged | Held> {
  if (unit.commit === (since ?? unit.base)) return { kind: "merged", commit: tip };
  const { tree } = unit;
  // Nobody else has brought anything since it began.
  const isNext = tree !== undefined && since === undefined && tip === unit.base;
  const made = isNext
    ? ({ ok: true, tree } as const)
    : await (since === undefined
        ? mergeTrees(project, tip, unit.commit)
        : mergeChange(project, tip, since, unit.commit));
  if (!made.ok) return { kind: "conflict", files: made.files, text: made.text };
  if (since !== undefined && made.tree === (await gitLine(["rev-parse", `${tip}^{tree}`], project)))
    return { kind: "merged", commit: tip };
  const message = `${unit.subject}\n\n${unitTrailer}: ${unit.key} ${run}\n${coAuthor}\n`;
  return commitTree(project, [tip], { tree: made.tree, message }, landing);
}

export async function landingOf(
  project: GitPlace,
  onto: string,
  tip: string,
  message: string,
  landing?: Landing,
): Promise<Merged | Held> {
  const made = await mergeTrees(project, onto, tip);
  if (!made.ok) return { kind: "conflict", files: made.files, text: made.text };
  const wanted = { tree: made.tree, message: `${message}\n\n${coAuthor}\n` };
  return commitTree(project, [onto, tip], wanted, landing);
}

// --- internal ---

/** Commits are the user's own; who helped is said as people say it of each other. */
const coAuthor = "Co-authored-by: Holdfast <holdfast@localhost>";
