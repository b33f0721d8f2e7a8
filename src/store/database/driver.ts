// SQLite through one package on every Node. The package has the interface of `node:sqlite`, whose SQLite is of
// another version in each Node, and which prints on standard error that it is experimental.
//
// SQLite has to be 3.51.3 or newer: before it, a WAL that is reset while a second connection writes may
// corrupt the database (sqlite.org/wal.html#walresetbug), and several processes are our normal case.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";

export type SqlValue = string | number | null | Uint8Array;

/** What we use of it. */
export interface Statement {
  run(...values: SqlValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
  /** From then on a row is a list of its values. */
  setReturnArrays(enabled: boolean): void;
}

export interface Database {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export type OpenDatabase = (file: string) => Database;

/** `load` is for tests. */
export function loadDriver(load: () => unknown = loadInstalled): OpenDatabase {
  try {
    const { DatabaseSync } = load() as { DatabaseSync: new (file: string) => Database };
    return (file) => new DatabaseSync(file);
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new Fault("internal", msg("store.no_driver", { detail }), {
      hint: msg("store.no_driver.hint"),
      cause,
    });
  }
}

// --- internal ---

const packageName = "@photostructure/sqlite";

/** What the package itself would find and load, in a fifth of the time; else through the package. */
function loadInstalled(): unknown {
  return prebuilt() ?? createRequire(import.meta.url)(packageName);
}

/** Its native part for this system, whose interface is the package's own. */
function prebuilt(): unknown {
  const { platform, arch } = process;
  const libc = platform === "linux" && existsSync("/etc/alpine-release") ? "musl" : "glibc";
  const place = join("prebuilds", `${platform}-${arch}`, `@photostructure+sqlite.${libc}.node`);
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const home = join(folder, "node_modules", packageName);
    if (existsSync(home)) return loadNative(join(home, place));
    if (folder === dirname(folder)) return undefined;
  }
}

/** Undefined: not for this system, or not as we know it. */
function loadNative(file: string): unknown {
  const module: { exports: { DatabaseSync?: unknown } } = { exports: {} };
  try {
    process.dlopen(module, file);
  } catch {
    return undefined;
  }
  return typeof module.exports.DatabaseSync === "function" ? module.exports : undefined;
}
