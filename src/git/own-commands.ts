// What a repository's owner has set up to run with each commit: hooks, and a key to sign with (S2.6). Both are
// commands, so neither runs unless holdfast.yaml asks for it; that they are skipped is reported at the start.
//
// They are read from the owner's configuration alone. A configuration file that lies in the tree (`include.path`)
// may have come with an agent's work: what it says of commands does not count.
import { accessSync, constants, statSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import type { Skipped } from "../core/skipped.ts";
import type { GitSettings } from "./_environment.ts";
import { tryGit } from "./git.ts";
import { commonFolder } from "./_folders.ts";

/** As `git` in holdfast.yaml has it; without it neither. */
export interface OwnCommands {
  readonly hooks: boolean;
  readonly sign: boolean;
}

export async function skippedCommands(
  root: string,
  { hooks, sign }: OwnCommands,
): Promise<Skipped> {
  const found = await ownSettings(root);
  const folder = hooksFolder(root, found);
  const names = hooks ? hookNames.filter((name) => !ranByUs.has(name)) : hookNames;
  return {
    hooks: names.filter((name) => isHook(join(folder, name))),
    unsigned: !sign && isOn(found.get("commit.gpgsign")),
  };
}

/** Where their hooks lie. Relative, as `.husky`: in the project's own tree, where nothing has landed yet. */
export async function ownHooks(root: string): Promise<string> {
  return hooksFolder(root, await ownSettings(root));
}

export function isHook(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** What makes git sign as they do, whatever a file in the tree says. */
export async function signingSettings(root: string): Promise<GitSettings> {
  const found = await ownSettings(root);
  const set = signing.flatMap(([name, usual]) => {
    const value = found.get(name) ?? usual;
    return value === null ? [] : [[name, value] as const];
  });
  return [...set, ["core.fsync", "committed,loose-object"], ["core.fsyncMethod", "batch"]];
}

// --- internal ---

/** Those that git runs with what we do: committing, merging, moving references and files. */
const hookNames = [
  "pre-commit",
  "pre-merge-commit",
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "post-merge",
  "post-checkout",
  "reference-transaction",
] as const;

const ranByUs: ReadonlySet<string> = new Set([
  "pre-commit",
  "pre-merge-commit",
  "commit-msg",
  "post-commit",
  "post-merge",
]);

/** With what counts where nothing is set; null: git's own. */
const signing: readonly (readonly [name: string, usual: string | null])[] = [
  ["gpg.format", "openpgp"],
  ["gpg.program", "gpg"],
  ["gpg.openpgp.program", null],
  ["gpg.x509.program", "gpgsm"],
  ["gpg.ssh.program", "ssh-keygen"],
  ["gpg.ssh.defaultkeycommand", ""],
  ["user.signingkey", null],
];

function hooksFolder(root: string, found: ReadonlyMap<string, string>): string {
  const set = found.get("core.hookspath") ?? "";
  if (set === "") return join(commonFolder({ cwd: root }), "hooks");
  return set.startsWith("~/") ? join(process.env["HOME"] ?? "", set.slice(2)) : resolve(root, set);
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !/^(?:false|no|off|0*)$/i.test(value);
}

/** The last one counts, as for git. */
async function ownSettings(root: string): Promise<ReadonlyMap<string, string>> {
  const args = ["config", "-z", "--list", "--show-origin", "--includes"];
  const { stdout } = await tryGit(args, { cwd: root, asUser: true });
  const parts = stdout.toString("utf8").split("\0").slice(0, -1);
  const found = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    if (isInTree(root, parts[at] ?? "")) continue;
    const line = parts[at + 1] ?? "";
    const end = line.indexOf("\n");
    // A name alone is a “yes”.
    if (end < 0) found.set(line, "true");
    else found.set(line.slice(0, end), line.slice(end + 1));
  }
  return found;
}

function isInTree(root: string, origin: string): boolean {
  if (!origin.startsWith("file:")) return false;
  const file = resolve(root, origin.slice("file:".length));
  const isBelow = (folder: string): boolean => file.startsWith(`${folder}${sep}`);
  return isBelow(root) && !isBelow(commonFolder({ cwd: root })) && !isBelow(join(root, ".git"));
}
