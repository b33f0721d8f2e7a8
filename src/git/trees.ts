// Our own repository of a task's snapshots, beside its workspace. The agent's .git is never opened:
// its hooks, filters and configuration have no way to run, and it may be broken or gone.
import { lstatSync, rmSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { asFault, codeOf } from "../store/disk.ts";
import { ignoredBy } from "./_configured.ts";
import { rawAttributes } from "./_environment.ts";
import { bringObjects, objectFormat } from "./objects.ts";
import { endLeftovers } from "./leftovers.ts";
import { type GitPlace, git, gitLine, tryGit } from "./git.ts";

export interface Trees {
  /** A bare repository in Holdfast's own folder. */
  readonly repository: string;
  /** The workspace. */
  readonly workTree: string;
  /** Says which folder was made there (made.ts); none: any folder is taken as it is. */
  readonly ready?: string;
}

/** For commands that look at the workspace; the index remembers what the last snapshot saw. */
export function treePlace({ repository, workTree }: Trees): GitPlace & { index: string } {
  const index = join(repository, "holdfast.index");
  return { cwd: repository, gitDir: repository, workTree, index, tag: tagOf(repository) };
}

/** For commands that look at snapshots only. */
export function storedPlace({ repository }: Pick<Trees, "repository">): GitPlace {
  return { cwd: repository, gitDir: repository };
}

/** The tree a task began with. */
export const baseRef = "refs/holdfast-base";

/**
 * Makes the repository, unless it is whole already. `from`: the project, at the commit to begin with; `whose`:
 * what its owner ignores everywhere, or in that repository alone, is ignored here as well.
 */
export async function makeTrees(
  trees: Trees,
  from: { readonly project: GitPlace; readonly commit: string } | null,
  whose: () => Promise<GitPlace | null> = () => Promise.resolve(from?.project ?? null),
): Promise<void> {
  const { repository } = trees;
  const about = `base ${from === null ? "none" : from.commit}`;
  if (await isMade(trees, about)) return;
  await endLeftovers(tagOf(repository));
  await rm(repository, { recursive: true, force: true });
  await mkdir(repository, { recursive: true, mode: 0o700 });
  const place = { ...storedPlace(trees), tag: tagOf(repository) };
  const format = from === null ? "sha1" : await objectFormat(from.project);
  await git(["init", "-q", "--bare", "--template=", `--object-format=${format}`], place);
  await mkdir(join(repository, "info"));
  await writeFile(join(repository, "info/attributes"), rawAttributes);
  const owned = await whose();
  const theirs = owned === null ? "" : await ignoredBy(owned);
  await writeFile(join(repository, "info/exclude"), `${alwaysIgnored}${theirs}`);
  const tree = await firstTree(place, from);
  const commit = await gitLine(["commit-tree", "-m", about, tree], { ...place, at: 0 });
  // The last step: with this ref it is whole.
  await git(["update-ref", baseRef, commit], place);
}

/**
 * One at a time. The marker outlives a kill: whoever comes next ends what git processes the killed
 * one left behind, and removes their locks.
 */
export async function exclusively<T>(trees: Trees, work: () => Promise<T>): Promise<T> {
  const { repository } = trees;
  const before = running.get(repository) ?? Promise.resolve();
  const turn = before.then(async () => {
    const marker = join(repository, "busy");
    if (!(await takeMarker(marker))) await recover(repository);
    try {
      return await work();
    } catch (cause) {
      // On a full disk, half a pack is what there is no room for.
      await sweep(repository);
      throw asFault(repository, cause);
    } finally {
      // At once: nobody may come between the end of the work and its being known.
      rmSync(marker, { force: true });
    }
  });
  const settled = turn.catch(() => undefined);
  running.set(repository, settled);
  try {
    return await turn;
  } finally {
    if (running.get(repository) === settled) running.delete(repository);
  }
}

// --- internal ---

const running = new Map<string, Promise<unknown>>();

/** Made anew by a command, huge, and in nobody's .gitignore yet when an agent begins from nothing. */
const alwaysIgnored = "node_modules/\n.venv/\n__pycache__/\n.DS_Store\n";

function tagOf(repository: string): string {
  return `tree:${repository}`;
}

/** With another base it is made anew, unless there are snapshots already: those are worth more. */
async function isMade(trees: Trees, about: string): Promise<boolean> {
  const { repository } = trees;
  if (lstatSync(join(repository, "HEAD"), { throwIfNoEntry: false }) === undefined) return false;
  const format = "--format=%(refname) %(contents:subject)";
  const refs = ["for-each-ref", format, baseRef, "refs/holdfast/"];
  const { code, stdout } = await tryGit(refs, storedPlace(trees));
  const lines = stdout.toString("utf8").split("\n").slice(0, -1);
  if (code !== 0 || !lines.some((line) => line.startsWith(`${baseRef} `))) return false;
  return lines.length > 1 || lines[0] === `${baseRef} ${about}`;
}

async function firstTree(
  place: GitPlace,
  from: { readonly project: GitPlace; readonly commit: string } | null,
): Promise<string> {
  if (from === null) return gitLine(["mktree"], { ...place, input: "" });
  const name = `${from.commit}^{tree}`;
  const tree = await gitLine(["rev-parse", "--verify", "--end-of-options", name], from.project);
  await bringObjects(from.project, [tree], place);
  return tree;
}

/** False: it is there, so somebody was interrupted. */
async function takeMarker(marker: string): Promise<boolean> {
  try {
    await writeFile(marker, "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false;
    throw asFault(marker, cause);
  }
}

async function recover(repository: string): Promise<void> {
  await endLeftovers(tagOf(repository));
  await sweep(repository);
}

/** What processes of git leave that did not end by themselves. */
async function sweep(repository: string): Promise<void> {
  const names = await readdir(repository, { recursive: true });
  const stale = names.filter(
    (name) => name.endsWith(".lock") || /(?:^|\/)(?:tmp_[\w-]+|fast_import_crash_\d+)$/.test(name),
  );
  await Promise.all(
    stale.map((name) => rm(join(repository, name), { recursive: true, force: true })),
  );
}
