// Which SQLite: Node's own where it is new enough, else the package with the same interface.
//
// “New enough” is 3.51.3: before it, a WAL that is reset while a second connection writes may
// corrupt the database (sqlite.org/wal.html#walresetbug), and several processes are our normal case.
import { createRequire } from "node:module";
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
  load: (name: string) => unknown = createRequire(import.meta.url),
): OpenDatabase {
  const names = ["@photostructure/sqlite"];
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

function isNewEnough(version: string | undefined): boolean {
  if (version === undefined) return false;
  const found = version.split(".").map(Number);
  for (const [place, needed] of neededVersion.split(".").map(Number).entries()) {
    const part = found[place] ?? 0;
    if (part !== needed) return part > needed;
  }
  return true;
}
