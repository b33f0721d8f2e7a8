// Which SQLite: Node's own where it is new enough, else the package with the same interface.
//
// “New enough” is 3.51.3: before it, a WAL that is reset while a second connection writes may
// corrupt the database (sqlite.org/wal.html#walresetbug), and several processes are our normal case.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";

export type SqlValue = string | number | null | Uint8Array;

/** What we use of `node:sqlite`; both drivers have it. */
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

export const neededVersion = "3.51.3";

/** `builtIn` is the version of SQLite inside this Node; `load` is for tests. */
export function loadDriver(
  builtIn: string | undefined = process.versions["sqlite"],
  load: (name: string) => unknown = loadInstalled,
): OpenDatabase {
  const names = [packageName];
  // A Node built without it still names a version: the package is the way out there too.
  if (isNewEnough(builtIn)) names.unshift("node:sqlite");
  let problem: unknown;
  for (const name of names) {
    try {
      const { DatabaseSync } = load(name) as { DatabaseSync: new (file: string) => Database };
      return (file) => new DatabaseSync(file);
    } catch (error) {
      problem = error;
    }
  }
  const detail = problem instanceof Error ? problem.message : String(problem);
  throw new Fault("internal", msg("store.no_driver", { needed: neededVersion, detail }), {
    hint: msg("store.no_driver.hint"),
    cause: problem,
  });
}

// --- internal ---

const packageName = "@photostructure/sqlite";

/** What the package itself would find and load, in a fifth of the time; else through the package. */
function loadInstalled(name: string): unknown {
  return (name === packageName ? prebuilt() : undefined) ?? createRequire(import.meta.url)(name);
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

function isNewEnough(version: string | undefined): boolean {
  if (version === undefined) return false;
  const found = version.split(".").map(Number);
  for (const [place, needed] of neededVersion.split(".").map(Number).entries()) {
    const part = found[place] ?? 0;
    if (part !== needed) return part > needed;
  }
  return true;
}
