// Holdfast's own folder (S7.5): everything that is not a seed's file. For its user alone, never in
// a project: an agent that works there could read tokens and rewrite the journal.
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { reasonOf, unreadable } from "./disk.ts";

export interface Home {
  readonly path: string;
  /** Which variable named it; "default" where none did. */
  readonly from: "HOLDFAST_HOME" | "XDG_DATA_HOME" | "default";
  readonly database: string;
  readonly quarantine: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where it is. Nothing is looked at or made. */
export function homeOf(env: Environment): Home {
  const own = env["HOLDFAST_HOME"];
  if (own !== undefined && own !== "") {
    // Relative, it would be another one in every folder: two journals of one project.
    if (!isAbsolute(own))
      throw new Fault("invalid_input", msg("home.relative", { path: own }), {
        hint: msg("home.relative.hint"),
      });
    return homeAt(own, "HOLDFAST_HOME");
  }
  const data = env["XDG_DATA_HOME"];
  // The XDG rules: a relative path there is as good as none.
  if (data !== undefined && isAbsolute(data))
    return homeAt(join(data, "holdfast"), "XDG_DATA_HOME");
  return homeAt(join(env["HOME"] || homedir(), ".local/share/holdfast"), "default");
}

export interface HomeState {
  readonly exists: boolean;
  /** The permission bits; 0 when it does not exist. */
  readonly mode: number;
  readonly writable: boolean;
  readonly database: boolean;
}

/** A look at it, for `doctor` and for those who only read. */
export function lookAtHome({ path, database }: Home): HomeState {
  const stats = looked(path, () => existing(path));
  if (stats === undefined) return { exists: false, mode: 0, writable: false, database: false };
  return {
    exists: true,
    mode: stats.mode & 0o777,
    writable: stats.isDirectory() && mayWrite(path),
    database: hasDatabase({ path, database }),
  };
}

/** A folder that may not be looked into hides it: that is what there is to say then. */
export function hasDatabase({ path, database }: Pick<Home, "path" | "database">): boolean {
  return looked(path, () => existing(database)) !== undefined;
}

/**
 * Refuses a home that others could lead elsewhere, that may not be written (SQLite has to, even to
 * read) or, where one is given, inside the project.
 */
export function checkHome({ path }: Home, projectRoot?: string): void {
  const link = looked(path, () => looseLink(path));
  if (link !== undefined)
    throw new Fault("refused", msg("home.loose_link", { path, link }), {
      hint: msg("home.move.hint"),
    });
  const stats = looked(path, () => existing(path));
  if (stats !== undefined && !(stats.isDirectory() && mayWrite(path)))
    throw new Fault("refused", msg(stats.isDirectory() ? "home.readonly" : "home.file", { path }), {
      hint: msg("home.cannot_make.hint"),
    });
  if (projectRoot !== undefined) requireApart({ path }, projectRoot);
}

/** Of a home that was checked: an agent that works in the project must not find it there. */
export function requireApart({ path }: Pick<Home, "path">, projectRoot: string): void {
  const real = realPathOf(path);
  if (real === projectRoot || real.startsWith(projectRoot === sep ? sep : projectRoot + sep))
    throw new Fault("refused", msg("home.in_project", { path: real, root: projectRoot }), {
      hint: msg("home.move.hint"),
    });
}

/** Makes it, for us alone whatever the umask says. */
export function makeHome({ path }: Home): void {
  try {
    // Nearly always it is there, and to make it would be two calls.
    if (existing(path) !== undefined) return;
    if (mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(path, 0o700);
  } catch (cause) {
    throw new Fault("refused", msg("home.cannot_make", { path, detail: reasonOf(cause) }), {
      hint: msg("home.cannot_make.hint"),
      cause,
    });
  }
}

// --- internal ---

function homeAt(path: string, from: Home["from"]): Home {
  const clean = resolve(path);
  return {
    path: clean,
    from,
    database: join(clean, "holdfast.db"),
    quarantine: join(clean, "quarantine"),
  };
}

function existing(path: string) {
  return statSync(path, { throwIfNoEntry: false });
}

function looked<T>(path: string, look: () => T): T {
  try {
    return look();
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Of a path that need not exist yet: the real path of what exists, then the rest. */
function realPathOf(path: string): string {
  const parent = dirname(path);
  try {
    return realpathSync.native(path);
  } catch {
    return parent === path ? path : join(realPathOf(parent), path.slice(parent.length));
  }
}

/** As many links as Linux follows. */
const mostLinks = 40;

/** The first link on the way that somebody else may change; undefined if there is none. */
function looseLink(path: string, depth = 0): string | undefined {
  if (depth > mostLinks) return path;
  let at = "";
  for (const part of path.split(sep).filter((name) => name !== "")) {
    const parent = at === "" ? sep : at;
    at = `${at}${sep}${part}`;
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (!stats.isSymbolicLink()) continue;
    if (!isTrusted(stats.uid) || othersMayReplaceIn(parent)) return at;
    const target = resolve(parent, readlinkSync(at));
    const loose = looseLink(target, depth + 1);
    if (loose !== undefined) return loose;
  }
  return undefined;
}

function isTrusted(uid: number): boolean {
  return uid === 0 || uid === (process.getuid?.() ?? uid);
}

/** In a folder with the sticky bit (/tmp) others may add names, not replace ours. */
function othersMayReplaceIn(folder: string): boolean {
  const { mode, uid } = statSync(folder);
  return !isTrusted(uid) || ((mode & 0o022) !== 0 && (mode & 0o1000) === 0);
}
