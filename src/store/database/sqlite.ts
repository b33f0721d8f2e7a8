// The embedded engine: SQLite in one file of $HOLDFAST_HOME, WAL, synchronous=FULL. Any number of
// processes of this host may have it open; the file's own lock orders their changes.
import { statSync } from "node:fs";
import { Fault } from "../../core/errors.ts";
import { planOf } from "./_sqlite-change.ts";
import { type Connection, connect } from "./_sqlite-connection.ts";
import { readContent } from "./_sqlite-documents.ts";
import { secretsOf, snapshotsOf } from "./_sqlite-kept.ts";
import { findTransitions } from "./_sqlite-journal.ts";
import { claimLease, leaseOf, releaseLease, renewLease } from "./_sqlite-leases.ts";
import { applySettings, migrate, prepareFile } from "./_sqlite-open.ts";
import { type Queue, createQueue, patiently } from "./_sqlite-queue.ts";
import * as rows from "./_sqlite-rows.ts";
import { loadDriver } from "./driver.ts";
import type { Outcome, Store } from "./store.ts";

export interface SqliteOptions {
  /** Against which leases are compared; every process of this host shares it. */
  readonly now?: () => number;
  /** Milliseconds to wait for another process's lock before giving up. */
  readonly patience?: number;
}

export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<Store> {
  const { now = Date.now, patience = 10_000 } = options;
  const open = loadDriver();
  prepareFile(file);
  const database = await patiently(file, patience, () => open(file));
  try {
    // Each may meet another process that opens, migrates or recovers: all wait for it.
    await patiently(file, patience, () => applySettings(file, database));
    await patiently(file, patience, () => migrate(file, database));
  } catch (error) {
    database.close();
    throw error;
  }
  const connection = connect(file, database);
  return storeOf(connection, createQueue(connection, patience), now);
}

// --- internal ---

function storeOf(connection: Connection, queue: Queue, now: () => number): Store {
  return {
    ...writers(connection, queue, now),
    ...readers(connection, queue),
    version: () =>
      // data_version counts the commits of others only, and ours count themselves.
      queue.read(() => dataVersion(connection) + queue.commits),
    check: () => queue.read(() => integrity(connection)).catch(damaged),
    // The package frees its statements, and with them the file, only when they are collected, and a
    // short process does not wait for that; what lies in the log by then is as durable as the rest.
    close: async () => {
      await queue.end();
      if (!connection.database.isOpen) return;
      shortenLog(connection);
      connection.database.close();
    },
  };
}

function writers(connection: Connection, queue: Queue, now: () => number) {
  return {
    // async: a change that can not be prepared rejects, it does not throw.
    async commit(change) {
      const plan = planOf(change);
      return queue.write<Outcome>(() => plan.apply(connection, now()), plan.bytes);
    },
    claim: (taskId, owner, at, milliseconds, from) =>
      queue.write(() => claimLease(connection, { taskId, owner, from }, at, milliseconds)),
    renew: (lease, at, milliseconds) =>
      queue.write(() => renewLease(connection, lease, at, milliseconds)),
    release: (lease) => queue.write(() => releaseLease(connection, lease)),
    putBlob: (hash, content) =>
      queue.write(() => {
        connection.run(
          "insert into blob (hash, content) values (?, ?) on conflict (hash) do nothing",
          [hash, content],
        );
      }, content.length),
  } satisfies Partial<Store>;
}

function readers(connection: Connection, queue: Queue) {
  const read = <T>(act: () => T): Promise<T> => queue.read(act);
  return {
    projectAt: (root) => read(() => rows.projectAt(connection, root)),
    projects: () => read(() => rows.allProjects(connection)),
    task: (id) => read(() => rows.taskById(connection, id)),
    tasks: (filter = {}) => read(() => rows.findTasks(connection, filter)),
    countByStatus: (kind) => read(() => rows.countByStatus(connection, kind)),
    keptTasks: (filter) => read(() => rows.keptTasks(connection, filter)),
    keptBytes: (projectId) => read(() => rows.keptBytes(connection, projectId)),
    wholeTasks: (ids) => read(() => rows.wholeTasks(connection, ids)),
    entity: (kind, id) => read(() => rows.entityById(connection, kind, id)),
    entities: (filter) => read(() => rows.findEntities(connection, filter)),
    transitions: (filter = {}) => read(() => findTransitions(connection, filter)),
    openEffects: (taskId) => read(() => rows.openEffects(connection, taskId)),
    tasksWithEffects: () => read(() => rows.tasksWithEffects(connection)),
    tasksWithMail: () => read(() => rows.tasksWithMail(connection)),
    lease: (taskId) => read(() => leaseOf(connection, taskId)),
    snapshots: (taskId) => read(() => snapshotsOf(connection, taskId)),
    secrets: (scope) => read(() => secretsOf(connection, scope)),
    timersDue: (at) => read(() => rows.timersDue(connection, at)),
    timersNamed: (name) => read(() => rows.timersNamed(connection, name)),
    nextTimer: () => read(() => rows.nextTimer(connection)),
    openInbox: (taskId) => read(() => rows.openInbox(connection, taskId)),
    inboxEntry: (key) => read(() => rows.inboxByKey(connection, key)),
    document: (path) => read(() => rows.documentAt(connection, path)),
    documents: (projectId) => read(() => rows.documentsOf(connection, projectId)),
    contentAt: (path, rev) => read(() => readContent(connection, path, rev)),
    revisions: (path, after = 0) => read(() => rows.revisionsOf(connection, path, after)),
    blob: (hash) => read(() => rows.blobOf(connection, hash)),
  } satisfies Partial<Store>;
}

/** A quarter of a ms to read; a dozen steps of a large document. */
const longLog = 512 * 1024;

/** Whoever opens the database next reads the whole log: a long one is copied back before. */
function shortenLog({ file, database }: Connection): void {
  try {
    if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > longLog)
      database.exec("pragma wal_checkpoint(truncate)");
  } catch {
    // Somebody reads or writes, or the disk is full: nothing is lost, it is done another time.
  }
}

function dataVersion(connection: Connection): number {
  return (connection.get("pragma data_version") as { data_version: number }).data_version;
}

function integrity(connection: Connection): { ok: boolean; detail: string } {
  const found = connection.all("pragma integrity_check(10)") as { integrity_check: string }[];
  const detail = found.map((row) => row.integrity_check).join("\n");
  if (detail !== "ok") return { ok: false, detail };
  const loose = connection.all("pragma foreign_key_check") as { table: string }[];
  if (loose.length === 0) return { ok: true, detail };
  return {
    ok: false,
    detail: loose.map(({ table }) => `a ${table} without its parent`).join("\n"),
  };
}

/** Too damaged to be checked is an answer too. */
function damaged(error: unknown): { ok: boolean; detail: string } {
  if (error instanceof Fault && error.code === "corrupt")
    return { ok: false, detail: error.message };
  throw error;
}
