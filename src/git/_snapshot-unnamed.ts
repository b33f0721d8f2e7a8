// What git does not name at all: pipes, sockets and devices, and folders that nobody may look into. Names
// are bytes, kept as Latin-1 text.
import { readdirSync } from "node:fs";
import { absolute, lookInside } from "./files.ts";
import { type Trees, treePlace } from "./trees.ts";
import { gitFault, tryGit } from "./git.ts";

/** `known`: all that is kept or may be; `closed`: folders that are not entered. */
export async function unnamedFiles(
  trees: Trees,
  known: readonly string[],
  closed: ReadonlySet<string>,
): Promise<Map<string, "special" | "unreadable">> {
  const found = new Map<string, "special" | "unreadable">();
  const folders = foldersOf(known);
  let next = [...folders];
  // Folders without a file that git names come after those above them, unless they are ignored.
  while (next.length > 0) {
    const below: string[] = [];
    for (const folder of next) {
      const entries = entriesIn(trees, folder);
      if (entries === undefined) found.set(folder, "unreadable");
      for (const { name, kind } of entries ?? []) {
        const path = folder + name;
        if (kind === "special") found.set(path, "special");
        if (kind !== "folder" || name.toLowerCase() === ".git" || closed.has(path)) continue;
        if (!folders.has(`${path}/`)) below.push(path);
      }
    }
    const ignored = await ignoredOf(trees, [...below, ...found.keys()]);
    for (const path of ignored) found.delete(path);
    next = below.flatMap((path) => (ignored.has(path) ? [] : [`${path}/`]));
    for (const folder of next) folders.add(folder);
  }
  return found;
}

// --- internal ---

/** Each with its slash; the tree itself is an empty name. */
function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set([""]);
  for (const path of paths)
    for (let end = path.lastIndexOf("/"); end >= 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
      if (end === 0) break;
    }
  return folders;
}

interface FolderEntry {
  readonly name: string;
  readonly kind: "folder" | "special" | "other";
}

/** Undefined: it may not be looked into. A link to a folder elsewhere is not entered. */
function entriesIn({ workTree }: Trees, folder: string): FolderEntry[] | undefined {
  const bytes = Buffer.from(folder, "latin1");
  if (folder !== "") {
    const { kind } = lookInside(workTree, bytes);
    if (kind === "unreadable") return undefined;
    if (kind !== "folder") return [];
  }
  try {
    const listed = readdirSync(absolute(workTree, bytes), {
      withFileTypes: true,
      encoding: "buffer",
    });
    return listed.map((entry) => ({
      name: entry.name.toString("latin1"),
      kind: entry.isDirectory()
        ? "folder"
        : entry.isFile() || entry.isSymbolicLink()
          ? "other"
          : "special",
    }));
  } catch {
    return lookInside(workTree, bytes).kind === "folder" || folder === "" ? undefined : [];
  }
}

async function ignoredOf(trees: Trees, paths: readonly string[]): Promise<Set<string>> {
  // A folder that is shut has its slash; the tree itself is never ignored.
  const asked = paths.filter((path) => path !== "");
  if (asked.length === 0) return new Set();
  const input = Buffer.from(asked.map((path) => `./${path}\0`).join(""), "latin1");
  const { code, stdout, stderr } = await tryGit(["check-ignore", "-z", "--stdin"], {
    ...treePlace(trees),
    input,
    maxOutput: 256 * 1024 * 1024,
  });
  // 1: none of them is.
  if (code > 1) throw gitFault(["check-ignore"], stderr, treePlace(trees));
  const lines = stdout.toString("latin1").split("\0").slice(0, -1);
  return new Set(lines.map((line) => line.slice(2)));
}
