// What holds whatever a person does beside a run (S2.6): their things are as they left them, what is called
// completed is somewhere, and no git of ours left a lock.
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, readdirSync, readlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { filesOf, type Person, unitsIn } from "./person.ts";
import type { Scene } from "./scene.ts";

/** All of a person's that a run could touch. */
export interface Theirs {
  readonly head: string;
  readonly config: string;
  readonly refs: Readonly<Record<string, string>>;
  readonly stash: string;
  readonly worktrees: readonly string[];
  readonly operations: readonly string[];
  /** What differs from HEAD, staged and not, and every file that git does not track. */
  readonly staged: string;
  readonly changed: string;
  readonly files: Readonly<Record<string, string>>;
  readonly target: string | null;
}

export function theirsOf(person: Person, target: string): Theirs {
  const { project } = person;
  const git = (...words: string[]): string =>
    person.try("-c", "core.quotePath=false", ...words).out;
  const common = commonOf(person);
  const own = git("rev-parse", "--path-format=absolute", "--git-dir").trim();
  const ref = `refs/heads/${target}`;
  const rows = git("for-each-ref", "--format=%(refname) %(objectname) %(worktreepath)").split("\n");
  const refs = rows.flatMap((row) => {
    const [, name = "", id = "", tree = ""] = /^(\S+) (\w+) (.*)$/.exec(row) ?? [];
    const isOurs = name.startsWith("refs/holdfast/") || name === ref || name === "";
    // A copy that nobody has checked out moves with the run.
    const isCopy = name.startsWith("refs/heads/phase-") && (tree === "" || isOurTree(person, tree));
    return isOurs || isCopy ? [] : [[name, id] as const];
  });
  const other = ["--", ".", ":!.claude", ":!worktree"];
  const untracked = git("ls-files", "-z", "-o", ...other)
    .split("\0")
    .slice(0, -1);
  return {
    head: person.try("symbolic-ref", "-q", "HEAD").out.trim() || git("rev-parse", "HEAD").trim(),
    config: readFileSync(join(common, "config"), "utf8"),
    refs: Object.fromEntries(refs),
    stash: git("stash", "list"),
    worktrees: git("worktree", "list", "--porcelain")
      .split("\n")
      .flatMap((line) => (line.startsWith("worktree ") ? [line.slice("worktree ".length)] : []))
      .filter((tree) => !isOurTree(person, tree)),
    operations: operations.filter((name) => existsSync(join(own, name))),
    staged: git("diff", "--cached", "--binary", "--no-ext-diff", ...other),
    changed: git("diff", "--binary", "--no-ext-diff", ...other),
    files: Object.fromEntries(untracked.map((path) => [path, sumOf(join(project, path))])),
    target: person.try("rev-parse", "-q", "--verify", ref).out.trim() || null,
  };
}

/** Nothing of theirs has changed but what landed. */
export function expectSame(person: Person, before: Theirs, now: Theirs): void {
  const { target: was, ...rest } = before;
  const { target: is, ...found } = now;
  expect(found).toEqual(rest);
  if (was === null || is === null) return;
  const { code } = person.try("merge-base", "--is-ancestor", was, is);
  expect({ was, is, movedBack: code !== 0 }).toEqual({ was, is, movedBack: false });
}

/** Every unit of the plan is completed, and no git of ours holds anything. */
export function expectAllDone(person: Person, scene: Scene): void {
  expect(new Set(person.state().tasks.completed)).toEqual(new Set(unitsIn(scene)));
  expect(locksIn(person)).toEqual([]);
}

/** What the state calls completed is on one of these commits. */
export function expectThere(person: Person, scene: Scene, commits: readonly string[]): void {
  expect(missingFrom(person, scene, commits)).toEqual([]);
}

/** What a run has under names of its own: what is put together, what has landed. */
export function keptOf(person: Person, run: string): string[] {
  const below = ["branch", "landed"].map((kind) => `refs/holdfast/${run}/${kind}/`);
  return person
    .git("for-each-ref", "--format=%(objectname)", ...below)
    .split("\n")
    .filter((id) => id !== "");
}

export function runsIn(person: Person): string[] {
  const names = person.git("for-each-ref", "--format=%(refname)", "refs/holdfast/").split("\n");
  return [...new Set(names.flatMap((name) => name.split("/")[2] ?? []))];
}

// --- internal ---

function locksIn(person: Person): string[] {
  return readdirSync(commonOf(person), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".lock"),
  );
}

/** Completed units that are on none of these commits: `T1.1 (history)`, `T1.1 (T1.1.txt)`. */
export function missingFrom(person: Person, scene: Scene, commits: readonly string[]): string[] {
  const { gone = [], changed = [] } = scene;
  const completed = new Set(person.state().tasks.completed);
  return unitsIn(scene)
    .filter((unit) => completed.has(unit) && !gone.includes(unit))
    .flatMap((unit) => {
      const isIn = commits.some((commit) => hasUnit(person, unit, commit));
      const lost = Object.entries(filesOf(scene, unit)).filter(
        ([path, text]) =>
          !changed.includes(path) &&
          !commits.some((commit) => textAt(person, commit, path) === text),
      );
      return [...(isIn ? [] : [`${unit} (history)`]), ...lost.map(([path]) => `${unit} (${path})`)];
    });
}

const operations = [
  "MERGE_HEAD",
  "rebase-merge",
  "rebase-apply",
  "BISECT_LOG",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
];

function commonOf({ project, try: git }: Person): string {
  return resolve(
    project,
    git("rev-parse", "--path-format=absolute", "--git-common-dir").out.trim(),
  );
}

function isOurTree({ project }: Person, tree: string): boolean {
  return tree.startsWith(join(project, "worktree/"));
}

/** By a run's own name for it, or, where its commit was amended or moved, by its line. */
function hasUnit(person: Person, unit: string, commit: string): boolean {
  const below = `refs/holdfast/*/merged/${unit}-*`;
  if (person.git("for-each-ref", `--merged=${commit}`, below) !== "") return true;
  const log = person.git("log", "--format=%(trailers:key=Holdfast-Unit,valueonly)", commit);
  return log.split("\n").some((line) => line.startsWith(`${unit}-`));
}

function textAt(person: Person, commit: string, path: string): string | undefined {
  const { code, out } = person.try("cat-file", "blob", `${commit}:${path}`);
  return code === 0 ? out : undefined;
}

function sumOf(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  if (!found?.isFile()) return "folder";
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
