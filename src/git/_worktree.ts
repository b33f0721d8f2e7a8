// The worktree of a branch, in which we alone work: made, found again, freed of what a power cut left,
// and what somebody wrote there by hand kept.
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { bootedAt } from "../os/identity.ts";
import { endLeftovers } from "./leftovers.ts";
import { withoutFilters } from "./project.ts";
import { type GitPlace, git, gitLine, tryGit } from "./git.ts";

/** For commands that write files there: no filter, and found again when they outlive us. */
export async function inTree({ settings }: GitPlace, folder: string): Promise<GitPlace> {
  const place = { cwd: folder, ...(settings === undefined ? {} : { settings }) };
  return { ...(await withoutFilters(place)), tag: tagOf(folder) };
}

/** They are in nobody's way: not in `git status`, not in a commit of everything. */
export async function ignoreTrees(project: GitPlace): Promise<void> {
  const args = ["rev-parse", "--path-format=absolute", "--git-path", "info/exclude"];
  const path = await gitLine(args, project);
  const text = await readFile(path, "utf8").catch(() => "");
  if (/^\/worktree\/$/m.test(text)) return;
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, `${text === "" || text.endsWith("\n") ? "" : "\n"}/worktree/\n`);
}

export async function isTreeOf(folder: string, name: string): Promise<boolean> {
  if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false })?.isFile() !== true) return false;
  const head = await tryGit(["symbolic-ref", "-q", "HEAD"], { cwd: folder });
  return head.code === 0 && head.stdout.toString("utf8").trim() === `refs/heads/${name}`;
}

export async function makeTree(project: GitPlace, folder: string, name: string): Promise<void> {
  const there = lstatSync(folder, { throwIfNoEntry: false });
  if (there && (!there.isDirectory() || readdirSync(folder).length > 0))
    throw new Fault("refused", msg("branch.folder_taken", { path: folder }), {
      hint: msg("branch.folder_taken.hint"),
    });
  // One that a killed process had begun is locked for ever; twice --force goes over that.
  await tryGit(["worktree", "prune"], project);
  await git(["worktree", "add", "--force", "--force", "-q", folder, name], {
    ...(await withoutFilters(project)),
    tag: tagOf(folder),
    seconds: 3_600,
  });
}

/** What processes of git leave that did not end by themselves: nobody can work there before it is gone. */
export async function removeLocks(tree: GitPlace, wasLeft: boolean): Promise<string[]> {
  const own = await gitLine(["rev-parse", "--absolute-git-dir"], tree);
  // One of ours that outlived who started it would still be at work.
  if (wasLeft) await endLeftovers(tagOf(tree.cwd));
  const booted = bootedAt(Date.now());
  const left = readdirSync(own)
    .filter((name) => name.endsWith(".lock"))
    .filter((name) => wasLeft || lstatSync(join(own, name)).mtimeMs < booted);
  for (const name of left) rmSync(join(own, name), { force: true });
  return left.map((name) => join(own, name));
}

/** What somebody wrote there by hand: no branch has it, and nothing of it may be lost. */
export async function keepLeft(tree: GitPlace, name: string, tip: string): Promise<void> {
  const status = ["status", "--porcelain=v1", "-z", "--ignore-submodules=all"];
  if ((await git(status, tree)).length === 0) return;
  await git(["add", "-A"], tree);
  const made = await gitLine(["write-tree"], tree);
  const commit = await gitLine(["commit-tree", made, "-p", tip, "-m", `left in ${name}`], tree);
  await git(["update-ref", `refs/holdfast/left/${name}`, commit], tree);
}

/** Of every git that works in it. */
export function tagOf(folder: string): string {
  return `branch:${folder}`;
}
