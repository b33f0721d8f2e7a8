// What a claim has handed in before. A landing that was refused leaves the unit with its session, which mends
// its work and hands in again: only what changed since is merged then, or it would conflict with itself.
import { type GitPlace, gitLine } from "./git.ts";
import { type Refs, refOf } from "./refs.ts";
import { isIn } from "./target.ts";

/** The names under which it may have: patterns for `readRefs`. */
export function claimRefs(run: string, { claim }: { readonly claim?: string }): string[] {
  if (claim === undefined) return [];
  return kinds.map((kind) => `${refOf(run, kind, `${claim}.x`).slice(0, -1)}*`);
}

/** Of what a person took out of the history and meant to: patterns for `readRefs`. */
export function goneRefs(run: string): string[] {
  return [refOf(run, "gone", "")];
}

export interface Handing {
  readonly run: string;
  /** Of the branch it goes onto. */
  readonly tip: string;
  /** With those of claimRefs(). */
  readonly refs: Refs;
  readonly key: string;
  /** Where the unit began. */
  readonly base: string;
  readonly claim?: string;
}

/**
 * Only what changed since this commit is to be merged: the unit as it was handed in last, or where it began if a
 * person has taken that out of the history. Undefined: all that the branch does not have.
 */
export async function handedBefore(
  project: GitPlace,
  { run, tip, refs, key, base, claim }: Handing,
): Promise<string | undefined> {
  const hasGone = [...refs.keys()].some((name) => name.startsWith(refOf(run, "gone", "")));
  const begun = hasGone && !(await isIn(base, tip, project)) ? base : undefined;
  const [below, own] = [refOf(run, "merged", ""), refOf(run, "merged", key)];
  const merged = [...refs].filter(([name]) => name.startsWith(below) && name !== own);
  if (claim === undefined || merged.length === 0) return begun;
  const ids = merged.map(([, { id }]) => id);
  // Each was merged on top of the one before it.
  const newest = await gitLine(["merge-base", "--independent", ...ids], project);
  const name = merged.find(([, { id }]) => id === newest)?.[0];
  if (name === undefined || !(await isIn(newest, tip, project))) return begun;
  return refs.get(`${refOf(run, "unit", "")}${name.slice(below.length)}`)?.id;
}

// --- internal ---

const kinds = ["unit", "merged"] as const;
