// What an update of a document costs that does nothing of ours: the same files made, read, linked, synced
// and renamed, the same statements of SQLite, all in the product's order, the new bytes ready before it
// begins, and what the caller does to its document. It decides, prints, sums and compares nothing, and
// would crash on the first surprise. Below it no program goes that keeps what S5 asks for: a lock, a
// journal of revisions that is durable before the file is, the version before in `.bak`.
import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { applySettings } from "../src/store/database/_sqlite-open.ts";
import { type Database, type Statement, loadDriver } from "../src/store/database/driver.ts";
import { openSqlite } from "../src/store/database/sqlite.ts";

/** One of the product's own updates, as it was stored. */
export interface Stored {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Of the last revision. */
  readonly difference: Uint8Array;
  readonly event: string;
  /** What the caller does to the document: its own, not ours. */
  readonly apply: () => void;
}

export class BareDocument {
  readonly #database: Database;
  readonly #stored: Stored;
  readonly #path: string;
  readonly #run: Statements;
  #rev = 1;

  private constructor(database: Database, stored: Stored) {
    this.#database = database;
    this.#stored = stored;
    this.#path = `${stored.path}.floor`;
    this.#run = statementsOf(database);
    writeNew(this.#path, stored.bytes);
    const values = ["p", "orchestrate-state", 1, sum(0), sum(1), at, at, at];
    this.#run.create.run(this.#path, ...values);
    this.#run.insert.run(this.#path, 1, null, stored.bytes, stored.event, at);
  }

  /** In a database of its own. */
  static async make(file: string, stored: Stored): Promise<BareDocument> {
    await (await openSqlite(file)).close();
    const database = loadDriver()(file);
    applySettings(file, database);
    return new BareDocument(database, stored);
  }

  close(): void {
    this.#database.close();
  }

  async update(count: number): Promise<number> {
    for (let n = 0; n < count; n++) await this.#once();
    return count;
  }

  async #once(): Promise<void> {
    const path = this.#path;
    const side = (kind: string): string => `${path}.${this.#rev}.${kind}`;
    chance(8);
    writeNew(side("own"), owner);
    lstatSync(side("own"), { bigint: true });
    linkSync(side("own"), `${path}.lock`);
    unlinkSync(side("own"));
    this.#run.document.get(path);
    // Has somebody changed it?
    readThrough(path);
    this.#stored.apply();
    lstatSync(path, { bigint: true });
    const handle = openNew(side("tmp"), this.#stored.bytes);
    const synced = new Promise<void>((done, failed) => {
      fsync(handle, (cause) => (cause ? failed(cause) : done()));
    });
    chance(16);
    this.#commit();
    await synced;
    closeSync(handle);
    lstatSync(`${path}.lock`, { bigint: true });
    linkSync(path, side("old"));
    lstatSync(side("old"), { bigint: true });
    renameSync(side("tmp"), path);
    syncFolder(dirname(path));
    // Has somebody changed it in the last moment?
    readThrough(side("old"));
    renameSync(side("old"), `${path}.bak`);
    lstatSync(`${path}.lock`, { bigint: true });
    unlinkSync(`${path}.lock`);
    this.#rev++;
  }

  #commit(): void {
    const { begin, after, update, insert, commit } = this.#run;
    const { bytes, difference, event } = this.#stored;
    const [path, rev] = [this.#path, this.#rev];
    begin.run();
    lstatSync(`${path}.lock`, { bigint: true });
    after.get(path);
    update.run(sum(rev), sum(rev + 1), at, at, path, rev);
    // The product keeps a whole copy as often.
    if (rev % 50 === 0) insert.run(path, rev + 1, null, bytes, event, at);
    else insert.run(path, rev + 1, rev, difference, event, at);
    commit.run();
  }
}

// --- internal ---

const at = "2026-01-02T03:04:05.678Z";
/** As long as what the product writes: who holds the lock, by what a file is known again. */
const owner = Buffer.alloc(183, " ");
const sum = (rev: number): string => String(rev).padStart(64, "0");

type Name = "begin" | "document" | "after" | "create" | "update" | "insert" | "commit";
type Statements = Readonly<Record<Name, Statement>>;

function statementsOf(database: Database): Statements {
  const prepare = (sql: string): Statement => database.prepare(sql);
  return {
    begin: prepare("begin immediate"),
    document: prepare("select * from document where path = ?"),
    after: prepare("select after from document where path = ?"),
    create: prepare(
      `insert into document (path, project_id, format, rev, before, after, token, boot, updated_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    update: prepare(
      `update document set rev = rev + 1, before = ?, after = ?, token = ?, updated_at = ?
       where path = ? and rev = ?`,
    ),
    insert: prepare(
      `insert into revision (path, rev, kind, base, content, event, created_at)
       values (?, ?, 'ours', ?, ?, ?, ?)`,
    ),
    commit: prepare("commit"),
  };
}

function openNew(path: string, bytes: Uint8Array): number {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const handle = openSync(path, O_WRONLY | O_CREAT | O_EXCL, 0o644);
  if (writeSync(handle, bytes) !== bytes.length) throw new Error("short write");
  return handle;
}

function writeNew(path: string, bytes: Uint8Array): void {
  closeSync(openNew(path, bytes));
}

/** As the product does where it knows the bytes: piece by piece, each into the same place. */
function readThrough(path: string): void {
  const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const { size } = fstatSync(handle);
  for (let had = 0; had < size;)
    had += readSync(handle, piece, 0, Math.min(piece.length, size - had), had);
  closeSync(handle);
}

const piece = Buffer.allocUnsafeSlow(128 * 1024);

function syncFolder(path: string): void {
  const handle = openSync(path, "r");
  fsyncSync(handle);
  closeSync(handle);
}

/** A name for the lock, a key for the sum. */
function chance(size: number): void {
  const handle = openSync("/dev/urandom", "r");
  readSync(handle, new Uint8Array(size));
  closeSync(handle);
}
