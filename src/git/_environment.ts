// What git gets to know: little of our environment, and configuration that wins over what it finds.
import { delimiter, dirname, isAbsolute } from "node:path";
import type { GitPlace, Identity } from "./git.ts";

/** Name and value; a name may come twice, as safe.directory does. */
export type GitSettings = readonly (readonly [name: string, value: string])[];

/** Everything a process of git sees: nothing of ours that could lead it elsewhere. */
export function gitEnvironment(
  { cwd, index, tag, at, objects, identity, asUser = false, settings = [] }: GitPlace,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  // What a user configured cannot be read through what we put over it.
  const entries = asUser ? settings : [...guards, ...settings];
  const configured = entries.flatMap(([key, value], place) => [
    [`GIT_CONFIG_KEY_${place}`, key],
    [`GIT_CONFIG_VALUE_${place}`, value],
  ]);
  return {
    ...fixed,
    ...(asUser ? {} : noConfiguration),
    ...(asUser ? picked(env, ofTheUser) : {}),
    ...picked(env, ["TMPDIR", "DEVELOPER_DIR"]),
    PATH: safePath(env["PATH"] ?? ""),
    // A repository that happens to lie above is somebody else's.
    GIT_CEILING_DIRECTORIES: dirname(cwd),
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    ...(objects === undefined ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(objects) }),
    ...(tag === undefined ? {} : { [tagVariable]: tag }),
    ...(at === undefined ? {} : dated(at)),
    ...(identity === undefined ? {} : namedBy(identity)),
    GIT_CONFIG_COUNT: String(entries.length),
    ...(Object.fromEntries(configured) as Record<string, string>),
  };
}

/** Found again by it, when our process died and the one it had started did not. */
export const tagVariable = "HOLDFAST_WORK";

/** Byte for byte: no line ends turned, no keywords filled in, no filter, in no folder. */
export const rawAttributes =
  "* -text !eol -ident -filter !diff !merge !working-tree-encoding !whitespace\n";

/**
 * A program called git in a project's node_modules/.bin is not the one we mean, and `npx` puts that
 * folder first. Nor is one in whatever folder we happen to be in.
 */
export function safePath(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder))
    .join(delimiter);
}

// --- internal ---

/** A colon would else part two folders. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, "\\$&")}"`;
}

function namedBy({ name, email }: Identity): Record<string, string> {
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}

function dated(at: number): Record<string, string> {
  const date = `@${Math.floor(at / 1000)} +0000`;
  return { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
}

function picked(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Record<string, string> {
  const found = names.map((name) => [name, env[name]]).filter(([, value]) => value !== undefined);
  return Object.fromEntries(found) as Record<string, string>;
}

/** What their own configuration, hooks and keys are found by. */
const ofTheUser = [
  "HOME",
  "XDG_CONFIG_HOME",
  "XDG_RUNTIME_DIR",
  "USER",
  "LOGNAME",
  "SHELL",
  "GNUPGHOME",
  "GPG_TTY",
  "SSH_AUTH_SOCK",
];

const noConfiguration = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" } as const;

const fixed = {
  LC_ALL: "C",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
  // No address is followed, not even one of a promised object that is missing.
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_PAGER: "cat",
  GIT_EDITOR: "false",
  GIT_SEQUENCE_EDITOR: "false",
  GIT_ASKPASS: "false",
  GIT_SSH_COMMAND: "false",
  GIT_AUTHOR_NAME: "Holdfast",
  GIT_AUTHOR_EMAIL: "holdfast@localhost",
  GIT_COMMITTER_NAME: "Holdfast",
  GIT_COMMITTER_EMAIL: "holdfast@localhost",
} as const;

/** By environment, not by -c: names that hold “=” can be set too, and `ps` stays readable. */
const guards: GitSettings = Object.entries({
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.untrackedCache": "false",
  "core.attributesFile": "/dev/null",
  "core.excludesFile": "/dev/null",
  "core.pager": "cat",
  "core.editor": "false",
  "core.sshCommand": "false",
  "core.gitProxy": "",
  "core.alternateRefsCommand": "false",
  "core.autocrlf": "false",
  "core.safecrlf": "false",
  "core.fileMode": "true",
  "core.symlinks": "true",
  "core.quotePath": "false",
  // What is acknowledged survives a power cut, loose objects too.
  "core.fsync": "committed,loose-object",
  "core.fsyncMethod": "batch",
  "protocol.allow": "never",
  "submodule.recurse": "false",
  "diff.external": "",
  "diff.submodule": "short",
  "diff.ignoreSubmodules": "all",
  "credential.helper": "",
  "commit.gpgSign": "false",
  "tag.gpgSign": "false",
  "gpg.program": "false",
  "log.showSignature": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "pack.packSizeLimit": "0",
  "pack.threads": "2",
  "advice.detachedHead": "false",
});
