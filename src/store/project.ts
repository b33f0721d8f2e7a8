// Which project is the user in (S7.5)? In a clone of ours the one that it was made from (S2.11); else
// the main worktree's top, so that a linked worktree and the tree it came from share one state; else
// the nearest folder that holds a seed's file or our settings; else where the user is. `.git` is read
// by hand: starting git costs more than all the rest of a command, and would run what a hostile
// repository configures.
import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { type Clone, cloneAround } from "./clone.ts";
import { codeOf, unreadable } from "./disk.ts";
import type { Home } from "./home.ts";

export interface Project {
  /** A real path: no link in it. */
  readonly root: string;
  readonly because: "git" | "worktree" | "mark" | "here" | "clone";
  /** What was found: `.git`, `.claude/memory`, `holdfast.yaml`, the clone; "" where nothing was. */
  readonly mark: string;
  /** The repository shared by all worktrees; null without git. */
  readonly git: string | null;
}

/** What makes a folder a project where there is no git. */
export const projectMarks = [
  "holdfast.yaml",
  ".develop-workflow",
  ".claude/orchestrate-state.json",
  ".claude/memory",
  ".claude/orchestrator",
] as const;

/** Refused in a clone of another home, and where nobody knows what a clone was made from. */
export function findProject(cwd: string, home: () => Pick<Home, "path">): Project {
  const here = realFolder(cwd);
  const clone = ownClone(here, home);
  return clone === undefined ? projectAround(here) : madeFrom(clone);
}

/**
 * The clone that a folder lies in; refused if it is of another home. Only our own is believed: what
 * was unpacked from an archive could look like a home, and lead us to any other project of this user.
 */
export function ownClone(cwd: string, own: () => Pick<Home, "path">): Clone | undefined {
  const clone = cloneAround(realpathOr(cwd), () => own().path);
  if (clone === undefined || clone.home === realpathOr(own().path)) return clone;
  const { home, folder } = clone;
  throw new Fault("refused", msg("project.workspace_elsewhere", { path: folder, home }), {
    hint: msg("project.workspace_elsewhere.hint", { home }),
  });
}

/** The repository that a folder belongs to, shared by all its worktrees; null without git. */
export function repositoryAround(folder: string): string | null {
  return projectAround(realFolder(folder)).git;
}

// --- internal ---

function projectAround(here: string): Project {
  for (const folder of upwards(here)) {
    const found = gitProject(folder);
    if (found) return found;
  }
  for (const folder of upwards(here)) {
    const mark = projectMarks.find((name) => exists(join(folder, name)));
    if (mark !== undefined) return { root: folder, because: "mark", mark, git: null };
  }
  return { root: here, because: "here", mark: "", git: null };
}

function madeFrom({ home, folder: path }: Clone): Project {
  const named = rootIn(smallText(`${path}.ready`) ?? "");
  const root = named !== undefined && isFolder(named) ? realpathOr(named) : undefined;
  if (named === undefined || root === undefined || cloneAround(root, () => home) !== undefined)
    throw new Fault(
      "refused",
      named === undefined
        ? msg("project.workspace_lost", { path })
        : msg("project.workspace_moved", { path, root: named }),
      { hint: msg("project.workspace_lost.hint") },
    );
  return { ...projectAround(root), because: "clone", mark: path };
}

/** What makeWorkspace wrote when the clone was whole. */
function rootIn(text: string): string | undefined {
  try {
    const { root } = JSON.parse(text) as { readonly root?: unknown };
    return typeof root === "string" && isAbsolute(root) ? root : undefined;
  } catch {
    return undefined;
  }
}

/** A file stands for the folder it lies in. */
function realFolder(cwd: string): string {
  try {
    const path = realpathSync.native(cwd);
    return statSync(path).isDirectory() ? path : dirname(path);
  } catch (cause) {
    const code = codeOf(cause);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw unreadable(cwd, cause);
    throw new Fault("not_found", msg("project.no_folder", { path: cwd }), {
      hint: msg("project.no_folder.hint"),
      cause,
    });
  }
}

function* upwards(from: string): Generator<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    yield folder;
    if (folder === dirname(folder)) return;
  }
}

function gitProject(folder: string): Project | undefined {
  const path = join(folder, ".git");
  const stats = statsOf(path);
  if (stats === undefined) return undefined;
  // A folder that merely has the name is none to git either.
  if (stats.isDirectory())
    return exists(join(path, "HEAD"))
      ? { root: folder, because: "git", mark: ".git", git: realpathOr(path) }
      : undefined;
  const directory = gitFile(path);
  return directory === undefined ? undefined : linked(folder, path, directory);
}

/** `.git` is a file: of a linked worktree, a submodule, or a repository kept elsewhere. */
function linked(folder: string, path: string, directory: string): Project {
  const own: Project = { root: folder, because: "git", mark: ".git", git: directory };
  const common = smallText(join(directory, "commondir"));
  if (common === undefined) return own;
  // Git itself writes the way back. Without it, a file unpacked from an archive could point us
  // at any other project of this user.
  const back = smallText(join(directory, "gitdir"));
  if (back === undefined || realpathOr(resolve(directory, back)) !== realpathOr(path)) return own;
  const git = realpathOr(resolve(directory, common));
  const main = mainWorktree(git);
  if (main === undefined) return { ...own, git };
  return { root: main, because: "worktree", mark: ".git", git };
}

/** undefined: a bare repository, which has none; each of its worktrees stands for itself. */
function mainWorktree(git: string): string | undefined {
  const config = smallText(join(git, "config")) ?? "";
  if (/^\s*bare\s*=\s*true\s*$/im.test(config)) return undefined;
  const named = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(config)?.[1];
  const folder = named === undefined ? beside(git) : resolve(git, named);
  return folder !== undefined && isFolder(folder) ? realpathOr(folder) : undefined;
}

function beside(git: string): string | undefined {
  return basename(git) === ".git" ? dirname(git) : undefined;
}

function gitFile(path: string): string | undefined {
  const named = /^gitdir: (.+)$/m.exec(smallText(path) ?? "")?.[1];
  if (named === undefined) return undefined;
  const directory = resolve(dirname(path), named.trim());
  return isFolder(directory) ? realpathOr(directory) : undefined;
}

const mostBytes = 1024 * 1024;

function smallText(path: string): string | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= mostBytes
      ? readFileSync(path, "utf8").trim()
      : undefined;
  } catch {
    return undefined;
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false;
}

/** What may not be looked at is no mark of a project. */
function statsOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function realpathOr(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
