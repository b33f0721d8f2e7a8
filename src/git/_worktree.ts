// The worktree of a branch, `worktree/<name>` in the project: made, found again, freed of what a power cut
// left. We put commits there and run commands; what somebody wrote there by hand is kept.
import { existsSync, lstatSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { bootedAt } from "../os/identity.ts";
import { forgetConfiguration } from "./_configured.ts";
import { endLeftovers } from "./leftovers.ts";
import { withoutFilters } from "./project.ts";
import { type GitPlace, git, gitLine, tryGit } from "./git.ts";
import { readRefs } from "./refs.ts";
import { commonFolder, gitFolder } from "./_folders.ts";

export function treeOf(root: string, name: string): string {
  return join(root, "worktree", name);
}

/** For commands that write files there: no filter, and found again when they outlive us. */
export async function inTree({ settings }: GitPlace, folder: string): Promise<GitPlace> {
  const place = { cwd: folder, ...(settings === undefined ? {} : { settings }) };
  return { ...(await withoutFilters(place)), tag: tagOf(folder) };
}

/** They are in nobody's way: not in `git status`, not in a commit of everything. */
export async function ignoreTrees(project: GitPlace): Promise<void> {
  const path = join(commonFolder(project), "info/exclude");
  const text = await readFile(path, "utf8").catch(() => "");
  if (/^\/worktree\/$/m.test(text)) return;
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, `${text === "" || text.endsWith("\n") ? "" : "\n"}/worktree/\n`);
}

/** On its branch, or on a commit that we put there; on another branch it is somebody else's. */
export async function isTreeOf(folder: string, name: string): Promise<boolean> {
  if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false })?.isFile() !== true) return false;
  if (putIn(folder) === undefined) return false;
  const head = await tryGit(["symbolic-ref", "-q", "HEAD"], { cwd: folder });
  return head.code !== 0 || head.stdout.toString("utf8").trim() === `refs/heads/${name}`;
}

export async function makeTree(project: GitPlace, folder: string, commit: string): Promise<void> {
  const there = lstatSync(folder, { throwIfNoEntry: false });
  // Nothing but git's own file: of one that a killed process had begun.
  if (there?.isDirectory() && readdirSync(folder).join() === ".git")
    rmSync(folder, { recursive: true, force: true });
  else if (there && (!there.isDirectory() || readdirSync(folder).length > 0))
    throw new Fault("refused", msg("branch.folder_taken", { path: folder }), {
      hint: msg("branch.folder_taken.hint"),
    });
  // One that a killed process had begun is locked for ever; twice --force goes over that.
  await tryGit(["worktree", "prune"], project);
  const add = ["worktree", "add", "--force", "--force", "--detach", "--no-checkout", "-q"];
  await git([...add, folder, commit], { ...project, tag: tagOf(folder) });
  // From here on it is ours, whatever is in it.
  writePut(folder, commit);
}

/** Its files are those of the commit. `branch`: it is checked out there; null: the commit alone. */
export async function pointTree(
  tree: GitPlace,
  commit: string,
  branch: string | null,
): Promise<void> {
  if (branch === null) await git(["update-ref", "--no-deref", "HEAD", commit], tree);
  else await git(["symbolic-ref", "HEAD", branch], tree);
  await git(["read-tree", "--reset", "-u", commit], { ...tree, seconds: 3_600 });
  forgetConfiguration();
  writePut(tree.cwd, commit);
}

/** Its branch was moved: the files go with it, unless somebody is at work in them. */
export async function followTree(tree: GitPlace, commit: string): Promise<void> {
  const from = putIn(tree.cwd);
  if (from === undefined || from === commit) return;
  const read = await tryGit(["read-tree", "-m", "-u", from, commit], { ...tree, seconds: 3_600 });
  forgetConfiguration();
  if (read.code === 0) writePut(tree.cwd, commit);
}

/** New files stay where they are when the tree is only brought up to date: `changed` leaves them out. */
export type Left = "all" | "changed";

/**
 * What lies there and belongs to no commit is stored under a name of ours: whoever wrote it by hand finds it
 * again. Earlier ones are its parents. Undefined: there was nothing.
 */
export async function keepLeft(
  tree: GitPlace,
  ref: string,
  which: Left,
): Promise<string | undefined> {
  const from = putIn(tree.cwd);
  const head = await gitLine(["rev-parse", "HEAD"], tree);
  const changed = await hasOwnFiles(tree, which);
  const staged = await tryGit(["diff-index", "--cached", "--quiet", from ?? head], tree);
  if (!changed && staged.code === 0) return undefined;
  await git(["add", "-A"], tree);
  const made = await gitLine(["write-tree"], tree);
  const before = (await readRefs(tree, [ref])).get(ref)?.id;
  const parents = [from ?? head, before].flatMap((id) => (id === undefined ? [] : ["-p", id]));
  const commit = await gitLine(
    ["commit-tree", made, ...parents, "-m", `left in ${tree.cwd}`],
    tree,
  );
  await git(["update-ref", ref, commit, before ?? ""], tree);
  return commit;
}

/** What processes of git leave that did not end by themselves: nobody can work there before it is gone. */
export async function removeLocks(tree: GitPlace, wasLeft: boolean): Promise<string[]> {
  const own = gitFolder(tree.cwd);
  // One of ours that outlived who started it would still be at work.
  if (wasLeft) await endLeftovers(tagOf(tree.cwd));
  const booted = bootedAt(Date.now());
  const left = readdirSync(own)
    .filter((name) => name.endsWith(".lock"))
    .filter((name) => wasLeft || lstatSync(join(own, name)).mtimeMs < booted);
  for (const name of left) rmSync(join(own, name), { force: true });
  return left.map((name) => join(own, name));
}

/**
 * A `worktree remove` that was killed may have taken git's file from the folder and left its own record: then the
 * folder is known by that record alone. What somebody wrote there was stored before.
 */
export async function finishRemoval(project: GitPlace, folder: string): Promise<void> {
  const mark = join(folder, ".git");
  if (existsSync(mark)) return;
  const records = join(commonFolder(project), "worktrees");
  const names = existsSync(records) ? readdirSync(records) : [];
  const isOurs = (name: string): boolean =>
    existsSync(join(records, name, putName)) &&
    readFileSync(join(records, name, "gitdir"), "utf8").trim() === mark;
  if (!names.some(isOurs)) return;
  rmSync(folder, { recursive: true, force: true });
  await tryGit(["worktree", "prune"], project);
}

/** Of every git that works in it. */
export function tagOf(folder: string): string {
  return `branch:${folder}`;
}

// --- internal ---

const mostBytes = 64 * 1024 * 1024;
const putName = "holdfast-commit";

/** A file that is only gone is in the commit still. */
async function hasOwnFiles(tree: GitPlace, which: Left): Promise<boolean> {
  const others = which === "all" ? ["-o", "--exclude-standard"] : [];
  const args = ["ls-files", "-z", "-t", "-m", "-d", ...others];
  const listed = (await git(args, { ...tree, maxOutput: mostBytes }))
    .toString("latin1")
    .split("\0");
  // What is gone is named twice, as gone and as changed.
  const gone = new Set(listed.flatMap((line) => (line.startsWith("R ") ? [line.slice(2)] : [])));
  return listed.some((line) => line !== "" && !gone.has(line.slice(2)));
}

/** Which commit we put there last: HEAD says where the branch is, which somebody may have moved. */
function putIn(folder: string): string | undefined {
  try {
    return readFileSync(putPath(folder), "utf8").trim();
  } catch {
    return undefined;
  }
}

function writePut(folder: string, commit: string): void {
  writeFileSync(putPath(folder), `${commit}\n`);
}

/** In git's own folder of that worktree, which goes with it. */
function putPath(folder: string): string {
  return join(gitFolder(folder), putName);
}
