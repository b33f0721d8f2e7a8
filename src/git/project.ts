// Can a task begin in this project (S1.21d)? Each thing that speaks against it gets a clear answer
// before anything starts. A type that builds something new may go on with a notice; one that changes
// what is there may not.
import { type BigIntStats, lstatSync } from "node:fs";
import { Fault } from "../core/errors.ts";
import { type Message, msg } from "../core/messages.ts";
import { filteredPaths } from "./_attributes.ts";
import { ownerOf, treeSettings } from "./_configured.ts";
import { type GitOptions, type GitPlace, git, gitFault, requireGit, tryGit } from "./git.ts";

/** What a workspace is made from. */
export type Start =
  | {
      readonly kind: "git";
      readonly head: string;
      readonly branch: string | null;
      /** A reference in the project keeps `head` alive for as long as the workspace is worked in. */
      readonly held?: boolean;
    }
  | { readonly kind: "empty" };

export type ProjectCheck =
  | { readonly ok: true; readonly start: Start; readonly notices: readonly Message[] }
  | {
      readonly ok: false;
      readonly reason: "no_git" | "no_commit" | "detached" | "dirty";
      readonly text: Message;
      readonly hint: Message;
    };

type Environment = NonNullable<GitOptions["env"]>;

export async function checkProject(
  root: string,
  need: { readonly startsEmpty: boolean },
  env: Environment = process.env,
): Promise<ProjectCheck> {
  const found = await look(root, env);
  const [first] = found.problems;
  if (first !== undefined && !need.startsEmpty)
    return { ok: false, ...first, hint: msg(`workspace.${first.reason}.hint`) };
  return {
    ok: true,
    start: found.start,
    notices: found.problems.map(({ reason, text }) => ({
      ...text,
      key: `workspace.${reason}.notice`,
    })),
  };
}

/**
 * The project for git: what its owner allows by their own configuration (whose folders to trust,
 * what to ignore everywhere), and no filter, whatever the repository configures.
 */
export async function projectPlace(
  root: string,
  env: Environment = process.env,
): Promise<GitPlace> {
  return withoutFilters(await placeOf(root, env), env);
}

/**
 * For commands on files of a tree: they lie there as their owner's own git would have them, but for what a
 * filter makes of them. As its configuration is now: one that is tracked may have come with what was merged last.
 */
export async function withoutFilters(
  place: GitPlace,
  env: Environment = process.env,
): Promise<GitPlace> {
  const found = await treeSettings(place, env);
  return { ...place, settings: [...(place.settings ?? []), ...found] };
}

/** Can a clone be made of it? */
export async function hasHistory(root: string): Promise<boolean> {
  if (withHistory.has(root)) return true;
  const place = await knownPlace(root);
  const head = await tryGit(["rev-parse", "-q", "--verify", "HEAD^{commit}"], place);
  if (head.code === 0) withHistory.add(root);
  return head.code === 0;
}

/**
 * For commands on objects and refs, many in a row: what the owner allows is asked once in a while. One
 * that reads or writes files of a tree needs `withoutFilters`, each time.
 */
export async function knownPlace(root: string): Promise<GitPlace> {
  const before = known.get(root);
  if (before !== undefined && performance.now() < before.until) return before.place;
  const place = placeOf(root, process.env);
  known.set(root, { place, until: performance.now() + rememberedMs });
  return place;
}

/** Commits on a person's branch are theirs: without a name nothing is begun (S2.6). */
export async function requireIdentity(root: string): Promise<void> {
  if ((await knownPlace(root)).identity !== undefined) return;
  throw new Fault("refused", msg("workspace.no_identity", { root }), {
    hint: msg("workspace.no_identity.hint"),
  });
}

// --- internal ---

/** A repository that has a commit has one for good. */
const withHistory = new Set<string>();
const rememberedMs = 10_000;
const known = new Map<string, { readonly place: Promise<GitPlace>; readonly until: number }>();

async function placeOf(root: string, env: Environment): Promise<GitPlace> {
  const { settings, identity } = await ownerOf(root, env);
  return { cwd: root, settings, ...(identity === undefined ? {} : { identity }) };
}

interface Look {
  readonly start: Start;
  readonly problems: readonly {
    readonly reason: "no_git" | "no_commit" | "detached" | "dirty";
    readonly text: Message;
  }[];
}

async function look(root: string, env: Environment): Promise<Look> {
  await requireGit(env);
  const place = { ...(await projectPlace(root, env)), env };
  const found = await statusOf(place);
  if (found === null) return withoutHistory("no_git", root);
  const { commit, branch } = found;
  if (commit === null) return withoutHistory("no_commit", root);
  const dirty = await dirtyNames(place, found.lines);
  const problems: Look["problems"][number][] = [];
  if (branch === null)
    problems.push({
      reason: "detached",
      text: msg("workspace.detached", { root, commit: commit.slice(0, 7) }),
    });
  if (dirty.length > 0) {
    const names = dirty.slice(0, mostShown).join(", ") + (dirty.length > mostShown ? ", …" : "");
    const text = msg("workspace.dirty", { root, count: dirty.length, names });
    problems.push({ reason: "dirty", text });
  }
  return { start: { kind: "git", head: commit, branch }, problems };
}

function withoutHistory(reason: "no_git" | "no_commit", root: string): Look {
  return {
    start: { kind: "empty" },
    problems: [{ reason, text: msg(`workspace.${reason}`, { root }) }],
  };
}

const mostShown = 5;

/** What Holdfast itself writes in a project: it is read there, and nobody has to commit it first. */
const own =
  /^(?:\.claude\/(?:\.?orchestrate-state\.json[^/]*$|memory\/|orchestrator\/)|\.develop-workflow\/|\.holdfast\/drafts\/|worktree\/|holdfast\.yaml$)/;

export function isOwnFile(path: string): boolean {
  return own.test(path);
}

interface Status {
  /** Null: there is none yet. */
  readonly commit: string | null;
  /** Null: HEAD is on none. */
  readonly branch: string | null;
  /** What differs, as git prints it. */
  readonly lines: readonly string[];
}

/** All of it with one process. Null: there is no repository. */
async function statusOf(place: GitOptions): Promise<Status | null> {
  const args = ["status", "--porcelain=v2", "--branch", "-z", "--no-renames"];
  // Never into submodules: that starts a git of their own in them.
  const { stdout, cut, code, stderr } = await tryGit(
    [...args, "--untracked-files=all", "--ignore-submodules=all"],
    { ...place, maxOutput: 1024 * 1024, cut: true },
  );
  if (code !== 0 && !cut) {
    if (/not a git repository/.test(stderr)) return null;
    throw gitFault(["status"], stderr, place);
  }
  const all = stdout.toString("latin1").split("\0").slice(0, -1);
  const headed = (name: string): string => {
    const line = all.find((each) => each.startsWith(`# branch.${name} `)) ?? "";
    return Buffer.from(line.slice(`# branch.${name} `.length), "latin1").toString("utf8");
  };
  const [oid, head] = [headed("oid"), headed("head")];
  return {
    commit: oid === "(initial)" ? null : oid,
    branch: head === "(detached)" ? null : head,
    lines: all.filter((line) => !line.startsWith("#")),
  };
}

async function dirtyNames(place: GitOptions, lines: readonly string[]): Promise<string[]> {
  const found = lines.map((line) => ({ name: nameIn(line), inTree: line.startsWith("1 .M ") }));
  const changed = found.flatMap(({ name, inTree }) => (inTree ? [name] : []));
  const clean = await cleanByFilter(place, changed);
  return found
    .flatMap(({ name }) => (clean.has(name) ? [] : [name]))
    .map((name) => Buffer.from(name, "latin1").toString("utf8"))
    .filter((name) => !isOwnFile(name))
    .map((name) => name.replace(/\p{C}/gu, "\ufffd"));
}

/** After as many fields as a line of its kind has: new, unmerged, or changed. */
function nameIn(line: string): string {
  const fields = line.startsWith("? ") ? 1 : line.startsWith("u ") ? 10 : 8;
  return line.split(" ").slice(fields).join(" ");
}

/**
 * What a filter turned on its way into the tree differs from what is stored. No filter is run to find out:
 * a file that has been left alone since its owner's git looked at it last is what that git stored.
 */
async function cleanByFilter(
  place: GitOptions,
  changed: readonly string[],
): Promise<ReadonlySet<string>> {
  const filtered = await filteredPaths(place, changed);
  const clean = new Set<string>();
  for (let at = 0; at < filtered.length; at += mostAsked) {
    const paths = filtered.slice(at, at + mostAsked).map((path) => Buffer.from(path, "latin1"));
    const args = ["--literal-pathspecs", "ls-files", "-z", "--debug", "--"];
    const listed = await git([...args, ...paths.map((path) => path.toString("utf8"))], place);
    for (const [, path = "", seconds = "", rest = "", size = ""] of listed
      .toString("latin1")
      .matchAll(seen)) {
      const stats = statAt(place.cwd, path);
      if (stats === undefined) continue;
      const sameTime = stats.mtimeNs === BigInt(seconds) * 1_000_000_000n + BigInt(rest);
      // None: whoever wrote the index last could not tell, as we cannot without the filter.
      const sameSize = size === "0" || BigInt(size) === (stats.size & 0xffff_ffffn);
      if (sameTime && sameSize) clean.add(path);
    }
  }
  return clean;
}

const mostAsked = 500;
/** A name, and what git remembers of the file: when it was written, and how long it was. */
const seen =
  /([^\0]*)\0 {2}ctime: \d+:\d+\n {2}mtime: (\d+):(\d+)\n.*\n.*\n {2}size: (\d+)\tflags: \w+\n/g;

function statAt(root: string, path: string): BigIntStats | undefined {
  const file = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
  return lstatSync(file, { bigint: true, throwIfNoEntry: false });
}
