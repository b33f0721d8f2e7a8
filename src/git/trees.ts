// Our own repository of a task's snapshots, beside its workspace. The agent's .git is never opened:
// its hooks, filters and configuration have no way to run, and it may be broken or gone.
import { rmSync, writeFileSync } from "node:fs";
import { copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { asFault, codeOf, realDisk } from "../store/disk.ts";
import { ignoredBy } from "./_configured.ts";
import { rawAttributes } from "./_environment.ts";
import { textAt } from "./_folders.ts";
import { objectId, signature, writeObject } from "./_loose.ts";
import { writeBare } from "./_repository.ts";
import { bringObjects, isObjectId } from "./objects.ts";
import { endLeftovers } from "./leftovers.ts";
import type { GitPlace } from "./git.ts";

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

export interface Beginnings {
  readonly project: GitPlace;
  readonly commit: string;
  /**
   * A reference in the project keeps it alive for as long as the clone is worked in: its objects are read where
   * they are. Else they are brought over, since snapshots outlive the project's history.
   */
  readonly held: boolean;
}

/**
 * Makes the repository, unless it is whole already. `from`: the project, at the commit to begin with; `whose`:
 * what its owner ignores everywhere, or in that repository alone, is ignored here as well.
 */
export async function makeTrees(
  trees: Trees,
  from: Beginnings | null,
  whose: () => Promise<GitPlace | null> = () => Promise.resolve(from?.project ?? null),
): Promise<void> {
  const { repository } = trees;
  const base = from === null ? emptyBase(null) : from.commit;
  if (isMade(trees, base)) return;
  await endLeftovers(tagOf(repository));
  await rm(repository, { recursive: true, force: true });
  await mkdir(repository, { recursive: true, mode: 0o700 });
  const shared = from?.held === true;
  await writeBare(repository, { base, root: from?.project.cwd ?? null, shared });
  await writeFile(join(repository, "info/attributes"), rawAttributes);
  const owned = await whose();
  const theirs = owned === null ? "" : await ignoredBy(owned);
  await writeFile(join(repository, "info/exclude"), `${alwaysIgnored}${theirs}`);
  if (from === null) emptyBase(join(repository, "objects"));
  else if (!shared) {
    const place = { ...storedPlace(trees), tag: tagOf(repository) };
    await bringObjects(from.project, [`--shallow ${base}`, base], place);
  }
  // The last step: with this ref it is whole.
  await writeSynced(join(repository, baseRef), `${base}\n`);
  // No index yet, and nothing that should be in one.
  if (from === null) rememberIndex(trees, { commit: base, behind: 0 });
}

export interface StoredRef {
  /** The number of a snapshot; -1: the base. */
  readonly seq: number;
  readonly commit: string;
}

/** Those of its snapshots, the newest first, then its base: ours are plain files, which nobody packs. */
export function storedRefs({ repository }: Pick<Trees, "repository">): StoredRef[] {
  const folder = join(repository, "refs/holdfast");
  const seqs = realDisk
    .list(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .toSorted((a, b) => b - a);
  const named = seqs.map((seq) => ({ seq, path: join(folder, String(seq)) }));
  return [...named, { seq: -1, path: join(repository, baseRef) }].flatMap(({ seq, path }) => {
    const commit = textAt(path).trim();
    return isObjectId(commit) ? [{ seq, commit }] : [];
  });
}

/** The index of a clone that was just made is what its first snapshot is compared with. */
export async function adoptIndex(trees: Trees, index: string, commit: string): Promise<void> {
  await copyFile(index, treePlace(trees).index);
  rememberIndex(trees, { commit, behind: 0 });
}

/** What the index holds. */
export interface Indexed {
  readonly commit: string;
  /** How many files differed from it when somebody looked last. */
  readonly behind: number;
}

/** Undefined: nobody knows, and it has to be read again. */
export function knownIndex({ repository }: Trees): Indexed | undefined {
  const [commit = "", behind = ""] = textAt(join(repository, indexMark)).trim().split(" ");
  return isObjectId(commit) ? { commit, behind: Number(behind) } : undefined;
}

/** Undefined: somebody is about to change it. */
export function rememberIndex({ repository }: Trees, indexed: Indexed | undefined): void {
  const mark = join(repository, indexMark);
  if (indexed === undefined) rmSync(mark, { force: true });
  else writeFileSync(mark, `${indexed.commit} ${indexed.behind}\n`);
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
function isMade(trees: Trees, base: string): boolean {
  const refs = storedRefs(trees);
  const begun = refs.find(({ seq }) => seq < 0);
  return begun !== undefined && (refs.length > 1 || begun.commit === base);
}

/** The commit of a task that begins with nothing; `objects` null: only its id. */
function emptyBase(objects: string | null): string {
  const tree = objectId("tree", Buffer.alloc(0), "sha1");
  const signed = signature(undefined, 0);
  const text = `tree ${tree}\nauthor ${signed}\ncommitter ${signed}\n\nbase none\n`;
  if (objects === null) return objectId("commit", Buffer.from(text), "sha1");
  writeObject(objects, "tree", Buffer.alloc(0), "sha1");
  return writeObject(objects, "commit", Buffer.from(text), "sha1");
}

/** Which commit the index holds. */
const indexMark = "holdfast.index.of";

async function writeSynced(path: string, text: string): Promise<void> {
  const handle = realDisk.create(path, Buffer.from(text), 0o600);
  try {
    await realDisk.sync(handle);
  } finally {
    realDisk.close(handle);
  }
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
