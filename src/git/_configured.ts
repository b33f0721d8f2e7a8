// What its owner configured for a repository: how files lie in its tree, what is ignored. It is read
// and passed on by value; nothing in it that is a command is ever carried out.
import { readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { GitSettings } from "./_environment.ts";
import { type GitOptions, type GitPlace, type Identity, gitLine, tryGit } from "./git.ts";

type Environment = NonNullable<GitOptions["env"]>;

export interface Owner {
  /** Whose folders they trust, and what they ignore everywhere. */
  readonly settings: GitSettings;
  /** Who they are in this repository; undefined: they have not said. */
  readonly identity: Identity | undefined;
}

export async function ownerOf(root: string, env: Environment): Promise<Owner> {
  const found = await listed(root, env);
  const folders = found.filter(([name]) => name === "safe.directory");
  const ignored = found.findLast(([name]) => name === "core.excludesfile")?.[1];
  const file = inHome(ignored || undefined, env) ?? usualFile("ignore", env);
  const last = (name: string): string => found.findLast(([each]) => each === name)?.[1] ?? "";
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
  for (const [name, value] of await listed(cwd, env)) {
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

/** Names of what git ignores there beyond .gitignore: everywhere, and in this repository alone. */
export async function ignoredBy(project: GitPlace): Promise<string> {
  const own = await gitLine(
    ["rev-parse", "--path-format=absolute", "--git-path", "info/exclude"],
    project,
  );
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

/** All that the owner's own git would read there. Names of sections come in small letters. */
async function listed(cwd: string, env: Environment): Promise<[name: string, value: string][]> {
  const args = ["config", "-z", "--list", "--includes"];
  const { stdout } = await tryGit(args, { cwd, asUser: true, env });
  return stdout
    .toString("utf8")
    .split("\0")
    .slice(0, -1)
    .map((line) => {
      const end = line.indexOf("\n");
      // A name alone is a “yes”.
      return end < 0 ? [line, "true"] : [line.slice(0, end), line.slice(end + 1)];
    });
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
