// What SQLite throws, as our Faults: what happened, to which file, and what to do next.
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";

/** Another connection has the lock, or is recovering the log: worth waiting for. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === sqlite.busy || code === sqlite.locked || code === sqlite.protocol;
}

/** Only the statement failed; the transaction around it goes on. */
export function isOnlyStatement(error: unknown): boolean {
  const code = primaryCode(error);
  return (
    code === undefined ||
    code === sqlite.error ||
    code === sqlite.constraint ||
    code === sqlite.tooBig ||
    code === sqlite.mismatch ||
    code === sqlite.range
  );
}

/**
 * Did the disk fail? Then what we wrote may be gone although the kernel will not say so twice:
 * after a failed sync the pages count as clean (ext4, XFS and Btrfs alike), so that a second sync
 * succeeds and proves nothing. A full disk is not meant: there the write itself was refused.
 */
export function isDiskError(error: unknown): boolean {
  return primaryCode(error) === sqlite.ioError && !isNoRoom(error);
}

export function lockedFault(file: string, milliseconds: number, cause: unknown): Fault {
  const seconds = Math.round(milliseconds / 100) / 10;
  return new Fault("locked", msg("store.locked", { file, seconds }), {
    hint: msg("store.locked.hint", { file }),
    cause,
  });
}

export function corruptFault(file: string, detail: string | Message, cause?: unknown): Fault {
  return new Fault("corrupt", msg("store.corrupt", { file, detail }), {
    hint: msg("store.corrupt.hint", { file }),
    cause,
  });
}

export function faultOf(file: string, error: unknown): unknown {
  const code = primaryCode(error);
  if (code === undefined) return error;
  const detail = detailOf(error);
  const more = { cause: error };
  switch (isNoRoom(error) ? sqlite.full : code) {
    case sqlite.full:
      return new Fault("internal", msg("store.full", { file }), {
        hint: msg("store.full.hint"),
        ...more,
      });
    case sqlite.ioError:
      return new Fault("internal", msg("store.io", { file, detail }), {
        hint: msg("store.io.hint"),
        ...more,
      });
    case sqlite.readonly:
    case sqlite.permission:
      return new Fault("refused", msg("store.readonly", { file, detail }), {
        hint: msg("store.readonly.hint"),
        ...more,
      });
    case sqlite.cannotOpen:
      return new Fault("internal", msg("store.cannot_open", { file, detail }), {
        hint: msg("store.cannot_open.hint"),
        ...more,
      });
    case sqlite.corrupt:
    case sqlite.notADatabase:
      return corruptFault(file, detail, error);
    default:
      return new Fault("internal", msg("store.rule", { detail }), more);
  }
}

// --- internal ---

/** The log's index could not grow: what a disk gives that has no room left at all. */
function isNoRoom(error: unknown): boolean {
  return (error as { errcode?: unknown } | null)?.errcode === 4874;
}

/** SQLite's words, with the extended code: “disk I/O error (1034)” is a failed sync. */
function detailOf(error: unknown): string {
  const { message, errcode = 0 } = error as { message: string; errcode?: number };
  return errcode > 0xff ? `${message} (${errcode})` : message;
}

/** The lowest byte of the extended code; undefined when the error is not SQLite's. */
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  if (typeof errcode === "number") return errcode & 0xff;
  if (code !== "ERR_SQLITE_ERROR") return undefined;
  // The package's all() forgets the number (1.2.1); SQLite's own words are as fixed as it is.
  return wordsOf[error.message] ?? sqlite.error;
}

const sqlite = {
  error: 1,
  permission: 3,
  busy: 5,
  locked: 6,
  readonly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  range: 25,
  notADatabase: 26,
} as const;

const wordsOf: Readonly<Record<string, number>> = {
  "database is locked": sqlite.busy,
  "database table is locked": sqlite.locked,
  "locking protocol": sqlite.protocol,
  "attempt to write a readonly database": sqlite.readonly,
  "disk I/O error": sqlite.ioError,
  "database disk image is malformed": sqlite.corrupt,
  "database or disk is full": sqlite.full,
  "unable to open database file": sqlite.cannotOpen,
  "file is not a database": sqlite.notADatabase,
};
