// Moves the branch that a run lands on, and the files of whoever has it checked out, as one step (S2.6).
//
//   update-ref: start, update, prepare   git holds the reference, and HEAD where it points there: nobody can
//                                        commit to it or switch away from it now
//   read-tree -m -u <old> <new>          refuses before it changes anything where a file of somebody's is in
//                                        the way: then `abort`, and the run is held
//   update-ref: commit
//
// After a kill both are repeated: the two-tree merge finds its own result and changes nothing. A git that was
// killed leaves locks, which would disable the user's own git; which ones it may have taken is written down
// before (`landing.json`), so that whoever comes next removes exactly these.
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { forgetConfiguration } from "./_configured.ts";
import { type Dialogue, startDialogue } from "./_dialogue.ts";
import { type GitPlace, git, lockIn, tryGit } from "./git.ts";
import { type Held, inTheWay } from "./held.ts";
import { endLeftovers } from "./leftovers.ts";
import { knownPlace, withoutFilters } from "./project.ts";
import { type RefMove, branchOf, linesOf, readRefs } from "./refs.ts";
import { commonFolder, gitFolder } from "./_folders.ts";
import { type StandingTarget } from "./target.ts";

export interface TargetMove {
  readonly root: string;
  readonly target: StandingTarget;
  readonly to: string;
  /** References of ours that go with it, or none of it happens. */
  readonly marks: readonly RefMove[];
}

/**
 * For whoever alone lands in this repository now. A text: it is not where it was seen any more, or somebody
 * has it for a moment; look again.
 */
export async function moveTarget(move: TargetMove): Promise<true | string | Held> {
  const project = { ...(await knownPlace(move.root)), tag: landTag(move.root) };
  await freeLanding(move.root);
  const record = recordOf(move);
  writeRecord(record);
  try {
    const outcome = await inTransaction(move, project);
    // Git alone was killed, and not who called it.
    if (outcome === killed) removeLocks(record);
    return outcome === killed ? "git was ended" : outcome;
  } finally {
    rmSync(record.path, { force: true });
  }
}

/** What a landing that was killed left: its git processes, then the locks they held. Told by who calls. */
export async function freeLanding(root: string): Promise<string[]> {
  const path = recordPath(commonFolder({ cwd: root }));
  const record = readRecord(path);
  if (record === undefined) return [];
  await endLeftovers(landTag(root));
  const removed = removeLocks(record);
  rmSync(path, { force: true });
  return removed;
}

// --- internal ---

const killed = Symbol("killed");
type Outcome = true | string | Held | typeof killed;

/** How long a lock of somebody's is waited for: a commit or an `add` holds it for a moment. */
const mostTries = 40;
const stepMs = 50;

function landTag(root: string): string {
  return `land:${root}`;
}

async function inTransaction(move: TargetMove, project: GitPlace): Promise<Outcome> {
  const { target, to, marks } = move;
  const place = { ...project, cwd: target.tree ?? project.cwd };
  // The marks first: should only these be written, the next round finds them and moves the branch.
  const moves = [
    ...marks,
    ...(to === target.tip ? [] : [{ name: target.ref, from: target.tip, to }]),
  ];
  const talk = startDialogue(["update-ref", "--no-deref", "--stdin", "-z"], place);
  const prepared = await talk.say(`start\0${linesOf(moves)}prepare\0`, "prepare: ok");
  if (prepared !== true) return over(talk, prepared);
  let outcome: Outcome;
  try {
    outcome = await updateFiles(move, project);
  } catch (cause) {
    await over(talk, await talk.say("abort\0", "abort: ok"));
    throw cause;
  }
  const last = outcome === true ? "commit" : "abort";
  const ended = await over(talk, await talk.say(`${last}\0`, `${last}: ok`));
  return outcome === true || ended === killed ? ended : outcome;
}

async function over(talk: Dialogue, outcome: true | string): Promise<Outcome> {
  return (await talk.end()) ? killed : outcome;
}

/** The files of the tree that has the target checked out. */
async function updateFiles({ target, to }: TargetMove, project: GitPlace): Promise<Outcome> {
  // Only now nobody can switch: a look before this would be worth nothing.
  const now = isAt(target.tree, target.ref)
    ? target.tree
    : ((await readRefs(project, [target.ref])).get(target.ref)?.tree ?? null);
  if (now !== target.tree) return "it was checked out elsewhere meanwhile";
  if (now === null || to === target.tip) return true;
  const name = branchOf(target.ref);
  const tree = { ...(await withoutFilters({ ...project, cwd: now })), seconds: 3_600 };
  const hidden = await ignoredInTheWay(tree, target.tip, to);
  if (hidden.length > 0) return inTheWay(name, hidden.slice(0, 10).join(", "));
  for (let tries = 1; ; tries++) {
    const read = await tryGit(["read-tree", "-m", "-u", target.tip, to], tree);
    forgetConfiguration();
    if (read.code === 0) return true;
    if (read.signal !== null) return killed;
    if (lockIn(read.stderr) === undefined || tries === mostTries)
      return inTheWay(name, read.stderr.trim());
    await pause(stepMs);
  }
}

/** Does HEAD of that tree say so? Where it does not, git is asked: it may keep it in another form. */
function isAt(tree: string | null, ref: string): boolean {
  return tree !== null && textOf(join(gitFolder(tree), "HEAD"))?.trim() === `ref: ${ref}`;
}

/** Git overwrites an ignored file without a word; it may be the only copy of somebody's settings. */
async function ignoredInTheWay(tree: GitPlace, from: string, to: string): Promise<string[]> {
  const args = [
    "diff-tree",
    "-r",
    "-z",
    "--name-only",
    "--no-renames",
    "--diff-filter=A",
    from,
    to,
  ];
  const added = (await git(args, { ...tree, maxOutput: mostBytes })).toString("utf8").split("\0");
  const there = added.slice(0, -1).filter((path) => isThere(join(tree.cwd, path)));
  if (there.length === 0) return [];
  // After a kill they are what we wrote, and in the index.
  const listed = await git(["ls-files", "-z"], { ...tree, maxOutput: mostBytes });
  const tracked = new Set(listed.toString("utf8").split("\0"));
  return there.filter((path) => !tracked.has(path));
}

const mostBytes = 256 * 1024 * 1024;

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

// --- what a killed git left ---

interface Record {
  readonly path: string;
  /** Locks of references, with what stands in them while they are ours. */
  readonly references: readonly { readonly lock: string; readonly holds: string }[];
  /** Locks that say nothing: of HEAD, of the index. */
  readonly others: readonly string[];
  readonly at: number;
}

function recordOf({ root, target, to, marks }: TargetMove): Record {
  const common = commonFolder({ cwd: root });
  const own = gitFolder(target.tree ?? root);
  const references = [...marks, { name: target.ref, to }].map(({ name, to: holds }) => {
    return { lock: join(common, `${name}.lock`), holds: holds ?? "" };
  });
  const others = ["HEAD.lock", "index.lock"].map((name) => join(own, name));
  return { path: recordPath(common), references, others, at: Date.now() };
}

function recordPath(common: string): string {
  return join(common, "holdfast", "landing.json");
}

function writeRecord(record: Record): void {
  mkdirSync(dirname(record.path), { recursive: true });
  writeFileSync(record.path, JSON.stringify(record));
}

function readRecord(path: string): Record | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record;
  } catch {
    return undefined;
  }
}

/**
 * A lock of a reference is known by what it holds. Those that say nothing are ours only if they came after
 * the landing began.
 */
function removeLocks({ references, others, at }: Record): string[] {
  const ours = references.filter(({ lock, holds }) => textOf(lock)?.trim() === holds);
  const names = [
    ...ours.map(({ lock }) => lock),
    ...others.filter(
      (lock) => (lstatSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= at - 1,
    ),
  ];
  for (const lock of names) rmSync(lock, { force: true });
  return names;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
