// One open database: statements prepared once, and a count of writes, by which the queue knows
// whether a change that failed has left anything behind.
import type { Database, SqlValue, Statement } from "./driver.ts";

export interface Connection {
  readonly file: string;
  readonly database: Database;
  /** Statements run that may have written, since it was opened. */
  readonly writes: number;
  /** One row, or undefined. */
  get(sql: string, values?: readonly SqlValue[]): unknown;
  all(sql: string, values?: readonly SqlValue[]): unknown[];
  /** As all(), but a row is a list of its values: of thousands, in less than half the time. */
  lists(sql: string, values?: readonly SqlValue[]): (readonly SqlValue[])[];
  /** How many rows it changed. */
  run(sql: string, values: readonly SqlValue[]): number;
  /** The row's number. */
  insert(sql: string, values: readonly SqlValue[]): number;
  /** BEGIN, COMMIT and their like: not counted as a write. */
  control(sql: string): void;
}

export function connect(file: string, database: Database): Connection {
  const prepared = new Map<string, Statement>();
  const forLists = new Map<string, Statement>();
  // Each is prepared when first needed: some forty, at 10 µs each.
  const statement = (sql: string, into = prepared): Statement => {
    let found = into.get(sql);
    if (found === undefined) {
      found = database.prepare(sql);
      if (into === forLists) found.setReturnArrays(true);
      into.set(sql, found);
    }
    return found;
  };
  let writes = 0;
  return {
    file,
    database,
    get writes() {
      return writes;
    },
    get: (sql, values = []) => statement(sql).get(...values),
    all: (sql, values = []) => statement(sql).all(...values),
    lists: (sql, values = []) => statement(sql, forLists).all(...values) as SqlValue[][],
    run: (sql, values) => {
      const { changes } = statement(sql).run(...values);
      writes += Number(changes);
      return Number(changes);
    },
    insert: (sql, values) => {
      writes++;
      return Number(statement(sql).run(...values).lastInsertRowid);
    },
    control: (sql) => void statement(sql).run(),
  };
}
