// The few things documents do to a disk, behind one small interface, so that tests can fail, tear,
// drop and reorder each of them. Nothing here retries: after a failed sync the kernel may have
// thrown the data away and call the next sync a success (reliability: never retry fsync).
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsync,
  fsyncSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { jsonLimit } from "../formats/format.ts";

/** Which file stands at a path: a rename or a write changes it, a read does not. */
export interface FileStamp {
  readonly inode: bigint;
  readonly size: bigint;
  readonly modified: bigint;
  /** The permission bits. */
  readonly mode: number;
}

export interface Disk {
  /**
   * A regular file's bytes; null if there is none. A Fault for what others may have put there: a
   * pipe would hang us, a link show us what its owner may not see, a huge file fill the memory
   * (S5.4). Without `maxBytes`, the largest that any document may have. `known` may be given back
   * itself where the file has these very bytes: of a large one, another copy takes its time.
   */
  read(path: string, maxBytes?: number, known?: Uint8Array): Uint8Array | null;
  stamp(path: string): FileStamp | null;
  /** A new file with exactly these bytes, not yet synced. Leaves nothing behind if it fails. */
  create(path: string, bytes: Uint8Array, mode: number): number;
  sync(handle: number): Promise<void>;
  close(handle: number): void;
  /** False if there is nothing to link. */
  link(from: string, to: string): boolean;
  rename(from: string, to: string): void;
  remove(path: string): void;
  syncFolder(path: string): void;
  list(folder: string): string[];
  makeFolder(path: string): void;
}

export const newFileMode = 0o644;

export const realDisk: Disk = {
  read: (path, maxBytes = jsonLimit, known) => {
    const handle = openPlain(path);
    if (handle === null) return null;
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile()) throw notRegular(path);
      if (stats.size > maxBytes) throw tooLarge(path, stats.size, maxBytes);
      return known && isAll(handle, stats.size, known) ? known : readAll(handle, stats.size);
    } catch (cause) {
      throw cause instanceof Fault ? cause : unreadable(path, cause);
    } finally {
      closeSync(handle);
    }
  },
  stamp: (path) => {
    try {
      const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      if (!stats) return null;
      const mode = Number(stats.mode) & 0o777;
      return { inode: stats.ino, size: stats.size, modified: stats.mtimeNs, mode };
    } catch (cause) {
      throw unreadable(path, cause);
    }
  },
  create: (path, bytes, mode) => {
    const handle = openSync(
      path,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      mode,
    );
    try {
      // A new file has what the umask leaves of it; one in another's place exactly what that had.
      if (mode !== newFileMode) fchmodSync(handle, mode);
      writeAll(handle, bytes);
      return handle;
    } catch (cause) {
      closeSync(handle);
      unlinkSync(path);
      throw cause;
    }
  },
  sync: (handle) =>
    new Promise((done, failed) => {
      fsync(handle, (cause) => (cause ? failed(cause) : done()));
    }),
  close: closeSync,
  link: (from, to) => {
    try {
      linkSync(from, to);
      return true;
    } catch (cause) {
      if (codeOf(cause) === "ENOENT") return false;
      if (codeOf(cause) !== "EPERM") throw cause;
      // Another user's file: the kernel lets us replace it, but not link to it (protected_hardlinks).
      copyFileSync(from, to, constants.COPYFILE_EXCL);
      return true;
    }
  },
  rename: renameSync,
  remove: (path) => {
    try {
      unlinkSync(path);
    } catch (cause) {
      if (codeOf(cause) !== "ENOENT") throw cause;
    }
  },
  syncFolder: (path) => {
    const handle = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  },
  list: (folder) => {
    try {
      return readdirSync(folder);
    } catch (cause) {
      if (codeOf(cause) === "ENOENT") return [];
      throw cause;
    }
  },
  makeFolder: (path) => {
    const first = mkdirSync(path, { recursive: true });
    if (first === undefined) return;
    // A folder is only as durable as the entry in its parent: each new one's, down to the last.
    const above = dirname(first);
    for (let folder = dirname(path); folder.length >= above.length; folder = dirname(folder)) {
      realDisk.syncFolder(folder);
      if (folder === above) break;
    }
  },
};

export function codeOf(cause: unknown): string | undefined {
  return (cause as NodeJS.ErrnoException | undefined)?.code;
}

/** What a disk refuses, said for a person; anything else as it is. */
export function asFault(path: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !("syscall" in cause)) return cause;
  const [detail, code] = [reasonOf(cause), codeOf(cause)];
  if (code === "ENOSPC" || code === "EDQUOT")
    return new Fault("internal", msg("disk.full", { path }), {
      hint: msg("disk.full.hint"),
      cause,
    });
  if (code === "EFBIG")
    return new Fault("refused", msg("disk.limit", { path }), {
      hint: msg("disk.limit.hint"),
      cause,
    });
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return new Fault("refused", msg("disk.readonly", { path, detail }), {
      hint: msg("disk.readonly.hint"),
      cause,
    });
  if (code === "ENOENT" || code === "ENOTDIR")
    return new Fault("not_found", msg("disk.no_folder", { path }), {
      hint: msg("disk.no_folder.hint"),
      cause,
    });
  return new Fault("internal", msg("disk.io", { path, detail }), {
    hint: msg("disk.io.hint"),
    cause,
  });
}

/** “EACCES: permission denied”, without the call and the name of a temporary file. */
export function reasonOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).split(", ")[0] ?? "";
}

/** Why a file or folder could not be looked into. */
export function unreadable(path: string, cause: unknown): Fault {
  const code = codeOf(cause) ?? "?";
  if (code === "EACCES" || code === "EPERM")
    return new Fault("refused", msg("file.no_access", { path }), {
      hint: msg("file.no_access.hint", { path }),
      cause,
    });
  return new Fault("internal", msg("file.unreadable", { path, code }), {
    hint: msg("disk.io.hint"),
    cause,
  });
}

// --- internal ---

function openPlain(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    const code = codeOf(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (code === "ELOOP" || code === "ENXIO") throw notRegular(path, cause);
    throw unreadable(path, cause);
  }
}

function notRegular(path: string, cause?: unknown): Fault {
  const hint = msg("file.not_regular.hint");
  return new Fault("refused", msg("file.not_regular", { path }), { hint, cause });
}

function tooLarge(path: string, size: number, max: number): Fault {
  const hint = msg("file.too_large.hint");
  return new Fault("refused", msg("file.too_large", { path, size, max }), { hint });
}

/** So many as it said it has, and no more: it may have grown since. Fewer, if it has been cut. */
function readAll(handle: number, size: number): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let had = 0; had < size;) {
    const count = readSync(handle, bytes, had, size - had, had);
    if (count === 0) return bytes.subarray(0, had);
    had += count;
  }
  return bytes;
}

/** Compared piece by piece, each in the same place: so nothing is left to be collected. */
function isAll(handle: number, size: number, known: Uint8Array): boolean {
  if (size !== known.length) return false;
  piece ??= Buffer.allocUnsafeSlow(pieceSize);
  for (let had = 0; had < size;) {
    const count = readSync(handle, piece, 0, Math.min(pieceSize, size - had), had);
    if (count === 0 || piece.compare(known, had, had + count, 0, count) !== 0) return false;
    had += count;
  }
  return true;
}

const pieceSize = 128 * 1024;
let piece: Buffer | undefined;

/**
 * A full disk makes write() return less than was asked, with no error: the byte count is the
 * only witness. Two widely used libraries ignore it and report success with half a file.
 */
function writeAll(handle: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    const count = writeSync(handle, bytes, written);
    if (count === 0)
      throw Object.assign(new Error("nothing could be written"), { code: "EIO", syscall: "write" });
    written += count;
  }
}
