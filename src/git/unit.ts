// What an agent made in its clone, brought into the project's repository as one commit. It comes from
// our snapshots, never from the clone's own repository: nothing an agent planted there is even read.
import { resultTree } from "./_result-tree.ts";
import { isTreePath } from "./files.ts";
import { bringObjects } from "./objects.ts";
import { baseRef, storedPlace } from "./trees.ts";
import { knownPlace } from "./project.ts";
import { type GitPlace, git, gitLine, tryGit } from "./git.ts";
import { readRefs, refOf } from "./refs.ts";
import type { RunRepository } from "./target.ts";
import type { TaskPlaces } from "./workspace.ts";

export interface Fetched {
  /** On top of where it began; the same as that where nothing changed. */
  readonly commit: string;
  readonly base: string;
  readonly changed: readonly string[];
}

export interface UnitResult {
  /** The unit and its attempt, `T1.3-2`: one name for what came of it, whoever asks. */
  readonly key: string;
  /** The snapshot that is the result, in our repository of the clone. */
  readonly snapshot: string;
  readonly base: string;
  readonly subject: string;
  readonly at: number;
}

/** Brings it over, and gives its commit: where nothing was changed, where it began. Done before, it is what it was. */
export async function bringUnit(
  places: TaskPlaces,
  { root, run }: RunRepository,
  { key, snapshot, base, subject, at }: UnitResult,
): Promise<string> {
  const project: GitPlace = { ...(await knownPlace(root)), at };
  const [ref, whole] = [refOf(run, "unit", key), refOf(run, "whole", key)];
  const before = (await readRefs(project, [ref])).get(ref);
  if (before !== undefined) return before.id;
  const stored = storedPlace(places.trees);
  const names = [`${snapshot}^{tree}`, `${baseRef}^{tree}`];
  const [made = "", begun = ""] = (await gitLine(["rev-parse", ...names], stored)).split("\n");
  let commit = base;
  if (made !== begun) {
    await bringObjects(stored, [made, `^${begun}`], project);
    const { trees } = places;
    const tree = await resultTree(project, { begun, made, trees, withoutOwn: true });
    // For whoever reads one of its files: a contract is written among the state files.
    if (tree !== made) await git(["update-ref", whole, made], project);
    if (tree !== begun)
      commit = await gitLine(["commit-tree", tree, "-p", base], {
        ...project,
        input: `${subject}\n`,
      });
  }
  await git(["update-ref", ref, commit], project);
  return commit;
}

/** Undefined: it was not brought over. */
export async function fetchUnit(
  { root, run }: RunRepository,
  key: string,
  base: string,
): Promise<Fetched | undefined> {
  const project = await knownPlace(root);
  const ref = refOf(run, "unit", key);
  const commit = (await readRefs(project, [ref])).get(ref)?.id;
  if (commit === undefined) return undefined;
  const changed = commit === base ? [] : await changedNames(project, base, commit);
  return { commit, base, changed };
}

/** Files of it as text; what is not there, or no text, is left out. */
export async function wantedFiles(
  { root, run }: RunRepository,
  key: string,
  paths: readonly string[],
): Promise<Record<string, string>> {
  if (paths.length === 0) return {};
  const project = await knownPlace(root);
  const whole = refOf(run, "whole", key);
  const from = (await readRefs(project, [whole])).has(whole) ? whole : refOf(run, "unit", key);
  const files: Record<string, string> = {};
  for (const path of paths) {
    if (!isTreePath(path)) continue;
    const args = ["--literal-pathspecs", "cat-file", "blob", `${from}:${path}`];
    const { code, stdout } = await tryGit(args, { ...project, maxOutput: mostBytes, cut: true });
    if (code === 0) files[path] = stdout.toString("utf8");
  }
  return files;
}

// --- internal ---

const mostBytes = 4 * 1024 * 1024;

async function changedNames(project: GitPlace, from: string, to: string): Promise<string[]> {
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to];
  const listed = await git(args, { ...project, maxOutput: 64 * 1024 * 1024 });
  return listed.toString("utf8").split("\0").slice(0, -1);
}
