// Opening: the file is ours alone, every setting that durability rests on is read back, and the
// schema is brought up to date, also when several processes open a new database at once.
import {
  type Stats,
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { Database } from "./driver.ts";
import { migrations } from "./migrations/index.ts";

/**
 * How long SQLite itself waits for a lock. The event loop stands still meanwhile, so it is short;
 * the longer wait between such tries leaves the loop free.
 */
export const busyMilliseconds = 25;

/** “HFst”: tells our database from any other program's. */
const applicationId = 0x48_46_73_74;

/**
 * Makes folder and file, for us alone whatever the umask says. SQLite gives `-wal` and `-shm` the
 * mode of the file. Nothing here opens a file that may be open already: closing it again would drop
 * the locks this process holds on it (POSIX), and another process could remove a log in use.
 */
export function prepareFile(file: string): void {
  prepareFolder(dirname(file));
  for (const side of ["-wal", "-shm"]) requireOwnFile(`${file}${side}`);
  if (requireOwnFile(file)) return;
  try {
    const created = openSync(file, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600);
    fchmodSync(created, 0o600);
    closeSync(created);
  } catch (error) {
    // Another process was faster, and has made it in the same way.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw cannotOpen(file, error);
  }
}

/** Sets what durability rests on and reads it back: a file system may refuse WAL without an error. */
export function applySettings(file: string, database: Database): void {
  // In one go, and in order: first of all, how long to wait for the next.
  database.exec(settings.map(([name, value]) => `pragma ${name} = ${value}`).join(";"));
  for (const [name, value, stored] of settings) {
    const row = database.prepare(`pragma ${name}`).get() as Record<string, unknown>;
    const got = String(Object.values(row)[0]);
    if (got !== stored)
      throw new Fault(
        "internal",
        msg("store.setting_refused", { file, setting: name, wanted: value, got }),
        {
          hint: msg("store.setting_refused.hint"),
        },
      );
  }
}

/** Brings the schema up to date. Whoever gets the write lock second finds it done. */
export function migrate(file: string, database: Database, steps = migrations): void {
  if (checkedVersion(file, database, steps.length) === steps.length) return;
  database.exec("begin immediate");
  try {
    const version = checkedVersion(file, database, steps.length);
    for (const step of steps.slice(version)) database.exec(step);
    database.exec(`pragma application_id = ${applicationId}`);
    database.exec(`pragma user_version = ${steps.length}`);
    database.exec("commit");
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}

// --- internal ---

/** Name, value, and how it reads once it holds. */
// oxfmt-ignore
const settings = [
  ["busy_timeout", String(busyMilliseconds), String(busyMilliseconds)],
  ["journal_mode", "wal", "wal"],
  // FULL: NORMAL lost acknowledged changes in 35 of 40 power cuts, FULL in none of 1,600.
  ["synchronous", "full", "2"],
  ["foreign_keys", "on", "1"],
  // What a rolled back savepoint needs stays in memory, not in a file outside our folder.
  ["temp_store", "memory", "2"],
  // 16 MB of pages and of log. With the defaults (2 and 4 MB) 10 and 200 callers at once took a
  // quarter longer: the log was copied back more often, and pages just written were read again.
  ["cache_size", "-16000", "-16000"],
  ["wal_autocheckpoint", "4000", "4000"],
] as const;

function prepareFolder(folder: string): void {
  const { mode, uid } = statSync(folder, { throwIfNoEntry: false }) ?? made(folder);
  // One that others may write could have anything planted in it; and it is not ours to change:
  // /tmp, perhaps. One that they may merely read is closed.
  if ((mode & 0o022) !== 0 || uid !== (process.getuid?.() ?? uid))
    throw new Fault("refused", msg("store.folder_open", { path: folder }), {
      hint: msg("store.folder_open.hint", { path: folder }),
    });
  if ((mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

function made(folder: string): Stats {
  try {
    // The mode of what was made: the umask has been taken off it.
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(folder, 0o700);
  } catch (error) {
    throw cannotOpen(folder, error);
  }
  return statSync(folder);
}

/** False: there is none yet. */
function requireOwnFile(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.isSymbolicLink())
    throw new Fault("refused", msg("store.symlink", { path }), {
      hint: msg("store.symlink.hint"),
    });
  if (!stats.isFile())
    throw new Fault("refused", msg("store.not_a_file", { path }), {
      hint: msg("store.not_a_file.hint"),
    });
  try {
    if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch (error) {
    throw cannotOpen(path, error);
  }
  return true;
}

function cannotOpen(file: string, cause: unknown): Fault {
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new Fault("internal", msg("store.cannot_open", { file, detail }), {
    hint: msg("store.cannot_open.hint"),
    cause,
  });
}

/** How many migrations it has; a Fault when it is newer than we are, or not ours at all. */
function checkedVersion(file: string, database: Database, known: number): number {
  const ask = (sql: string): number => {
    const row = database.prepare(sql).get() as Record<string, number>;
    return Object.values(row)[0] ?? 0;
  };
  const found = ask("pragma user_version");
  const id = ask("pragma application_id");
  const tables = ask("select count(*) from sqlite_schema");
  if (id !== applicationId && (tables > 0 || found > 0))
    throw new Fault("refused", msg("store.not_ours", { file }), {
      hint: msg("store.not_a_file.hint"),
    });
  if (found > known)
    throw new Fault("refused", msg("store.newer", { file, found, known }), {
      hint: msg("store.newer.hint"),
    });
  return found;
}
