// What an agent made in its clone, brought into the project's repository as one commit. It comes from
// our snapshots, never from the clone's own repository: nothing an agent planted there is even read.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { isTreePath } from "./files.ts";
import { bringObjects } from "./objects.ts";
import { baseRef, storedPlace } from "./trees.ts";
import { isOwnFile, knownPlace } from "./project.ts";
import { type GitPlace, git, gitLine, tryGit } from "./git.ts";
import type { TaskPlaces } from "./workspace.ts";

export interface Fetched {
  /** On top of where it began; the same as that where nothing changed. */
  readonly commit: string;
  readonly base: string;
  readonly changed: readonly string[];
}

export function unitRef(taskId: string): string {
  return `refs/holdfast/units/${taskId}`;
}

export interface UnitResult {
  readonly taskId: string;
  /** The snapshot that is the result, in our repository of the clone. */
  readonly snapshot: string;
  readonly base: string;
  readonly subject: string;
  readonly at: number;
}

/** Brings it over; done before, it is what it was. */
export async function bringUnit(
  places: TaskPlaces,
  root: string,
  { taskId, snapshot, base, subject, at }: UnitResult,
): Promise<void> {
  const project: GitPlace = { ...(await knownPlace(root)), at };
  const ref = unitRef(taskId);
  if ((await tryGit(["rev-parse", "-q", "--verify", ref], project)).code === 0) return;
  const stored = storedPlace(places.trees);
  const names = [`${snapshot}^{tree}`, `${baseRef}^{tree}`];
  const [made = "", begun = ""] = (await gitLine(["rev-parse", ...names], stored)).split("\n");
  let commit = base;
  if (made !== begun) {
    await bringObjects(stored, [made, `^${begun}`], project);
    const tree = await withoutOwnFiles(project, begun, made);
    // For who reads one of its files: a contract is written among the state files.
    if (tree !== made) await git(["update-ref", wholeRef(taskId), made], project);
    if (tree !== begun)
      commit = await gitLine(["commit-tree", tree, "-p", base], {
        ...project,
        input: `${subject}\n`,
      });
  }
  await git(["update-ref", ref, commit], project);
}

/** Undefined: it was not brought over. */
export async function fetchUnit(
  root: string,
  taskId: string,
  base: string,
): Promise<Fetched | undefined> {
  const project = await knownPlace(root);
  const there = await tryGit(
    ["rev-parse", "-q", "--verify", `${unitRef(taskId)}^{commit}`],
    project,
  );
  if (there.code !== 0) return undefined;
  const commit = there.stdout.toString("utf8").trim();
  const changed = commit === base ? [] : await changedNames(project, base, commit);
  return { commit, base, changed };
}

/** Both are names of ours: what is merged is on its branch, what is not is told as kept. */
export async function dropUnit(root: string, taskId: string): Promise<void> {
  const project = await knownPlace(root);
  for (const ref of [wholeRef(taskId), unitRef(taskId)])
    await tryGit(["update-ref", "-d", ref], project);
}

/** Of claims of sessions: each hands in as often as it likes, and each time under a name of its own. */
export async function dropClaims(root: string, claims: ReadonlySet<string>): Promise<void> {
  if (!existsSync(root)) return;
  const project = await knownPlace(root);
  const places = [unitRef(""), wholeRef("")];
  const listed = await tryGit(["for-each-ref", "--format=%(refname)", ...places], project);
  const gone = listed.stdout
    .toString("utf8")
    .split("\n")
    .filter((ref) => claims.has(ref.slice(ref.lastIndexOf("/") + 1).replace(/\..*$/, "")));
  if (gone.length === 0) return;
  const input = gone.map((ref) => `delete ${ref}\n`).join("");
  await git(["update-ref", "--stdin"], { ...project, input });
}

/** Files of it as text; what is not there, or no text, is left out. */
export async function wantedFiles(
  root: string,
  taskId: string,
  paths: readonly string[],
): Promise<Record<string, string>> {
  const project = await knownPlace(root);
  const whole = await tryGit(["rev-parse", "-q", "--verify", wholeRef(taskId)], project);
  const from = whole.code === 0 ? wholeRef(taskId) : unitRef(taskId);
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

function wholeRef(taskId: string): string {
  return `refs/holdfast/whole/${taskId}`;
}

const mostBytes = 4 * 1024 * 1024;

async function changedNames(project: GitPlace, from: string, to: string): Promise<string[]> {
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to];
  const listed = await git(args, { ...project, maxOutput: 64 * 1024 * 1024 });
  return listed.toString("utf8").split("\0").slice(0, -1);
}

/** State files are written by code (idea 3): what an agent did to its copy of them counts for nothing. */
async function withoutOwnFiles(project: GitPlace, begun: string, made: string): Promise<string> {
  const own = (await changedNames(project, begun, made)).filter(isOwnFile);
  if (own.length === 0) return made;
  const index = await gitLine(
    ["rev-parse", "--path-format=absolute", "--git-path", `holdfast-${made}`],
    project,
  );
  const place = { ...project, index };
  try {
    await git(["read-tree", made], place);
    const zero = "0".repeat(made.length);
    const gone = own.map((path) => `0 ${zero}\t${path}\0`).join("");
    const args = ["--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", begun, ...own];
    const were = await git(args, project);
    const back = were.toString("utf8").replaceAll(/ (?:blob|commit) /g, " ");
    await git(["update-index", "-z", "--index-info"], { ...place, input: gone + back });
    return await gitLine(["write-tree"], place);
  } finally {
    await rm(index, { force: true });
  }
}
