// A run that goes on where another was given up (S2.6): its state says what is completed, and a phase that had
// not landed has that work on a branch of the other run alone.
import type { GitPlace } from "./git.ts";
import { readRefs, refOf } from "./refs.ts";

export interface GivenUp {
  readonly run: string;
  /** Where its branch stands. */
  readonly commit: string;
  /** What it had last written to the copy that people see; null: it had none. */
  readonly shown: string | null;
}

/** `runs`: the newest first. Undefined: none of them had begun it, or it has landed. */
export async function branchGivenUp(
  project: GitPlace,
  runs: readonly string[],
  name: string,
): Promise<GivenUp | undefined> {
  for (const run of runs) {
    const [branch, shown, landed] = (["branch", "shown", "landed"] as const).map((kind) =>
      refOf(run, kind, name),
    ) as [string, string, string];
    const refs = await readRefs(project, [branch, shown, landed]);
    const commit = refs.get(branch)?.id;
    if (commit === undefined) continue;
    return refs.has(landed) ? undefined : { run, commit, shown: refs.get(shown)?.id ?? null };
  }
  return undefined;
}
