// What differs between a workspace and the index, by name. Names are bytes: they are kept as
// Latin-1 text, a letter a byte, until somebody reads them.
import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { lookInside, walkInside } from "./files.ts";
import type { LeftOutReason } from "./_snapshot-report.ts";
import { unnamedFiles } from "./_snapshot-unnamed.ts";
import { isChanged } from "./_submodule.ts";
import { type Trees, baseRef, treePlace } from "./trees.ts";
import { type GitOptions, git } from "./git.ts";

export interface Changes {
  /** What the index holds. */
  readonly tracked: ReadonlyMap<string, Entry>;
  /** In the index and gone. */
  readonly removed: ReadonlySet<string>;
  /** New or changed: to be read. */
  readonly candidates: ReadonlySet<string>;
  /** Unchanged, but read again because there are new secrets; not for their size. */
  readonly again: ReadonlySet<string>;
  /** What cannot be kept, whatever is in it. */
  readonly leftOut: ReadonlyMap<string, LeftOutReason>;
  /** To be kept when the snapshot is taken: these secrets were looked for. */
  readonly scanned: string;
}

interface Wanted {
  readonly secrets?: readonly string[];
  readonly deliverables?: readonly string[];
}

/** `isBase`: the index holds what the task began with. */
export async function listChanges(trees: Trees, wanted: Wanted, isBase: boolean): Promise<Changes> {
  const { tracked, removed, candidates } = await lookAround(trees);
  const submodules = new Set(
    [...tracked].flatMap(([path, { mode }]) => (mode === gitlink ? path : [])),
  );
  const leftOut = new Map<string, LeftOutReason>();
  for (const path of submodules) {
    const { id = "" } = tracked.get(path) ?? {};
    const moved = candidates.delete(path);
    if (!removed.has(path) && (await isChanged(trees, path, { id, moved })))
      leftOut.set(path, "submodule");
  }
  for (const path of await enterRepositories(trees, candidates)) leftOut.set(path, "name");
  for (const path of declaredFiles(trees, wanted.deliverables ?? []))
    if (!tracked.has(path)) candidates.add(path);
  for (const path of candidates) {
    if (!tracked.has(path) || lookInside(trees.workTree, bytesOf(path)).kind !== "folder") continue;
    // A folder where a file was: the file is gone, what is in the folder is listed by itself.
    candidates.delete(path);
    removed.add(path);
  }
  for (const path of removed) {
    // In a folder that was shut: nobody knows whether it is gone.
    if (lookInside(trees.workTree, bytesOf(path)).kind !== "unreadable") continue;
    removed.delete(path);
    leftOut.set(path, "unreadable");
  }
  const { again, scanned } = await unscanned(trees, wanted.secrets ?? [], {
    tracked,
    candidates,
    isBase,
  });
  const known = [...tracked.keys(), ...candidates].filter((path) => !submodules.has(path));
  for (const [path, why] of await unnamedFiles(trees, known, submodules)) leftOut.set(path, why);
  return { tracked, removed, candidates, again, leftOut, scanned };
}

export interface Entry {
  readonly mode: string;
  readonly id: string;
}

/** The files of a snapshot. */
export function entriesAt(trees: Trees, ref: string): Promise<Map<string, Entry>> {
  return entries(trees, ["ls-tree", "-r", "-z", "--full-tree", ref], treeEntry);
}

export function indexEntries(trees: Trees): Promise<Map<string, Entry>> {
  return entries(trees, ["ls-files", "-z", "-s"], stagedEntry);
}

export function bytesOf(path: string): Buffer {
  return Buffer.from(path, "latin1");
}

/** For people; bytes that are no UTF-8 show as such. */
export function shown(path: string): string {
  return bytesOf(path).toString("utf8");
}

// --- internal ---

/** The mode of a submodule. */
export const gitlink = "160000";
const mostOutput = 256 * 1024 * 1024;
const stagedEntry = /^(\d+) (\w+) \d\t/;
const treeEntry = /^(\d+) \w+ (\w+)\t/;

/** All that is in the index, and all that differs from it: one process names both. */
async function lookAround(trees: Trees) {
  const tracked = new Map<string, Entry>();
  const [removed, candidates] = [new Set<string>(), new Set<string>()];
  const args = ["-t", "-s", "-o", "-d", "-m", "--exclude-standard"];
  for (const line of await listed(trees, args)) {
    const [tag, rest] = [line.slice(0, 1), line.slice(2)];
    if (tag === "?") {
      candidates.add(rest);
      continue;
    }
    const [head = "", mode = "", id = ""] = stagedEntry.exec(rest) ?? [];
    const path = rest.slice(head.length);
    if (tag === "R") removed.add(path);
    // What is gone is named twice, as gone and as changed.
    else if (tag === "C" && !removed.has(path)) candidates.add(path);
    else tracked.set(path, { mode, id });
  }
  return { tracked, removed, candidates };
}

async function listed(
  trees: Trees,
  args: readonly string[],
  more: Partial<GitOptions> = {},
): Promise<string[]> {
  const place = { ...treePlace(trees), maxOutput: mostOutput, ...more };
  const output = await git(["--literal-pathspecs", "ls-files", "-z", ...args], place);
  return output.toString("latin1").split("\0").slice(0, -1);
}

async function entries(
  trees: Trees,
  args: readonly string[],
  shape: RegExp,
): Promise<Map<string, Entry>> {
  const output = await git(args, { ...treePlace(trees), maxOutput: mostOutput });
  const found = new Map<string, Entry>();
  for (const line of output.toString("latin1").split("\0").slice(0, -1)) {
    const [head = "", mode = "", id = ""] = shape.exec(line) ?? [];
    found.set(line.slice(head.length), { mode, id });
  }
  return found;
}

/**
 * A repository inside the workspace, as many a generator of new projects makes one: git would store
 * a reference to its commit and lose the files, or refuse. Its files are taken as plain ones.
 */
async function enterRepositories(trees: Trees, candidates: Set<string>): Promise<Set<string>> {
  const odd = new Set<string>();
  // A set may grow while it is walked: a repository in a repository comes later.
  for (const path of candidates) {
    if (!path.endsWith("/")) continue;
    candidates.delete(path);
    if (bytesOf(path).compare(Buffer.from(shown(path), "utf8")) !== 0) {
      odd.add(path);
      continue;
    }
    const workTree = join(trees.workTree, shown(path));
    // As if there were no index: everything in it is new.
    const index = join(trees.repository, "no.index");
    const inside = await listed(trees, ["-o", "--exclude-standard"], { workTree, index });
    for (const name of inside) candidates.add(path + name);
  }
  return odd;
}

/** Declared files, and those in declared folders, whether .gitignore hides them or not. */
function declaredFiles(trees: Trees, declared: readonly string[]): string[] {
  return declared.flatMap((path) =>
    [...walkInside(trees.workTree, path.replace(/\/+$/, ""), isOwnName)]
      .filter(({ kind }) => kind === "file" || kind === "link")
      .map((file) => Buffer.from(file.path, "utf8").toString("latin1")),
  );
}

function isOwnName(name: string): boolean {
  return name.toLowerCase() !== ".git" && name !== "node_modules";
}

/**
 * A secret that came later may stand in a file that was kept before. Which ones were looked for is
 * kept as a salted hash; with other ones, all files are read again, but for those of the base: what
 * is in the project's own history is no secret any more.
 */
async function unscanned(
  trees: Trees,
  secrets: readonly string[],
  {
    tracked,
    candidates,
    isBase,
  }: Pick<Changes, "tracked" | "candidates"> & { readonly isBase: boolean },
): Promise<Pick<Changes, "again" | "scanned">> {
  const before = await readFile(scannedFile(trees), "utf8").catch(() => "");
  const [salt = ""] = before.split(":");
  if (before !== "" && before === fingerprint(salt, secrets))
    return { again: new Set(), scanned: before };
  const base = isBase ? tracked : await entriesAt(trees, baseRef);
  const again = [...tracked].flatMap(([path, { mode, id }]) =>
    mode === gitlink || base.get(path)?.id === id || candidates.has(path) ? [] : [path],
  );
  const scanned = fingerprint(randomBytes(16).toString("hex"), secrets);
  return { again: new Set(again), scanned };
}

export function scannedFile({ repository }: Trees): string {
  return join(repository, "scanned");
}

function fingerprint(salt: string, secrets: readonly string[]): string {
  const list = JSON.stringify([salt, [...new Set(secrets)].toSorted()]);
  return `${salt}:${createHash("sha256").update(list).digest("hex")}`;
}
