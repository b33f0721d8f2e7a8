// What an agent made in its clone, brought into the project's repository as one commit. It comes from
// our snapshots, never from the clone's own repository: nothing an agent planted there is even read.
import { importResult } from "./_result.ts";
import { isTreePath } from "./files.ts";
import { knownPlace } from "./project.ts";
import { type GitPlace, git, tryGit } from "./git.ts";
import { readRefs, refOf } from "./refs.ts";
import type { RunRepository } from "./target.ts";
import { type Taken, changesOf } from "./snapshot.ts";
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
  readonly snapshot: Pick<Taken, "commit">;
  readonly base: string;
  readonly subject: string;
  readonly at: number;
  /** The claim that held where it began: from now on the result does. */
  readonly began?: string;
}

export interface Brought {
  readonly commit: string;
  /** Undefined: nobody knows without asking. */
  readonly tree?: string;
}

/** Brings it over, and gives its commit: where nothing was changed, where it began. Done before, it is what it was. */
export async function bringUnit(
  { trees }: TaskPlaces,
  { root, run }: RunRepository,
  { key, snapshot, base, subject, at, began }: UnitResult,
): Promise<Brought> {
  const project: GitPlace = { ...(await knownPlace(root)), at };
  const ref = refOf(run, "unit", key);
  try {
    const { commit, tree } = await importResult(project, {
      trees,
      changes: await changesOf(trees, snapshot),
      base,
      message: `${subject}\n`,
      ref,
      own: refOf(run, "whole", key),
      over: began === undefined ? null : refOf(run, "began", began),
    });
    return tree === null ? { commit } : { commit, tree };
  } catch (cause) {
    // Git leaves a reference alone that is there already.
    const before = (await readRefs(project, [ref])).get(ref);
    if (before !== undefined) return { commit: before.id };
    throw cause;
  }
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
