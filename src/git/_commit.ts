// A commit of a run in the project's repository: made from objects, in the user's name, and signed by their key or
// looked at by their hooks where they ask for it.
import { writeCommit } from "./_loose.ts";
import { type GitPlace, tryGit } from "./git.ts";
import { type Held, notSigned } from "./held.ts";
import { type Checked, afterLanding, beforeLanding } from "./_hooks.ts";
import { type OwnCommands, signingSettings } from "./own-commands.ts";
import { knownPlace } from "./project.ts";
import type { StandingTarget } from "./target.ts";

export interface Committer {
  readonly root: string;
  /** What the project's settings ask for, as they are now. */
  readonly own?: () => Promise<OwnCommands>;
}

/** The project, for who makes commits there; `hooks`: the user's own look at what lands. */
export async function committing(
  { root, own }: Committer,
  at: number,
): Promise<{ readonly project: GitPlace; readonly hooks: boolean }> {
  const { hooks = false, sign = false } = (await own?.()) ?? {};
  const project = { ...(await knownPlace(root)), at };
  return { project: sign ? { ...project, signing: await signingSettings(root) } : project, hooks };
}

/** Onto which branch it goes, and as what, where hooks look at it. */
export interface Landing {
  readonly target: StandingTarget;
  readonly how: "commit" | "merge";
}

export async function commitTree(
  project: GitPlace,
  parents: readonly string[],
  wanted: Checked,
  landing?: Landing,
): Promise<{ readonly kind: "merged"; readonly commit: string } | Held> {
  const checked =
    landing === undefined
      ? wanted
      : await beforeLanding(project, landing.target, landing.how, wanted);
  if ("kind" in checked) return checked;
  const { tree, message: input } = checked;
  const { signing } = project;
  if (signing === undefined)
    return { kind: "merged", commit: writeCommit(project, { tree, parents, message: input }) };
  const args = [tree, ...parents.flatMap((id) => ["-p", id])];
  const settings = [...(project.settings ?? []), ...signing];
  const place = { ...project, settings, asUser: true, input };
  const { code, stdout, stderr } = await tryGit(["commit-tree", "-S", ...args], place);
  if (code !== 0) return notSigned(stderr.trim());
  return { kind: "merged", commit: stdout.toString("utf8").trim() };
}

/** It has: their hooks for that are run. */
export async function tellLanded(
  project: GitPlace,
  landing: Landing | undefined,
  commit: string,
): Promise<void> {
  if (landing !== undefined) await afterLanding(project, landing.target, landing.how, commit);
}
