// Can a task begin in this project (S1.21d)? Each thing that speaks against it gets a clear answer
// before anything starts. A type that builds something new may go on with a notice; one that changes
// what is there may not.
import { isAbsolute, join } from "node:path";
import { type Message, msg } from "../core/messages.ts";
import type { GitSettings } from "./_environment.ts";
import { type GitOptions, type GitPlace, gitFault, gitLine, tryGit } from "./git.ts";

/** What a workspace is made from. */
export type Start =
  | { readonly kind: "git"; readonly head: string; readonly branch: string | null }
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
  return withoutFilters({ cwd: root, settings: await userSettings(env) }, env);
}

/** As its configuration is now: one that is tracked may have come with what was merged last. */
export async function withoutFilters(
  place: GitPlace,
  env: Environment = process.env,
): Promise<GitPlace> {
  const off = await noFilters({ ...place, env });
  return { ...place, settings: [...(place.settings ?? []), ...off] };
}

/** Can a clone be made of it? */
export async function hasHistory(root: string): Promise<boolean> {
  const place = await knownPlace(root);
  return (await tryGit(["rev-parse", "-q", "--verify", "HEAD^{commit}"], place)).code === 0;
}

/**
 * For commands on objects and refs, many in a row: what the owner allows is asked once in a while. One
 * that reads or writes files of a tree needs `withoutFilters`, each time.
 */
export async function knownPlace(root: string): Promise<GitPlace> {
  if (performance.now() >= known.until)
    known = { settings: userSettings(process.env), until: performance.now() + rememberedMs };
  return { cwd: root, settings: await known.settings };
}

// --- internal ---

const rememberedMs = 10_000;
let known: { readonly settings: Promise<GitSettings>; readonly until: number } = {
  settings: Promise.resolve([]),
  until: 0,
};

interface Look {
  readonly start: Start;
  readonly problems: readonly {
    readonly reason: "no_git" | "no_commit" | "detached" | "dirty";
    readonly text: Message;
  }[];
}

async function look(root: string, env: Environment): Promise<Look> {
  const place = { ...(await projectPlace(root, env)), env };
  const inside = await tryGit(["rev-parse", "--is-inside-work-tree"], place);
  if (inside.code !== 0) {
    if (!/not a git repository/.test(inside.stderr))
      throw gitFault(["rev-parse"], inside.stderr, place);
    return withoutHistory("no_git", root);
  }
  const head = await tryGit(["rev-parse", "-q", "--verify", "HEAD^{commit}"], place);
  if (head.code !== 0) return withoutHistory("no_commit", root);
  const commit = head.stdout.toString("utf8").trim();
  const symbolic = await tryGit(["symbolic-ref", "-q", "--short", "HEAD"], place);
  const branch = symbolic.code === 0 ? symbolic.stdout.toString("utf8").trim() : null;
  const dirty = await dirtyNames(place);
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

async function dirtyNames(place: GitOptions): Promise<string[]> {
  const args = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"];
  // Never into submodules: that starts a git of their own in them.
  const { stdout, cut, code, stderr } = await tryGit([...args, "--ignore-submodules=all"], {
    ...place,
    maxOutput: 1024 * 1024,
    cut: true,
  });
  if (code !== 0 && !cut) throw gitFault(["status"], stderr, place);
  return stdout
    .toString("utf8")
    .split("\0")
    .slice(0, -1)
    .map((line) => line.slice(3))
    .filter((name) => !isOwnFile(name))
    .map((name) => name.replace(/\p{C}/gu, "\ufffd"));
}

async function userSettings(env: Environment): Promise<GitSettings> {
  const place = { cwd: "/", asUser: true, env };
  const trusted = await tryGit(
    ["config", "-z", "--includes", "--get-all", "safe.directory"],
    place,
  );
  const ignored = await tryGit(
    ["config", "--includes", "--type=path", "--get", "core.excludesFile"],
    place,
  );
  const folders = trusted.stdout.toString("utf8").split("\0").slice(0, -1);
  const file = ignored.stdout.toString("utf8").trim() || usualIgnores(env);
  return [
    ...folders.map((folder) => ["safe.directory", folder] as const),
    ...(isAbsolute(file) ? [["core.excludesFile", file] as const] : []),
  ];
}

function usualIgnores(env: Environment): string {
  const config = env["XDG_CONFIG_HOME"] || join(env["HOME"] ?? "", ".config");
  return join(config, "git/ignore");
}

/** A filter is a command. What it would have to turn is compared as it is stored. */
async function noFilters(place: GitOptions): Promise<GitSettings> {
  const { stdout } = await tryGit(
    ["config", "-z", "--name-only", "--get-regexp", "^filter\\..*\\.(clean|smudge|process)$"],
    place,
  );
  const names = new Set(stdout.toString("utf8").split("\0").slice(0, -1));
  return [...names].flatMap((name) => [
    [name, ""] as const,
    [`${name.slice(0, name.lastIndexOf("."))}.required`, "false"] as const,
  ]);
}

/** Of a repository: its hashes, and the commits at which a shallow one ends. */
export async function shallowCommits(place: GitPlace): Promise<string | undefined> {
  const shallow = await gitLine(["rev-parse", "--is-shallow-repository"], place);
  if (shallow !== "true") return undefined;
  return gitLine(["rev-parse", "--path-format=absolute", "--git-path", "shallow"], place);
}
