// What its owner configured for a repository: how files lie in its tree, what is ignored. It is read
// and passed on by value; nothing in it that is a command is ever carried out.
import { readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { GitSettings } from "./_environment.ts";
import { commonFolder } from "./_folders.ts";
import { type GitOptions, type GitPlace, type Identity, tryGit } from "./git.ts";

type Environment = NonNullable<GitOptions["env"]>;

export interface Owner {
  /** Whose folders they trust, and what they ignore everywhere. */
  readonly settings: GitSettings;
  /** Who they are in this repository; undefined: they have not said. */
  readonly identity: Identity | undefined;
}

export async function ownerOf(root: string, env: Environment): Promise<Owner> {
  const found = await listed(root, env);
  const folders = found
    .filter(({ name }) => name === "safe.directory")
    .map(({ name, value }) => [name, value] as const);
  const ignored = found.findLast(({ name }) => name === "core.excludesfile")?.value;
  const file = inHome(ignored || undefined, env) ?? usualFile("ignore", env);
  const last = (name: string): string => found.findLast((each) => each.name === name)?.value ?? "";
  const name = env["GIT_COMMITTER_NAME"] || last("user.name");
  const email = env["GIT_COMMITTER_EMAIL"] || last("user.email");
  return {
    settings: [...folders, ...(isAbsolute(file) ? [["core.excludesFile", file] as const] : [])],
    identity: name === "" || email === "" ? undefined : { name, email },
  };
}

/**
 * How files of its tree lie on the disk, as its owner's own git has it: line ends, modes, attributes. A
 * filter is a command, and the repository's configuration may be a tracked file: each is switched off.
 */
export async function treeSettings({ cwd }: GitPlace, env: Environment): Promise<GitSettings> {
  const found = new Map<string, string>();
  const filters = new Set<string>();
  for (const { name, value } of await listed(cwd, env)) {
    if (ofTree.has(name)) found.set(name, value);
    if (/^filter\..*\.(?:clean|smudge|process)$/s.test(name)) filters.add(name);
  }
  for (const [name, usual] of files) {
    const file = inHome(found.get(name), env) ?? usualFile(usual, env);
    if (isAbsolute(file)) found.set(name, file);
    else found.delete(name);
  }
  const off = [...filters].flatMap((name) => [
    [name, ""] as const,
    [`${name.slice(0, name.lastIndexOf("."))}.required`, "false"] as const,
  ]);
  return [...found, ...off];
}

/** Merge drivers that the repository configures: each is a command. */
export async function mergeDrivers({ cwd }: GitPlace): Promise<string[]> {
  const found = await listed(cwd, process.env);
  return found
    .filter(({ scope, name }) => /^(?:local|worktree)$/.test(scope) && isDriver.test(name))
    .map(({ name }) => name);
}

/** Files of a tree were written: the repository's configuration may be one of them. */
export function forgetConfiguration(): void {
  remembered.clear();
}

/** Names of what git ignores there beyond .gitignore: everywhere, and in this repository alone. */
export async function ignoredBy(project: GitPlace): Promise<string> {
  const own = join(commonFolder(project), "info/exclude");
  const everywhere = valueOf(project, "core.excludesfile");
  const texts = await Promise.all([everywhere ?? "", own].map(textOf));
  return texts.map((text) => `${text.replace(/^\ufeff/, "")}\n`).join("");
}

/** The last one counts, as for git; names of sections are in any case. */
export function valueOf({ settings = [] }: GitPlace, wanted: string): string | undefined {
  return settings.findLast(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** As git reads a “yes”. */
export function isYes(value: string | undefined): boolean {
  return value !== undefined && !/^(?:false|no|off|0*)$/i.test(value);
}

// --- internal ---

const isDriver = /^merge\..*\.driver$/s;

interface Entry {
  /** `local` and `worktree`: of the repository itself. */
  readonly scope: string;
  /** Names of sections come in small letters. */
  readonly name: string;
  readonly value: string;
}

/** Asked once for what follows within a minute; files that we write may change it (`forgetConfiguration`). */
const remembered = new Map<string, { readonly found: Promise<Entry[]>; readonly until: number }>();
const rememberedMs = 60_000;

/** All that the owner's own git would read there. */
function listed(cwd: string, env: Environment): Promise<Entry[]> {
  const key = JSON.stringify([cwd, env["HOME"], env["XDG_CONFIG_HOME"], env["PATH"]]);
  const before = remembered.get(key);
  if (before !== undefined && performance.now() < before.until) return before.found;
  const found = readAll(cwd, env);
  remembered.set(key, { found, until: performance.now() + rememberedMs });
  found.catch(() => remembered.delete(key));
  return found;
}

async function readAll(cwd: string, env: Environment): Promise<Entry[]> {
  const args = ["config", "-z", "--list", "--includes", "--show-scope"];
  const { stdout } = await tryGit(args, { cwd, asUser: true, env });
  const fields = stdout.toString("utf8").split("\0").slice(0, -1);
  const found: Entry[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope = "", line = ""] = fields.slice(at, at + 2);
    const end = line.indexOf("\n");
    // A name alone is a “yes”.
    const [name, value] = end < 0 ? [line, "true"] : [line.slice(0, end), line.slice(end + 1)];
    found.push({ scope, name, value });
  }
  return found;
}

/** As `git config --list` writes them. */
const ofTree: ReadonlySet<string> = new Set([
  "core.attributesfile",
  "core.autocrlf",
  "core.checkstat",
  "core.eol",
  "core.excludesfile",
  "core.filemode",
  "core.ignorecase",
  "core.precomposeunicode",
  "core.symlinks",
  "core.trustctime",
]);

const files = [
  ["core.attributesfile", "attributes"],
  ["core.excludesfile", "ignore"],
] as const;

function usualFile(name: string, env: Environment): string {
  const config = env["XDG_CONFIG_HOME"] || join(env["HOME"] ?? "", ".config");
  return join(config, "git", name);
}

function inHome(file: string | undefined, env: Environment): string | undefined {
  return file?.startsWith("~/") ? join(env["HOME"] ?? "", file.slice(2)) : file;
}

async function textOf(path: string): Promise<string> {
  return path === "" ? "" : readFile(path, "utf8").catch(() => "");
}
