// Where git keeps what belongs to a tree.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { repositoryAround } from "../store/project.ts";
import type { GitPlace } from "./git.ts";

/** The repository that all worktrees of the project share. */
export function commonFolder({ cwd }: Pick<GitPlace, "cwd">): string {
  return repositoryAround(cwd) ?? join(cwd, ".git");
}

/** Git's own folder of one worktree: where its HEAD and its index lie. */
export function gitFolder(tree: string): string {
  const path = join(tree, ".git");
  const [, folder] = /^gitdir: (.+)$/m.exec(textAt(path)) ?? [];
  return folder === undefined ? path : resolve(tree, folder);
}

/** "": there is none, or it cannot be read. */
export function textAt(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
