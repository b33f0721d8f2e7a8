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

export interface Handing {
  readonly run: string;
  /** Of the branch it goes onto. */
  readonly tip: string;
  /** With those of claimRefs(). */
  readonly refs: Refs;
  readonly key: string;
  readonly claim?: string;
}

/** The unit's commit as it was handed in last; undefined: nothing of this claim is on the branch. */
export async function handedBefore(
  project: GitPlace,
  { run, tip, refs, key, claim }: Handing,
): Promise<string | undefined> {
  const [below, own] = [refOf(run, "merged", ""), refOf(run, "merged", key)];
  const merged = [...refs].filter(([name]) => name.startsWith(below) && name !== own);
  if (claim === undefined || merged.length === 0) return undefined;
  const ids = merged.map(([, { id }]) => id);
  // Each was merged on top of the one before it.
  const newest = await gitLine(["merge-base", "--independent", ...ids], project);
  const name = merged.find(([, { id }]) => id === newest)?.[0];
  if (name === undefined || !(await isIn(newest, tip, project))) return undefined;
  return refs.get(`${refOf(run, "unit", "")}${name.slice(below.length)}`)?.id;
}

// --- internal ---

const kinds = ["unit", "merged"] as const;
