// Ready again with nothing of ours: plain CommonJS that asks the same SQLite the same questions about
// the same tasks, takes their leases in one transaction and reads the JSON. Below it no arrangement of
// our code goes: it neither judges who is dead nor keeps what it has read.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A program that is called with the database's folder; returns its path. */
export function makeFloor(file: string): string {
  const { platform, arch } = process;
  const folder = join(import.meta.dirname, "../node_modules/@photostructure/sqlite/prebuilds");
  const native = join(folder, `${platform}-${arch}`, "@photostructure+sqlite.glibc.node");
  writeFileSync(file, source.replace("NATIVE", JSON.stringify(native)));
  return file;
}

// --- internal ---

const source = `
const { writeSync } = require("node:fs");
const loaded = { exports: {} };
process.dlopen(loaded, NATIVE);
const database = new loaded.exports.DatabaseSync(process.argv[2] + "/holdfast.db");
for (const setting of ["busy_timeout = 250", "journal_mode = wal", "synchronous = full",
  "foreign_keys = on", "temp_store = memory", "cache_size = -16000", "wal_autocheckpoint = 4000"])
  database.exec("pragma " + setting);
database.prepare("select count(*) from sqlite_schema").get();

const task = "select id, project_id, workflow, status, priority, queued_at, archived, retry_of, rev, " +
  "data, created_at, updated_at from task";
const lists = (sql) => {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
};
const read = (rows, column) => rows.map((row) => JSON.parse(row[column]));

const working = lists(task + " where status in ('in_progress', 'review') " +
  "order by priority desc, queued_at, id").all();
read(working, 9);
const open = database.prepare("select distinct task_id as id from effect where done_at is null").all();
const ids = [...new Set([...working.map((row) => row[0]), ...open.map(({ id }) => id)])];

const held = database.prepare("select task_id, owner, epoch, until from lease where task_id = ?");
const lease = database.prepare("insert into lease (task_id, owner, epoch, until) values (?, ?, 1, ?) " +
  "on conflict (task_id) do update set owner = excluded.owner, epoch = epoch + 1, until = excluded.until");
const owner = " ".repeat(150);
database.exec("begin immediate");
for (const id of ids) {
  held.get(id);
  lease.run(id, owner, Date.now() + 60000);
}
database.exec("commit");

const among = "in (select value from json_each(?))";
const wanted = JSON.stringify(ids);
read(lists(task + " where id " + among).all(wanted), 9);
database.prepare("select kind, id, task_id, status, rev, data from entity where task_id " + among).all(wanted);
const effects = read(database.prepare("select key, task_id, name, data, created_at, attempts from effect " +
  "indexed by effect_open where done_at is null and task_id " + among + " order by created_at, key")
  .all(wanted), "data").length;

const timers = database.prepare("select key, task_id, name, due_at, data from timer order by due_at, key").all();
read(timers, "data");
const waiting = database.prepare("select distinct task_id as id from inbox where acknowledged_at is null").all();
const inbox = database.prepare("select * from inbox where task_id = ? and acknowledged_at is null order by seq");
let mail = 0;
for (const { id } of waiting) mail += read(inbox.all(id), "data").length;
const queue = lists(task + " where status = 'pending' order by priority desc, queued_at, id limit 64").all();
read(queue, 9);
writeSync(1, JSON.stringify(
  { owned: ids.length, effects, timers: timers.length, mail, next: queue.length }) + "\\n");
process.exit(0);
`;
