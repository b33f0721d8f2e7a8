// The references of units that have landed go once there are many, as git packs its own objects only then: git reads
// every reference in each fetch, and a person would wait for those of 10,000 units. The commit of such a unit is held
// by its phase's references and names the unit; what was not merged, or has no commit because it changed nothing,
// keeps its references.
import type { GitPlace } from "./git.ts";
import { type RefMove, type Refs, baseRefOf, refOf } from "./refs.ts";
import { keysIn } from "./target.ts";

/** What needlessNames() looks at. */
export function unitNames(run: string): string[] {
  return [baseRefOf(run), ...kinds.map((kind) => refOf(run, kind, ""))];
}

/** Of a phase that has landed: the removal of what its history says as well, if there are many. */
export async function needlessNames(
  project: GitPlace,
  run: string,
  phase: string,
  refs: Refs,
): Promise<RefMove[]> {
  const [base, tip] = [refs.get(baseRefOf(run))?.id, refs.get(refOf(run, "branch", phase))?.id];
  if (base === undefined || tip === undefined || refs.size <= many) return [];
  const keys = [...(await keysIn(project, run, base, tip))];
  const named = new Set(keys.flatMap((key) => kinds.map((kind) => refOf(run, kind, key))));
  return [...refs].flatMap(([name, { id }]) =>
    named.has(name) ? [{ name, from: id, to: null }] : [],
  );
}

/** What hasLanded() looks at. */
export function landedNames(run: string, phase: string): string[] {
  return [baseRefOf(run), refOf(run, "landed", phase)];
}

/** Has the unit landed with its phase, so that only its commit names it? */
export async function hasLanded(
  project: GitPlace,
  run: string,
  phase: string,
  { refs, tip, key }: { readonly refs: Refs; readonly tip: string; readonly key: string },
): Promise<boolean> {
  const base = refs.get(baseRefOf(run))?.id;
  if (base === undefined || !refs.has(refOf(run, "landed", phase))) return false;
  return (await keysIn(project, run, base, tip)).has(key);
}

// --- internal ---

const many = 200;
const kinds = ["unit", "whole", "merged"] as const;
