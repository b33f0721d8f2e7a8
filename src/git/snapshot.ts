// Snapshots of a workspace (S1.19): commits without parents in our own repository, one a ref, so
// that each can be kept or dropped by itself. Byte for byte; only git's two file modes are kept, and
// no empty folders.
//
// Taking one: the index holds what the clone began with, or an earlier snapshot; git names what differs from it
// (it knows .gitignore and remembers times and sizes), we read those files ourselves (never through a link,
// no secret in them) and hand them to fast-import, which either finishes the commit and its ref or
// leaves nothing. Two processes; two more when the index has to be brought up to date.
//
// What stays out is told, never lost in silence: see LeftOut.
import { lstatSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { type ChangedFile, changesIn, noMode } from "./_changed.ts";
import { absolute, isTreePath } from "./files.ts";
import { lookAtFolder, readReady, requireThere, swappedFault, writeReady } from "./made.ts";
import { isObjectId } from "./objects.ts";
import { type Gathered, gather, importTree, stateOf } from "./_snapshot-import.ts";
import { type LeftOut, mostMebibytes, readReport } from "./_snapshot-report.ts";
import { type SetAside, setAside } from "./_snapshot-aside.ts";
import { type Changes, bytesOf, gitlink, listChanges } from "./_snapshot-list.ts";
import {
  type Trees,
  baseRef,
  exclusively,
  knownIndex,
  rememberIndex,
  storedPlace,
  storedRefs,
  treePlace,
} from "./trees.ts";
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
  /** One that was taken before by this process: if nothing has changed since, it is the answer. */
  readonly before?: Taken;
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
  requireThere(trees);
  return exclusively(trees, async () => {
    const refs = storedRefs(trees);
    if (refs.some((each) => each.seq === seq)) return describe(trees, ref);
    const known = knownIndex(trees)?.commit;
    const isCurrent = known === refs[0]?.commit || known === seen(options.before)?.from;
    if (known !== undefined && isCurrent) {
      // Should that fail, the index or what it was read from may be damaged: then it is read again.
      const taken = await takeFrom(options, ref, known).catch(() => undefined);
      if (taken !== undefined) return taken;
    }
    return takeFrom(options, ref, await setIndex(trees, refs));
  });
}

/** Which files differ from what the task began with. */
export async function changesOf(
  trees: Trees,
  taken: Pick<Taken, "commit">,
): Promise<readonly ChangedFile[]> {
  return seen(taken)?.changes ?? changesIn(storedPlace(trees), baseRef, taken.commit);
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
    await setIndex(trees, [taken]);
    rememberIndex(trees, undefined);
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
export function baseOf(trees: Trees): string | null {
  return storedRefs(trees).find(({ seq }) => seq < 0)?.commit ?? null;
}

/** Of the newest snapshot whose number is of this kind; null: there is none that can be read. */
export async function newestTree(
  trees: Trees,
  isWanted: (seq: number) => boolean,
): Promise<string | null> {
  const newest = storedRefs(trees).find(({ seq }) => seq >= 0 && isWanted(seq));
  if (newest === undefined) return null;
  const asked = ["rev-parse", "--verify", "-q", `${newest.commit}^{tree}`];
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

/** What this process saw of the workspace when it took one. */
interface Seen {
  /** The commit that it was compared with. */
  readonly from: string;
  readonly state: string;
  /** Undefined: compared with something else than what the task began with. */
  readonly changes: readonly ChangedFile[] | undefined;
}

const allSeen = new WeakMap<Pick<Taken, "commit">, Seen>();

function seen(taken: Pick<Taken, "commit"> | undefined): Seen | undefined {
  return taken && allSeen.get(taken);
}

/** So many changed files are compared by their content before it pays to remember their times and sizes. */
const mostBehind = 500;

async function takeFrom(options: TakeOptions, ref: string, from: string): Promise<Taken> {
  const { trees, before, at, secrets = [], maxFileBytes = mostFileBytes } = options;
  const isBase = from === baseOf(trees);
  const changes = await listChanges(trees, options, isBase);
  const wanted = { trees, ref, from, changes, at, secrets, maxFileBytes };
  if (before !== undefined && stateOf(from, gather(wanted)) === seen(before)?.state) return before;
  const made = await importTree(wanted);
  // Something else may have come into the workspace's place while it was read.
  if (lookAtFolder(trees) === "swapped") {
    await git(["update-ref", "-d", ref], storedPlace(trees));
    rememberIndex(trees, undefined);
    throw swappedFault(trees.workTree);
  }
  rememberIndex(trees, { commit: from, behind: changes.candidates.size });
  const sizes = sizesOf(trees, changes, made);
  // What an unreadable or dropped file has left in the tree only git knows.
  if (sizes === undefined) return describe(trees, ref);
  const { commit, tree, report: leftOut } = made;
  const taken = { commit, tree, ...sizes, leftOut };
  const since = isBase ? changedIn(changes, made) : undefined;
  allSeen.set(taken, { from, state: stateOf(from, made), changes: since });
  return taken;
}

/** How many files the tree has, and their bytes; undefined: that cannot be told from what was looked at. */
function sizesOf(
  { workTree }: Trees,
  { tracked, leftOut }: Changes,
  { kept, gone, dropped }: Gathered,
): { readonly files: number; readonly bytes: number } | undefined {
  if (dropped.length > 0 || [...leftOut.values()].includes("unreadable")) return undefined;
  let [files, bytes] = [kept.size, 0];
  for (const { size } of kept.values()) bytes += size;
  const without = new Set(gone);
  for (const [path, { mode }] of tracked) {
    if (mode === gitlink || kept.has(path) || without.has(path)) continue;
    const stats = lstatSync(absolute(workTree, bytesOf(path)), { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    files++;
    bytes += stats.size;
  }
  return { files, bytes };
}

/** Against what is in the index. */
function changedIn({ tracked }: Changes, { kept, gone }: Gathered): ChangedFile[] {
  const none = { mode: noMode, id: "" };
  const written = [...kept].map(([path, { mode, id }]) => {
    return { path, old: tracked.get(path) ?? none, now: { mode, id } };
  });
  const removed = gone.flatMap((path) => {
    const old = tracked.get(path);
    return old === undefined ? [] : [{ path, old, now: none }];
  });
  return [...removed, ...written].filter(
    ({ old, now }) => old.mode !== now.mode || old.id !== now.id,
  );
}

/**
 * The index becomes the first of these whose trees can be read, and keeps what it knows of files
 * that are the same. Whatever a killed process had done to it is forgotten. Returns which it is.
 */
async function setIndex(
  trees: Trees,
  refs: readonly { readonly commit: string }[],
): Promise<string> {
  const place = treePlace(trees);
  const behind = knownIndex(trees)?.behind ?? Infinity;
  rememberIndex(trees, undefined);
  let words = "";
  for (const { commit } of refs) {
    let read = await tryGit(["read-tree", "-m", commit], place);
    if (read.code !== 0) {
      // Perhaps it is the index that is damaged: it holds nothing that cannot be read again.
      await rm(place.index, { force: true });
      read = await tryGit(["read-tree", commit], place);
    }
    words = read.stderr;
    if (read.code !== 0) continue;
    // Exit code 1 says that some differ; that is what we are here for.
    if (behind > mostBehind) await tryGit(["update-index", "-q", "--really-refresh"], place);
    return commit;
  }
  const fault = gitFault(["read-tree"], words, place);
  if (fault.text.key === "disk.full") throw fault;
  throw new Fault("corrupt", msg("snapshot.none", { path: trees.repository }), { cause: fault });
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
