// Reading files that others may have put there: regular files only, bounded, never through a link
// (S5.4). A FIFO would hang us, a link would show us what its owner may not see.
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { formatOfPath } from "../formats/registry.ts";
import { isTaskListPath, taskListPaths } from "../formats/task-list.ts";

export function resolvePath(cwd: string, path: string): string {
  return resolve(cwd, path);
}

/** The bytes of a regular file of at most `maxBytes`; a Fault says what else it is. */
export async function readRegularFile(path: string, maxBytes: number): Promise<Uint8Array> {
  const file = await openPlainly(path);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Fault("invalid_input", msg("file.not_regular", { path }));
    if (stats.size > maxBytes)
      throw new Fault(
        "invalid_input",
        msg("format.too_large", { size: stats.size, max: maxBytes }),
      );
    const bytes = await file.readFile();
    // It may have grown since: the limit is on what we hold, not on what it said.
    if (bytes.length > maxBytes)
      throw new Fault(
        "invalid_input",
        msg("format.too_large", { size: bytes.length, max: maxBytes }),
      );
    return bytes;
  } finally {
    await file.close();
  }
}

/**
 * The documents below a folder, at the places where Holdfast keeps them, as paths relative to
 * `shownAs`. A path that is no folder stands for itself.
 */
export async function findDocuments(path: string, shownAs = ""): Promise<string[]> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isDirectory()) return shownAs === "" ? [] : [shownAs];
  const found: string[] = [];
  for (const place of places) await collect(join(path, place), found);
  const names = found
    .map((file) => relative(path, file))
    .filter((name) => formatOfPath(name) !== undefined || isTaskListPath(name));
  return [...new Set(names)]
    .toSorted()
    .map((name) => (shownAs === "" || shownAs === "." ? name : join(shownAs, name)));
}

// --- internal ---

/** Folders are walked, files taken as they are; nothing else of a project is ever looked at. */
const places = [
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

const deepest = 8;

async function collect(path: string, found: string[], depth = 0): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined || depth > deepest) return;
  if (!stats.isDirectory()) {
    found.push(path);
    return;
  }
  for (const name of await readdir(path)) await collect(`${path}${sep}${name}`, found, depth + 1);
}

async function openPlainly(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new Fault("not_found", msg("file.not_found", { path }), { cause });
    if (code === "ELOOP" || code === "ENXIO")
      throw new Fault("invalid_input", msg("file.not_regular", { path }), { cause });
    if (code === "EACCES" || code === "EPERM")
      throw new Fault("refused", msg("file.no_access", { path }), { cause });
    throw new Fault("internal", msg("file.unreadable", { path, code: code ?? "?" }), { cause });
  }
}
