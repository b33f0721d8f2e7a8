// Files of a tree that an agent may do anything to: never through a link, never a pipe or a device,
// never outside (S5.4, threats 5 and 10). A name may be any bytes: paths are given as text or bytes.
import {
  type Stats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  readdirSync,
} from "node:fs";
import type { Redactor } from "../core/redact.ts";
import { codeOf } from "../store/disk.ts";

export type TreePath = string | Buffer;

/** outside: a part of it is a link, or would lead out. */
export type Kind = "file" | "folder" | "link" | "special" | "missing" | "outside" | "unreadable";

export interface Found {
  readonly kind: Kind;
  readonly stats?: Stats;
}

/** Does it stay below the folder it is taken from, by its words alone? */
export function isTreePath(path: TreePath): boolean {
  return partsOf(path) !== undefined;
}

/** What stands at a path below the folder. Every part of the way is looked at, none is followed. */
export function lookInside(folder: string, path: TreePath): Found {
  const parts = partsOf(path);
  if (parts === undefined) return { kind: "outside" };
  let at = Buffer.from(folder, "utf8");
  let stats: Stats | undefined;
  for (const [place, part] of parts.entries()) {
    at = Buffer.concat([at, slash, part]);
    try {
      stats = lstatSync(at, { throwIfNoEntry: false });
    } catch (cause) {
      return { kind: codeOf(cause) === "ENOTDIR" ? "missing" : "unreadable" };
    }
    if (stats === undefined) return { kind: "missing" };
    if (place < parts.length - 1 && !stats.isDirectory())
      return { kind: stats.isSymbolicLink() ? "outside" : "missing" };
  }
  return stats === undefined ? { kind: "folder" } : { kind: kindOf(stats), stats };
}

/** An open regular file; undefined if something else stands there by now. The caller closes it. */
export function openInside(folder: string, path: TreePath): number | undefined {
  const { kind, stats } = lookInside(folder, path);
  if (kind !== "file" || stats === undefined) return undefined;
  let handle: number | undefined;
  try {
    // Were it replaced by a pipe just now, opening must not wait for a writer.
    handle = openSync(
      absolute(folder, path),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    const opened = fstatSync(handle);
    if (opened.isFile() && opened.ino === stats.ino && opened.dev === stats.dev) return handle;
  } catch {
    // Gone, or not ours to read.
  }
  if (handle !== undefined) closeSync(handle);
  return undefined;
}

/** At most `most` bytes of a regular file, or undefined where there is none or it holds more. */
export function readInside(folder: string, path: TreePath, most: number): Buffer | undefined {
  const handle = openInside(folder, path);
  if (handle === undefined) return undefined;
  try {
    const parts: Buffer[] = [];
    let size = 0;
    for (const chunk of chunksOf(handle)) {
      size += chunk.length;
      if (size > most) return undefined;
      parts.push(chunk);
    }
    return Buffer.concat(parts, size);
  } catch {
    return undefined;
  } finally {
    closeSync(handle);
  }
}

/** The bytes of an open file from its beginning, in pieces of their own. */
export function* chunksOf(handle: number): Generator<Buffer> {
  for (let position = 0; ;) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const count = readSync(handle, chunk, 0, chunkBytes, position);
    if (count === 0) return;
    position += count;
    yield chunk.subarray(0, count);
  }
}

/** Is the value of a secret in it? */
export function holdsSecret(handle: number, redactor: Redactor): boolean {
  if (!redactor.active) return false;
  const stream = redactor.stream();
  for (const chunk of chunksOf(handle)) {
    stream.push(chunk);
    if (stream.found) return true;
  }
  return false;
}

/**
 * Everything below a path that is no folder, by name; nothing where nothing is. A name that is no
 * UTF-8 cannot be looked at by it, and comes out as missing.
 */
export function* walkInside(
  folder: string,
  path: string,
  enter: (name: string) => boolean,
): Generator<{ path: string; kind: Kind }> {
  const { kind } = path === "" ? { kind: "folder" as const } : lookInside(folder, path);
  if (kind !== "folder") {
    if (kind !== "missing") yield { path, kind };
    return;
  }
  for (const name of namesIn(absolute(folder, path))) {
    const below = path === "" ? name : `${path}/${name}`;
    if (!enter(name)) continue;
    if (lookInside(folder, below).kind === "missing") yield { path: below, kind: "missing" };
    else yield* walkInside(folder, below, enter);
  }
}

export function absolute(folder: string, path: TreePath): Buffer {
  const below = typeof path === "string" ? Buffer.from(path, "utf8") : path;
  return Buffer.concat([Buffer.from(folder, "utf8"), slash, below]);
}

// --- internal ---

const slash = Buffer.from("/");
const chunkBytes = 64 * 1024;

function partsOf(path: TreePath): Buffer[] | undefined {
  const bytes = typeof path === "string" ? Buffer.from(path, "utf8") : path;
  if (bytes.length === 0 || bytes.includes(0)) return undefined;
  // Latin-1 keeps every byte as one letter.
  const parts = bytes.toString("latin1").replace(/\/$/, "").split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) return undefined;
  return parts.map((part) => Buffer.from(part, "latin1"));
}

function kindOf(stats: Stats): Kind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "special";
}

function namesIn(folder: Buffer): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
