// The index of a project's past (S4.9): one SQLite file of its own, made of other things and made
// anew whenever it is lost, old or damaged. Nothing that is written elsewhere waits for it.
//
// What is indexed comes from *sources*: the journal, a document, a task, an agent's output. Each has a
// position up to which it was taken in; entries and position change in one transaction, and only if
// the position is still the one that was read on from. So a kill leaves the index somewhere on its
// way, never beside it, and of several processes at work the second finds it done.
import { existsSync, rmSync } from "node:fs";
import { Fault } from "../../core/errors.ts";
import type { RecallKind } from "../../core/vocabulary.ts";
import { type AskedWord, termsOf } from "../../core/words.ts";
import { type Connection, connect } from "../database/_sqlite-connection.ts";
import { faultOf, isBusy, lockedFault } from "../database/_sqlite-faults.ts";
import { prepareFile } from "../database/_sqlite-open.ts";
import { type Database, loadDriver } from "../database/driver.ts";
import { type Found, type SearchFilter, searchIn } from "./_search.ts";

export interface RecallEntry {
  /** Inside its source. */
  readonly key: string;
  readonly kind: RecallKind;
  /** ISO, UTC; "" where nobody knows. */
  readonly at: string;
  /** The task it belongs to; null: none. */
  readonly task: string | null;
  /** Where it stands, for people: a file, a task, a process. */
  readonly place: string;
  readonly title: string;
  readonly text: string;
}

/** What a source has to say since its position. */
export interface Taken {
  readonly source: string;
  /** Where it was read on from; null: never before. */
  readonly from: string | null;
  readonly to: string;
  /** What stood there before: all of it goes, or the entries with these keys, or none. */
  readonly gone: "all" | readonly string[];
  readonly entries: readonly RecallEntry[];
}

export interface Recall {
  readonly file: string;
  position(source: string): string | null;
  /** By name, those that begin so. */
  positions(prefix: string): Map<string, string>;
  /** In one transaction; false: somebody else was faster, and what was read counts for nothing. */
  take(taken: Taken): boolean;
  /** Sources that are no more, with all their entries. */
  drop(sources: readonly string[]): void;
  /** What was said of a task that was deleted, whatever its source. */
  dropTasks(tasks: readonly string[]): void;
  tasks(): string[];
  search(asked: readonly AskedWord[], filter: SearchFilter): Found[];
  count(): number;
  close(): void;
}

export type { Found, SearchFilter } from "./_search.ts";

/**
 * `about`: which project it is of. A file of another version, another project or in no good state is
 * replaced by an empty one; so is any if it is to be built `anew`.
 */
export function openRecall(file: string, about: string, anew = false): Recall {
  try {
    return opened(file, about, anew);
  } catch (cause) {
    if (!isDamage(file, cause)) throw recallFault(file, cause);
    // The file itself last: before that, nobody can have made another whose log this would take.
    for (const path of [`${file}-wal`, `${file}-shm`, file]) rmSync(path, { force: true });
    return opened(file, about, anew);
  }
}

/** Does every list fit its entries? Looks only; a file that is not there is in order. */
export function isSound(file: string): boolean {
  if (!existsSync(file)) return true;
  try {
    const database = loadDriver()(file);
    try {
      database.exec(`pragma busy_timeout = ${patienceMs}`);
      // One of another version is built anew by who asks next.
      if (versionOf(database) !== version) return true;
      const rows = database.prepare("pragma quick_check").all() as { quick_check: string }[];
      database.exec("insert into term (term) values ('integrity-check')");
      return rows.length === 1 && rows[0]?.quick_check === "ok";
    } finally {
      database.close();
    }
  } catch (cause) {
    if (isDamage(file, cause)) return false;
    throw recallFault(file, cause);
  }
}

/** Not a database, a broken one, or tables that are not ours: then it is built anew. */
export function isDamage(file: string, cause: unknown): boolean {
  if (cause instanceof Fault || isBusy(cause)) return false;
  const fault = faultOf(file, cause);
  return fault instanceof Fault && (fault.code === "corrupt" || fault.text.key === "store.rule");
}

/** What SQLite threw, with which file it was and what to do. */
export function recallFault(file: string, cause: unknown): unknown {
  return isBusy(cause) ? lockedFault(file, patienceMs, cause) : faultOf(file, cause);
}

// --- internal ---

/** Of the tables here and of how words are cut: what differs is built anew. */
const version = 2;
/** Who reads and who writes do not meet for longer than a batch takes. */
const patienceMs = 5_000;

const schema = `
  create table source (name text primary key, position text not null) strict, without rowid;
  create table entry (
    id integer primary key,
    source text not null,
    key text not null,
    kind text not null,
    at text not null,
    task text,
    place text not null,
    title text not null,
    text text not null,
    unique (source, key)
  ) strict;
  create index entry_by_task on entry (task) where task is not null;
  create virtual table term using fts5 (
    title, body, pairs, tokenize = "unicode61 remove_diacritics 0 tokenchars '_'"
  );
  create virtual table vocabulary using fts5vocab (term, 'row');
  create table about (root text not null) strict;
`;

function opened(file: string, about: string, anew: boolean): Recall {
  prepareFile(file);
  const database = loadDriver()(file);
  try {
    database.exec(`pragma busy_timeout = ${patienceMs}`);
    database.exec("pragma journal_mode = wal");
    // A power cut may take the last batches, with their positions: they are read again.
    database.exec("pragma synchronous = normal");
    database.exec("pragma temp_store = memory");
    database.exec("pragma cache_size = -32000");
    ensureSchema(database, about, anew);
    return recallOn(file, connect(file, database));
  } catch (cause) {
    database.close();
    throw cause;
  }
}

/** Whoever gets the lock second finds it done. */
function ensureSchema(database: Database, about: string, anew: boolean): void {
  if (!anew && fits(database, about)) return;
  database.exec("begin immediate");
  try {
    if (anew || !fits(database, about)) {
      const tables = database
        .prepare(
          "select name from sqlite_schema where type = 'table' and sql like 'create virtual%'",
        )
        .all() as { name: string }[];
      for (const { name } of tables) database.exec(`drop table ${name}`);
      for (const name of ["source", "entry", "about"])
        database.exec(`drop table if exists ${name}`);
      database.exec(schema);
      database.prepare("insert into about values (?)").run(about);
      database.exec(`pragma user_version = ${version}`);
    }
    database.exec("commit");
  } catch (cause) {
    if (database.isTransaction) database.exec("rollback");
    throw cause;
  }
}

function fits(database: Database, about: string): boolean {
  if (versionOf(database) !== version) return false;
  const row = database.prepare("select root from about").get() as { root: string } | undefined;
  return row?.root === about;
}

function versionOf(database: Database): number {
  const row = database.prepare("pragma user_version").get() as { user_version: number };
  return row.user_version;
}

function recallOn(file: string, connection: Connection): Recall {
  const position = (source: string): string | null => {
    const row = connection.get("select position from source where name = ?", [source]);
    return (row as { position: string } | undefined)?.position ?? null;
  };
  return {
    file,
    position,
    positions: (prefix) =>
      new Map(
        connection
          .lists("select name, position from source where name >= ? and name < ?", [
            prefix,
            `${prefix}\u{10ffff}`,
          ])
          .map(([name, at]) => [String(name), String(at)]),
      ),
    take: (taken) =>
      inTransaction(connection, () => {
        if (position(taken.source) !== taken.from) return false;
        replace(connection, taken);
        return true;
      }),
    drop: (sources) =>
      inTransaction(connection, () => {
        for (const source of sources) {
          removeEntries(connection, "source = ?", [source]);
          connection.run("delete from source where name = ?", [source]);
        }
      }),
    dropTasks: (tasks) =>
      inTransaction(connection, () => {
        for (const task of tasks) removeEntries(connection, "task = ?", [task]);
      }),
    tasks: () =>
      connection
        .lists("select distinct task from entry where task is not null")
        .map(([task]) => String(task)),
    search: (asked, filter) => searchIn(connection, asked, filter),
    count: () => (connection.get("select count(*) as n from entry") as { n: number }).n,
    close: () => connection.database.close(),
  };
}

function replace(connection: Connection, { source, to, gone, entries }: Taken): void {
  if (gone === "all") removeEntries(connection, "source = ?", [source]);
  else for (const key of gone) removeEntries(connection, "source = ? and key = ?", [source, key]);
  for (const { key, kind, at, task, place, title, text } of entries) {
    const id = connection.insert(
      "insert into entry (source, key, kind, at, task, place, title, text) values (?, ?, ?, ?, ?, ?, ?, ?)",
      [source, key, kind, at, task, place, title, text],
    );
    const head = termsOf(title);
    const body = termsOf(text);
    connection.insert("insert into term (rowid, title, body, pairs) values (?, ?, ?, ?)", [
      id,
      head.stems,
      body.stems,
      `${head.pairs} ${body.pairs}`,
    ]);
  }
  connection.run(
    "insert into source values (?, ?) on conflict (name) do update set position = excluded.position",
    [source, to],
  );
}

function removeEntries(connection: Connection, where: string, values: readonly string[]): void {
  connection.run(`delete from term where rowid in (select id from entry where ${where})`, values);
  connection.run(`delete from entry where ${where}`, values);
}

function inTransaction<T>(connection: Connection, work: () => T): T {
  connection.control("begin immediate");
  try {
    const result = work();
    connection.control("commit");
    return result;
  } catch (cause) {
    if (connection.database.isTransaction) connection.control("rollback");
    throw cause;
  }
}
