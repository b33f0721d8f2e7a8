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
import { followProject, writeRepository } from "./_repository.ts";
import { importResult } from "./_result.ts";
import { lookAtFolder, readReady, requireOurs, writeReady } from "./made.ts";
import { isObjectId } from "./objects.ts";
import { endLeftovers } from "./leftovers.ts";
import { type Trees, adoptIndex, makeTrees } from "./trees.ts";
import { type Start, knownPlace } from "./project.ts";
import { type GitPlace, git, gitFault, gitLine } from "./git.ts";
import { moveRefs, readRefs } from "./refs.ts";
import { type Taken, changesOf } from "./snapshot.ts";

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
  /** The branch that it was made of; null: none; undefined: that was not written down. */
  readonly onto: string | null | undefined;
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
  if (start.kind === "git") {
    const { head: commit, held = false, branch: other } = start;
    await makeTrees(places.trees, { project: { ...(await knownPlace(root)), tag }, commit, held });
    await writeRepository(join(workspace, ".git"), root, { commit, branch, other });
    await checkOut({ cwd: workspace, tag }, commit);
    await adoptIndex(places.trees, join(workspace, ".git/index"), commit);
  } else {
    await makeTrees(places.trees, null);
    await git(["init", "-q", "--template=", `--initial-branch=${branch}`], { cwd: workspace, tag });
    await writeAttributes(workspace);
  }
  const base = start.kind === "git" ? start.head : null;
  const onto = start.kind === "git" ? start.branch : null;
  await writeReady(places.trees, { base, root, onto });
  return { folder: workspace, branch, base, onto };
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
  const { base, onto } = made;
  return { folder: workspace, branch, base, onto };
}

/** The same, for the project as it is now: it may have been moved since. */
export async function workspaceOf(
  places: TaskPlaces,
  root: string,
): Promise<Workspace | undefined> {
  const known = await knownWorkspace(places);
  if (known !== undefined) await followProject(places.trees.repository, root);
  return known;
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
  /** What is the result. */
  readonly snapshot: Pick<Taken, "commit">;
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
  { snapshot, base, message, at }: ResultOptions,
): Promise<Fetched> {
  const { commit } = snapshot;
  for (const id of base === null ? [commit] : [commit, base])
    if (!isObjectId(id))
      throw new Fault("invalid_input", msg("snapshot.no_id", { id: id.slice(0, 80) }));
  const project: GitPlace = { ...(await knownPlace(root)), at };
  const { trees, branch } = places;
  const changes = await changesOf(trees, snapshot);
  const made = await importResult(project, {
    trees,
    changes,
    base,
    message,
    ref: null,
    own: null,
  });
  const { commit: result, tree } = made;
  if (tree === null) return { ok: true, commit: base ?? "", changed: false };
  const ref = `refs/heads/${branch}`;
  // Only if there is none.
  const moved = await moveRefs(project, [{ name: ref, from: null, to: result }]);
  if (moved === true) return { ok: true, commit: result, changed: true };
  const found = (await readRefs(project, [ref])).get(ref)?.id;
  if (found === undefined) throw gitFault(["update-ref"], moved, project);
  // Fetched before, at another moment: the same files on the same commit are the same result.
  const [same = "", ...parents] = await treeAndParents(found, project);
  if (same === tree && parents.join(" ") === (base ?? ""))
    return { ok: true, commit: found, changed: true };
  const text = msg("workspace.branch_taken", { branch, found: found.slice(0, 7) });
  return { ok: false, text, hint: msg("workspace.branch_taken.hint", { branch }) };
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

async function checkOut(place: GitPlace, commit: string): Promise<void> {
  await writeAttributes(place.cwd);
  await git(["read-tree", "--reset", "-u", commit], { ...place, seconds: 3_600 });
}

async function writeAttributes(workspace: string): Promise<void> {
  const folder = join(workspace, ".git/info");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "attributes"), rawAttributes);
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
