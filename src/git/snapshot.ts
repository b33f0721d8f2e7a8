// Snapshots of a workspace (S1.19): commits without parents in our own repository, one a ref, so
// that each can be kept or dropped by itself. Byte for byte; only git's two file modes are kept, and
// no empty folders.
//
// Taking one: the index is set to the newest snapshot, git names what differs from it (it knows
// .gitignore and remembers times and sizes), we read those files ourselves (never through a link,
// no secret in them) and hand them to fast-import, which either finishes the commit and its ref or
// leaves nothing. 10,000 files take 1.2 s the first time, 0.1 s after that.
//
// What stays out is told, never lost in silence: see LeftOut.
import { mkdir, rm } from "node:fs/promises";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { isTreePath } from "./files.ts";
import { lookAtFolder, readReady, requireOurs, writeReady } from "./made.ts";
import { isObjectId } from "./objects.ts";
import { importTree } from "./_snapshot-import.ts";
import { type LeftOut, mostMebibytes, readReport } from "./_snapshot-report.ts";
import { type SetAside, setAside } from "./_snapshot-aside.ts";
import { listChanges } from "./_snapshot-list.ts";
import { type Trees, baseRef, exclusively, storedPlace, treePlace } from "./trees.ts";
import { git, gitFault, gitLine, tryGit } from "./git.ts";

export { type FileDiff, diffTrees } from "./_snapshot-diff.ts";
export { type Trees, makeTrees } from "./trees.ts";

export interface TakeOptions {
  readonly trees: Trees;
  /** Higher for each; the same again gives what was taken under it. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Values that must not get into it. */
  readonly secrets?: readonly string[];
  /** Declared deliverables are kept even where .gitignore names them. */
  readonly deliverables?: readonly string[];
  readonly maxFileBytes?: number;
}

export interface Taken {
  readonly commit: string;
  readonly tree: string;
  readonly files: number;
  readonly bytes: number;
  readonly leftOut: readonly LeftOut[];
}

export async function takeTree(options: TakeOptions): Promise<Taken> {
  const { trees, seq } = options;
  const ref = refOf(seq);
  requireOurs(trees);
  return exclusively(trees, async () => {
    const refs = await snapshotRefs(trees);
    if (!refs.includes(ref)) {
      const from = await setIndex(trees, [...refs, baseRef]);
      const changes = await listChanges(trees, options);
      const { at, secrets = [], maxFileBytes = mostFileBytes } = options;
      await importTree({ trees, ref, from, changes, at, secrets, maxFileBytes });
    }
    return describe(trees, ref);
  });
}

export interface Restored {
  /** The workspace as it was: restoring that undoes this. */
  readonly before: Taken;
  /** Files that stood in the way and are in no snapshot. */
  readonly setAside: readonly SetAside[];
}

/**
 * Makes the workspace equal to a snapshot, after one was taken of how it is: only what that one
 * holds is removed or replaced, ignored files stay. After an interruption the same call goes on.
 */
export async function restoreTree(commit: string, before: TakeOptions): Promise<Restored> {
  const { trees } = before;
  await requireWhole(trees, commit);
  await makeAgain(trees);
  const taken = await takeTree(before);
  return exclusively(trees, async () => {
    await setIndex(trees, [refOf(before.seq)]);
    const aside = await setAside(trees, commit);
    await git(["read-tree", "--reset", "-u", "--end-of-options", commit], treePlace(trees));
    const differ = ["diff-files", "-z", "--name-only", "--ignore-submodules=all"];
    const rest = await git(differ, treePlace(trees));
    if (rest.length > 0) throw notRestored(rest);
    return { before: taken, setAside: aside };
  });
}

/** Is everything of it there and undamaged? The newest valid one wins, whatever others have lost. */
export async function isWhole(trees: Trees, commit: string): Promise<boolean> {
  if (!isObjectId(commit)) return false;
  const { code, stderr } = await tryGit(
    ["rev-list", "--quiet", "--objects", "--verify-objects", "--end-of-options", commit],
    { ...storedPlace(trees), seconds: 3_600 },
  );
  // A wrong content is an error to git, but no reason to end with another code.
  return code === 0 && !/^error:/m.test(stderr);
}

/** A file of a snapshot; undefined where it has none. A link's bytes are where it points. */
export async function fileAt(
  trees: Trees,
  commit: string,
  path: string,
  maxBytes = 16 * 1024 * 1024,
): Promise<{ readonly bytes: Buffer; readonly link: boolean } | undefined> {
  requireId(commit);
  if (!isTreePath(path) || path.endsWith("/")) return undefined;
  const place = storedPlace(trees);
  const listed = await git(
    ["--literal-pathspecs", "ls-tree", "-z", "-l", "--full-tree", "--end-of-options", commit, path],
    place,
  );
  const [, mode, id = "", size = ""] = /^(\d+) blob (\w+) +(\d+)\t/.exec(listed.toString()) ?? [];
  if (mode === undefined) return undefined;
  if (Number(size) > maxBytes)
    throw new Fault("refused", msg("file.too_large", { path, size, max: maxBytes }), {
      hint: msg("snapshot.too_large.hint"),
    });
  const bytes = await git(["cat-file", "blob", id], { ...place, maxOutput: maxBytes });
  return { bytes, link: mode === "120000" };
}

/** The tree the task began with, where it is still there. */
export async function baseOf(trees: Trees): Promise<string | null> {
  const { code, stdout } = await tryGit(
    ["rev-parse", "--verify", "-q", baseRef],
    storedPlace(trees),
  );
  return code === 0 ? stdout.toString().trim() : null;
}

/** Of the newest snapshot whose number is of this kind; null: there is none that can be read. */
export async function newestTree(
  trees: Trees,
  isWanted: (seq: number) => boolean,
): Promise<string | null> {
  const newest = (await snapshotRefs(trees)).find((ref) => isWanted(numberOf(ref)));
  if (newest === undefined) return null;
  const asked = ["rev-parse", "--verify", "-q", `${newest}^{tree}`];
  const { code, stdout } = await tryGit(asked, storedPlace(trees));
  return code === 0 ? stdout.toString().trim() : null;
}

/** The names of all its files. */
export async function filesAt(trees: Trees, commit: string): Promise<string[]> {
  requireId(commit);
  const args = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", "--end-of-options", commit];
  const listed = await git(args, { ...storedPlace(trees), maxOutput: mostNames });
  return listed.toString("utf8").split("\0").slice(0, -1);
}

// --- internal ---

const mostFileBytes = mostMebibytes * 1024 * 1024;
const mostNames = 256 * 1024 * 1024;

function refOf(seq: number): string {
  if (!Number.isSafeInteger(seq) || seq < 0)
    throw new Fault("internal", msg("error.internal", { detail: `not a snapshot: ${seq}` }));
  return `refs/holdfast/${seq}`;
}

function requireId(commit: string): void {
  if (!isObjectId(commit))
    throw new Fault("invalid_input", msg("snapshot.no_id", { id: commit.slice(0, 80) }));
}

async function requireWhole(trees: Trees, commit: string): Promise<void> {
  requireId(commit);
  if (!(await isWhole(trees, commit)))
    throw new Fault("corrupt", msg("snapshot.damaged", { commit, path: trees.repository }), {
      hint: msg("snapshot.damaged.hint"),
    });
}

/** A workspace that is gone is begun again as an empty folder; it is another one from then on. */
async function makeAgain(trees: Trees): Promise<void> {
  if (lookAtFolder(trees) !== "gone") return;
  const made = readReady(trees);
  await mkdir(trees.workTree, { recursive: true, mode: 0o700 });
  if (made !== undefined) await writeReady(trees, made);
}

/** Newest first. */
async function snapshotRefs(trees: Trees): Promise<string[]> {
  const args = ["for-each-ref", "--format=%(refname)", "refs/holdfast/"];
  const names = (await gitLine(args, storedPlace(trees))).split("\n");
  return names.filter((name) => name !== "").toSorted((a, b) => numberOf(b) - numberOf(a));
}

/**
 * The index becomes the first of these whose trees can be read, and keeps what it knows of files
 * that are the same. Whatever a killed process had done to it is forgotten.
 */
async function setIndex(trees: Trees, refs: readonly string[]): Promise<string> {
  const place = treePlace(trees);
  let words = "";
  for (const ref of refs) {
    let read = await tryGit(["read-tree", "-m", ref], place);
    if (read.code !== 0) {
      // Perhaps it is the index that is damaged: it holds nothing that cannot be read again.
      await rm(place.index, { force: true });
      read = await tryGit(["read-tree", ref], place);
    }
    words = read.stderr;
    if (read.code !== 0) continue;
    // Exit code 1 says that some differ; that is what we are here for.
    await tryGit(["update-index", "-q", "--really-refresh"], place);
    return ref;
  }
  const fault = gitFault(["read-tree"], words, place);
  if (fault.text.key === "disk.full") throw fault;
  throw new Fault("corrupt", msg("snapshot.none", { path: trees.repository }), { cause: fault });
}

function numberOf(ref: string): number {
  return Number(ref.slice(ref.lastIndexOf("/") + 1));
}

async function describe(trees: Trees, ref: string): Promise<Taken> {
  const place = { ...storedPlace(trees), maxOutput: mostNames };
  const format = "--format=%(objectname) %(tree)%0a%(contents:body)";
  const [ids = "", ...body] = (await gitLine(["for-each-ref", format, ref], place)).split("\n");
  const [commit = "", tree = ""] = ids.split(" ");
  const listed = await git(["ls-tree", "-r", "-l", "-z", "--full-tree", ref], place);
  const sizes = [...listed.toString("latin1").matchAll(/(?:^|\0)\d+ blob \w+ +(\d+)\t/g)];
  const bytes = sizes.reduce((sum, [, size]) => sum + Number(size), 0);
  return { commit, tree, files: sizes.length, bytes, leftOut: readReport(body.join("\n")) };
}

function notRestored(rest: Buffer): Fault {
  const names = rest.toString("utf8").split("\0").slice(0, -1);
  const paths = names.slice(0, 5).join(", ");
  return new Fault("internal", msg("snapshot.not_restored", { paths }), {
    hint: msg("snapshot.not_restored.hint"),
  });
}
