// Is what the run says in the history (`--verify`)? Nothing is changed, and nothing but references,
// ancestry and the line by which a commit names its unit is believed.
import { gitLine, tryGit } from "./git.ts";
import { knownPlace } from "./project.ts";
import { baseRefOf, branchOf, readRefs, refOf } from "./refs.ts";
import { type RunRepository, keysIn, missingFrom, targetIn } from "./target.ts";

export interface Evidence {
  /** Where it lands. */
  readonly target: string;
  /** Keys of attempts whose work is on the target or on a branch of the run that has not landed yet. */
  readonly there: ReadonlySet<string>;
  /** Keys of attempts, and names of phases, that had landed and are not on the target any more. */
  readonly missing: readonly string[];
}

/** Undefined: the run has nothing in this repository. */
export async function evidenceOf({ root, run }: RunRepository): Promise<Evidence | undefined> {
  const project = await knownPlace(root);
  if ((await tryGit(["rev-parse", "--git-dir"], project)).code !== 0) return undefined;
  const refs = await readRefs(project, [
    baseRefOf(run),
    ...kinds.map((kind) => refOf(run, kind, "")),
  ]);
  const target = targetIn(refs, run);
  if (target === undefined) return undefined;
  const tip = (await readRefs(project, [target.ref])).get(target.ref)?.id;
  const landed = new Set(idsBelow(refs, refOf(run, "landed", "")).map(([name]) => name));
  const open = idsBelow(refs, refOf(run, "branch", "")).filter(([name]) => !landed.has(name));
  const below = refOf(run, "merged", "");
  const there = new Set<string>();
  for (const commit of [...(tip === undefined ? [] : [tip]), ...open.map(([, id]) => id)]) {
    const args = ["for-each-ref", "--format=%(refname)", `--merged=${commit}`, below];
    for (const name of (await gitLine(args, project)).split("\n"))
      if (name !== "") there.add(name.slice(below.length));
    for (const key of await keysIn(project, run, target.base, commit)) there.add(key);
  }
  const missing =
    tip === undefined ? [...landed] : await missingFrom(project, run, target.base, tip);
  return { target: branchOf(target.ref), there, missing };
}

// --- internal ---

const kinds = ["onto", "landed", "branch"] as const;

function idsBelow(
  refs: Awaited<ReturnType<typeof readRefs>>,
  below: string,
): (readonly [name: string, id: string])[] {
  return [...refs].flatMap(([ref, { id }]) =>
    ref.startsWith(below) ? [[ref.slice(below.length), id] as const] : [],
  );
}
