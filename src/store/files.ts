// Which files of a project are documents, and what is in them (disk.ts guards the reading).
import { lstatSync, readdirSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { formatOfPath } from "../formats/registry.ts";
import { isTaskListPath, taskListPaths } from "../formats/task-list-paths.ts";
import { codeOf, realDisk, unreadable } from "./disk.ts";

export function resolvePath(cwd: string, path: string): string {
  return resolve(cwd, path);
}

/** The bytes of a regular file of at most `maxBytes`; a Fault where there is none. */
export async function readRegularFile(path: string, maxBytes: number): Promise<Uint8Array> {
  const bytes = realDisk.read(path, maxBytes);
  if (bytes === null) throw new Fault("not_found", msg("file.not_found", { path }));
  return bytes;
}

/** Folders are walked, files taken as they are; nothing else of a project is ever looked at. */
const allPlaces: readonly string[] = [
  "holdfast.yaml",
  ...taskListPaths,
  "docs/develop/checkpoints.yaml",
  ".develop-workflow/state.yaml",
  ".claude/orchestrate-state.json",
  ".claude/memory/task-state.json",
  ".claude/memory/task-history.json",
  ".claude/memory/shared-context.json",
  ".claude/memory/agents",
  ".claude/orchestrator",
];

/**
 * The documents below a folder, at the places where Holdfast keeps them, as paths relative to
 * `shownAs`. A path that is no folder, or should be none, stands for itself.
 */
export async function findDocuments(
  path: string,
  shownAs = "",
  places = allPlaces,
): Promise<string[]> {
  if (!isFolder(path) || isDocument(path)) return shownAs === "" ? [] : [shownAs];
  const found: string[] = [];
  for (const place of places) collect(join(path, place), found);
  const names = found.map((file) => relative(path, file)).filter(isDocument);
  return [...new Set(names)]
    .toSorted()
    .map((name) => (shownAs === "" || shownAs === "." ? name : join(shownAs, name)));
}

// --- internal ---

const deepest = 8;

function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

function collect(path: string, found: string[], depth = 0): void {
  const stats = looking(path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (stats === undefined || depth > deepest) return;
  // A folder in a document's place is that document, and no good one.
  if (!stats.isDirectory() || isDocument(path)) {
    found.push(path);
    return;
  }
  for (const name of looking(path, () => readdirSync(path)) ?? [])
    collect(`${path}${sep}${name}`, found, depth + 1);
}

function isDocument(path: string): boolean {
  return formatOfPath(path) !== undefined || isTaskListPath(path);
}

/** undefined: not there. What may not be looked at is told: it could be what is asked for. */
function looking<T>(path: string, look: () => T): T | undefined {
  try {
    return look();
  } catch (cause) {
    const code = codeOf(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw unreadable(path, cause);
  }
}
