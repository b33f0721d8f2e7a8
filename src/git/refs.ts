// The references that a run has in the project's repository. They are the only truth about its work: what
// users see (`refs/heads/phase-1-auth`) is a copy of it.
//
//   refs/holdfast/<run>/base            the target's commit when the run began
//   refs/holdfast/<run>/onto/<branch>   which branch that is: where the run lands, whatever HEAD says later
//   refs/holdfast/<run>/began/<claim>   where a session's clone began, until what it made is there
//   refs/holdfast/<run>/unit/<key>      what one attempt made, as one commit on where it began
//   refs/holdfast/<run>/whole/<key>     the same with the state files the agent wrote, for whoever reads one of them
//   refs/holdfast/<run>/merged/<key>    its commit on the branch
//   refs/holdfast/<run>/branch/<name>   a phase as it was put together
//   refs/holdfast/<run>/shown/<name>    what was last written to refs/heads/<name>
//   refs/holdfast/<run>/landed/<name>   its merge into the target
//   refs/holdfast/<run>/left/<name>     what somebody wrote in its worktree and did not commit
//   refs/holdfast/<run>/gone/<key>      a merged commit that a person took out of the history, and meant to
//
// They stay until the run is deleted. Once there are many, those of a unit (unit, whole, merged) go whose commit names
// it and has landed with its phase: `branch/<name>` and `landed/<name>` hold that commit (_unit-names.ts).
import { existsSync } from "node:fs";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { type GitPlace, git, tryGit } from "./git.ts";
import { knownPlace } from "./project.ts";

export type RefKind =
  | "onto"
  | "began"
  | "unit"
  | "whole"
  | "merged"
  | "branch"
  | "shown"
  | "landed"
  | "left"
  | "gone";

/** All names of a run. */
export function runRefs(run: string): string {
  return `refs/holdfast/${refPart(run)}/`;
}

export function baseRefOf(run: string): string {
  return `${runRefs(run)}base`;
}

/** `name` "": all of that kind. */
export function refOf(run: string, kind: RefKind, name: string): string {
  const part = kind === "onto" ? name : refPart(name);
  return `${runRefs(run)}${kind}/${part}`;
}

/** The branch of the project that people see. */
export function headOf(name: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,100}$/u.test(name) && !/\.\.|\.lock$|\.$/.test(name))
    return `refs/heads/${name}`;
  throw new Fault("invalid_input", msg("branch.bad_name", { name: name.slice(0, 80) }));
}

/** `refs/heads/feature/x` → `feature/x`, for people. */
export function branchOf(ref: string): string {
  return ref.replace(/^refs\/heads\//, "");
}

export interface RefRow {
  readonly id: string;
  /** Where it is checked out; null: nowhere. */
  readonly tree: string | null;
}

export type Refs = ReadonlyMap<string, RefRow>;

/** Those that are there, of these names and of all below those that end with “/”. */
export async function readRefs(project: GitPlace, names: readonly string[]): Promise<Refs> {
  const format = "--format=%(refname)%00%(objectname)%00%(worktreepath)";
  const listed = await git(["for-each-ref", format, ...names], {
    ...project,
    maxOutput: mostBytes,
  });
  const rows = listed.toString("utf8").split("\n").slice(0, -1);
  return new Map(
    rows.map((row) => {
      const [name = "", id = "", tree = ""] = row.split("\0");
      // Of a worktree whose folder somebody removed git still knows the path.
      return [name, { id, tree: tree === "" || !existsSync(tree) ? null : tree }];
    }),
  );
}

/** One change of a reference: only from where it was seen. `from` null: it must not be there. */
export interface RefMove {
  readonly name: string;
  readonly from: string | null;
  /** Null: removed. */
  readonly to: string | null;
}

/** All or none. A text: git's own words for why not; then nothing has moved. */
export async function moveRefs(
  project: GitPlace,
  moves: readonly RefMove[],
): Promise<true | string> {
  if (moves.length === 0) return true;
  const args = ["update-ref", "--no-deref", "--stdin", "-z"];
  const { code, stderr } = await tryGit(args, { ...project, input: linesOf(moves) });
  return code === 0 ? true : stderr.trim();
}

/** As `update-ref --stdin -z` reads them. */
export function linesOf(moves: readonly RefMove[]): string {
  return moves
    .map(({ name, from, to }) => {
      if (to === null) return `delete ${name}\0${from ?? ""}\0`;
      return from === null ? `create ${name}\0${to}\0` : `update ${name}\0${to}\0${from}\0`;
    })
    .join("");
}

/** Removes every name of a run: what has landed stays in the history it is in. */
export async function dropRun(root: string, run: string): Promise<void> {
  // Where there is no repository any more there is nothing to remove.
  if (!existsSync(root)) return;
  const project = await knownPlace(root);
  if ((await tryGit(["rev-parse", "--git-dir"], project)).code !== 0) return;
  const found = await readRefs(project, [runRefs(run)]);
  const moves = [...found].map(([name, { id }]) => ({ name, from: id, to: null }));
  const failed = await moveRefs(project, moves);
  if (failed !== true) throw new Fault("locked", msg("branch.busy", { root, name: failed }));
}

// --- internal ---

const mostBytes = 64 * 1024 * 1024;

/** Any text as one part of a name: what git does not take is written as its bytes, `%3a`. */
function refPart(text: string): string {
  const plain = text.replace(/[^\p{L}\p{N}._-]|^[.-]|\.(?=\.|$)|\.(?=lock$)/gu, (letter) =>
    [...Buffer.from(letter, "utf8")]
      .map((byte) => `%${byte.toString(16).padStart(2, "0")}`)
      .join(""),
  );
  return plain;
}
