// Is a run held at this moment by what a person did with git (S2.6)? Nothing changes by asking. What only a
// merge or a landing finds out, conflicts and files in the way, is not looked for.
import { type Held, rewritten } from "./held.ts";
import { knownPlace } from "./project.ts";
import { headOf, readRefs, refOf } from "./refs.ts";
import { type RunRepository, isIn, lookAtTarget } from "./target.ts";

export async function heldNow(repository: RunRepository): Promise<Held | undefined> {
  const { root, run } = repository;
  const target = await lookAtTarget(repository);
  if ("kind" in target) return target;
  const project = await knownPlace(root);
  const below = refOf(run, "shown", "");
  const refs = await readRefs(project, [below, refOf(run, "landed", ""), "refs/heads/"]);
  for (const [ref, { id }] of refs) {
    const name = ref.startsWith(below) ? ref.slice(below.length) : undefined;
    if (name === undefined || refs.has(refOf(run, "landed", name))) continue;
    const theirs = refs.get(headOf(name))?.id ?? id;
    if (theirs !== id && !(await isIn(id, theirs, project))) return rewritten(name, theirs);
  }
  return undefined;
}
