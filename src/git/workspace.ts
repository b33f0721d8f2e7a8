// A task's workspace: a clone of the project that the agent may do anything to (S1.3, S1.21d).
//
// Made by hand, without `git clone`: no remote, no transport, nothing of the project's
// configuration. What the project's .gitattributes would turn (line ends, keywords, filters) stays
// as it is stored, so that what comes back differs from what went out only where somebody changed it.
//
//   <home>/workspaces/<id>         the tree; its .git belongs to the agent, we never open it again
//   <home>/workspaces/<id>.ready   it is whole, and made from this; without this file it is made anew
//   <home>/trees/<id>.git          our own repository of its snapshots (snapshot.ts)
//   <home>/kept/<id>/<n>           a tree that is over and holds what is stored nowhere (kept.ts)
import { chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../core/errors.ts";
import { requireSafeId } from "../core/ids.ts";
import { type Message, msg } from "../core/messages.ts";
import { asFault, codeOf } from "../store/disk.ts";
import { rawAttributes } from "./_environment.ts";
import { writeRepository } from "./_repository.ts";
import { resultTree } from "./_result-tree.ts";
import { lookAtFolder, readReady, requireOurs, writeReady } from "./made.ts";
import { bringObjects, isObjectId } from "./objects.ts";
import { endLeftovers } from "./leftovers.ts";
import { type Trees, baseRef, makeTrees, storedPlace } from "./trees.ts";
import { type Start, projectPlace } from "./project.ts";
import { type GitPlace, git, gitLine, tryGit } from "./git.ts";

export { type ProjectCheck, type Start, checkProject, hasHistory } from "./project.ts";

export interface TaskPlaces {
  readonly workspace: string;
  readonly ready: string;
  readonly setupLog: string;
  readonly trees: Trees;
  readonly kept: string;
  /** Of the workspace, and of the result in the project. */
  readonly branch: string;
}

export function taskPlaces(home: string, taskId: string): TaskPlaces {
  const id = requireSafeId(taskId);
  const branch = `holdfast/${id}`;
  // Stricter than a file's name: git takes no blank and no @ in a branch.
  const stray = /[^\p{L}\p{N}._+-]/u.exec(id)?.[0];
  if (stray !== undefined)
    throw new Fault("invalid_input", msg("id.character", { id, found: stray }));
  const workspace = join(home, "workspaces", id);
  const [ready, setupLog] = [`${workspace}.ready`, `${workspace}.setup.log`];
  const trees = { repository: join(home, "trees", `${id}.git`), workTree: workspace, ready };
  return { workspace, ready, setupLog, trees, kept: join(home, "kept", id), branch };
}

export interface Workspace {
  readonly folder: string;
  readonly branch: string;
  /** The commit it was cloned at; null: begun empty. */
  readonly base: string | null;
}

/** Makes the workspace and the repository of its snapshots; one that is whole is left as it is. */
export async function makeWorkspace(
  places: TaskPlaces,
  root: string,
  start: Start,
): Promise<Workspace> {
  const known = await knownWorkspace(places);
  if (known !== undefined) return known;
  const { workspace, branch } = places;
  const tag = `workspace:${workspace}`;
  await endLeftovers(tag);
  await removeFolder(workspace);
  await mkdir(workspace, { recursive: true, mode: 0o700 });
  const project = start.kind === "git" ? { ...(await projectPlace(root)), tag } : null;
  const from = start.kind === "git" && project ? { project, commit: start.head } : null;
  await makeTrees(places.trees, from);
  await makeRepository({ cwd: workspace, tag }, branch, from, start);
  const base = from === null ? null : from.commit;
  await writeReady(places.trees, { base, root });
  return { folder: workspace, branch, base };
}

/** Marks services that its `setup` command left running: they end with the workspace. */
export function setupTag(folder: string): string {
  return `setup:${folder}`;
}

/** One that is whole; undefined: there is none. A Fault where something else stands in its place. */
export async function knownWorkspace(places: TaskPlaces): Promise<Workspace | undefined> {
  const { workspace, branch, trees } = places;
  const made = readReady(trees);
  if (made === undefined) return undefined;
  requireOurs(trees);
  if ((await readdir(workspace).catch(() => null)) === null) return undefined;
  return { folder: workspace, branch, base: made.base };
}

/** Ends in the same state however often it is interrupted: without its marker it is nothing. */
export async function removeWorkspace(places: TaskPlaces): Promise<void> {
  await rm(places.setupLog, { force: true });
  await endLeftovers(setupTag(places.workspace));
  await removeTree(places);
  await removeFolder(places.trees.repository);
}

/** The folder alone, and its marker. What somebody put in its place stays, and the marker that knows it. */
export async function removeTree({ workspace, ready, trees }: TaskPlaces): Promise<void> {
  if (lookAtFolder(trees) === "swapped") return;
  await rm(ready, { force: true });
  await removeFolder(workspace);
}

export type Fetched =
  | { readonly ok: true; readonly commit: string; readonly changed: boolean }
  | { readonly ok: false; readonly text: Message; readonly hint: Message };

export interface ResultOptions {
  /** The snapshot that is the result. */
  readonly commit: string;
  readonly base: string | null;
  readonly message: string;
  readonly at: number;
}

/**
 * The result becomes a branch of the project: one commit on top of the one the task began at. It
 * comes from our snapshots, not from the clone: nothing an agent may have planted is even read.
 */
export async function fetchResult(
  places: TaskPlaces,
  root: string,
  { commit, base, message, at }: ResultOptions,
): Promise<Fetched> {
  const project: GitPlace = { ...(await projectPlace(root)), at };
  const stored = storedPlace(places.trees);
  for (const id of base === null ? [commit] : [commit, base])
    if (!isObjectId(id))
      throw new Fault("invalid_input", msg("snapshot.no_id", { id: id.slice(0, 80) }));
  const [made = "", begun = ""] = (
    await gitLine(["rev-parse", `${commit}^{tree}`, `${baseRef}^{tree}`], stored)
  ).split("\n");
  const unchanged = { ok: true, commit: base ?? "", changed: false } as const;
  if (base !== null && made === begun) return unchanged;
  await bringObjects(stored, base === null ? [made] : [made, `^${begun}`], project);
  const { trees } = places;
  const tree =
    base === null ? made : await resultTree(project, { begun, made, trees, withoutOwn: false });
  if (base !== null && tree === begun) return unchanged;
  const parent = base === null ? [] : ["-p", base];
  const result = await gitLine(["commit-tree", ...parent, tree], { ...project, input: message });
  const ref = `refs/heads/${places.branch}`;
  const there = await tryGit(["rev-parse", "-q", "--verify", ref], project);
  const found = there.stdout.toString("utf8").trim();
  if (there.code === 0) {
    // Fetched before, at another moment: the same files on the same commit are the same result.
    const [same = "", ...parents] = await treeAndParents(found, project);
    if (same === tree && parents.join(" ") === (base ?? ""))
      return { ok: true, commit: found, changed: true };
    const { branch } = places;
    const text = msg("workspace.branch_taken", { branch, found: found.slice(0, 7) });
    return { ok: false, text, hint: msg("workspace.branch_taken.hint", { branch }) };
  }
  // Only if it is as we saw it: the last field is what must be there now.
  await git(["update-ref", ref, result, "0".repeat(result.length)], project);
  return { ok: true, commit: result, changed: true };
}

/** Also where an agent took the right to write from its own folders, as some package caches do. */
export async function removeFolder(path: string): Promise<void> {
  for (let round = 1; ; round++) {
    try {
      // Somebody may still be writing there: what comes while it goes is removed as well.
      return await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    } catch (cause) {
      const locked = codeOf(cause) === "EACCES" || codeOf(cause) === "EPERM";
      if (!locked || round === mostRounds) throw asFault(path, cause);
      await unlock(path);
    }
  }
}

// --- internal ---

async function treeAndParents(commit: string, place: GitPlace): Promise<string[]> {
  const line = await gitLine(["rev-list", "-1", "--parents", "--format=%T", commit], place);
  const [head = "", tree = ""] = line.split("\n");
  return [tree, ...head.split(" ").slice(2)];
}

async function makeRepository(
  place: GitPlace,
  branch: string,
  from: { readonly project: GitPlace; readonly commit: string } | null,
  start: Start,
): Promise<void> {
  const inside = join(place.cwd, ".git");
  if (from === null) await git(["init", "-q", "--template=", `--initial-branch=${branch}`], place);
  else {
    const other = start.kind === "git" ? start.branch : null;
    await writeRepository(inside, from.project.cwd, { commit: from.commit, branch, other });
  }
  await mkdir(join(inside, "info"), { recursive: true });
  await writeFile(join(inside, "info/attributes"), rawAttributes);
  if (from !== null)
    await git(["read-tree", "--reset", "-u", from.commit], { ...place, seconds: 3_600 });
}

const mostRounds = 5;

/** The removal that failed goes on with other folders meanwhile: what is gone by now is fine. */
async function unlock(folder: string): Promise<void> {
  try {
    await chmod(folder, 0o700);
    for (const entry of await readdir(folder, { withFileTypes: true }))
      if (entry.isDirectory()) await unlock(join(folder, entry.name));
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT") throw asFault(folder, cause);
  }
}
