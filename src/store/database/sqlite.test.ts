import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { schemaOf, schemaPath } from "../../../scripts/write-schema.ts";
import { Fault } from "../../core/errors.ts";
import { connect } from "./_sqlite-connection.ts";
import { faultOf } from "./_sqlite-faults.ts";
import { applySettings, migrate } from "./_sqlite-open.ts";
import { journalBlock } from "./_sqlite-journal.ts";
import { createQueue } from "./_sqlite-queue.ts";
import { begin, documentWrite, done, project, task, transition } from "./_conformance-samples.ts";
import { testStore } from "./conformance.ts";
import { type Database, loadDriver } from "./driver.ts";
import { migrations } from "./migrations/index.ts";
import { openSqlite } from "./sqlite.ts";
import type { Store } from "./store.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-sqlite-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (): string => join(folder, "home", "holdfast.db");
const raw = (path = file()): Database => loadDriver()(path);

/** Of the folder and its files, in octal. */
const modes = (): string[] =>
  ["", "/holdfast.db", "/holdfast.db-wal", "/holdfast.db-shm"].map((name) =>
    (statSync(join(folder, "home") + name).mode & 0o777).toString(8),
  );

/** Of files, by this process, in memory or not; Linux. */
const bytesRead = (): number =>
  Number(/^rchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "latin1"))?.[1]);

interface Version {
  readonly version: string;
}

const codeOf = (errcode: number): string => {
  const fault = faultOf("/f", Object.assign(new Error("words"), { errcode })) as Fault;
  return `${fault.code} ${fault.text.key}`;
};

/** The Fault that was thrown, or the test fails. */
async function faultFrom(act: () => unknown): Promise<Fault> {
  try {
    await act();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

testStore("SQLite", async () => {
  const home = mkdtempSync(join(tmpdir(), "holdfast-store-"));
  const open = (): Promise<Store> => openSqlite(join(home, "holdfast.db"));
  const opened = [await open()];
  return {
    store: opened[0] as Store,
    reopen: async () => {
      await opened[0]?.close();
      opened.push(await open());
      return opened.at(-1) as Store;
    },
    second: async () => {
      opened.push(await open());
      return opened.at(-1) as Store;
    },
    drop: async () => {
      for (const store of opened) await store.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
});

describe("opening", () => {
  test("S5.2 WAL, synchronous=FULL and the other settings have taken effect", async () => {
    const store = await openSqlite(file());
    await begin(store, "t1");
    // Those of the file are seen from outside; the connection's own are read back while opening.
    const other = raw();
    expect(other.prepare("pragma journal_mode").get()).toEqual({ journal_mode: "wal" });
    applySettings(file(), other);
    const setting = (name: string): unknown =>
      Object.values(other.prepare(`pragma ${name}`).get() as object)[0];
    other.exec("begin immediate; update task set rev = rev; commit");
    const names = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout", "temp_store"];
    expect(names.map(setting)).toEqual(["wal", 2, 1, 25, 2]);
    other.close();
    await store.close();
  });

  test("a file system that refuses WAL is named, with what to do", async () => {
    const database = raw(`file:${join(folder, "x.db")}?vfs=unix-dotfile`);
    const fault = await faultFrom(() => applySettings("/mnt/x.db", database));
    expect(fault.message).toMatch(/\/mnt\/x\.db.*journal_mode=wal.*“delete”/);
    expect(fault.hint?.key).toBe("store.setting_refused.hint");
    database.close();
  });

  test("S7.5 folder 0700, files 0600, whatever the umask and whatever they were", async () => {
    for (const umask of [0o000, 0o277, 0o022]) {
      const before = process.umask(umask);
      try {
        const store = await openSqlite(file());
        await begin(store);
        expect(modes()).toEqual(["700", "600", "600", "600"]);
        await store.close();
        if (umask === 0o277) rmSync(join(folder, "home"), { recursive: true });
      } finally {
        process.umask(before);
      }
      mkdirSync(join(folder, "home"), { recursive: true });
      chmodSync(join(folder, "home"), 0o755);
    }
  });

  test("a folder that others may write is refused, not changed", async () => {
    mkdirSync(join(folder, "home"));
    chmodSync(join(folder, "home"), 0o777);
    const fault = await faultFrom(() => openSqlite(file()));
    expect(fault.message).toMatch(/may be written by others/);
    expect(statSync(join(folder, "home")).mode & 0o777).toBe(0o777);
  });

  test("S5.4 a link in the place of any of its files is refused", async () => {
    mkdirSync(join(folder, "home"), { mode: 0o700 });
    writeFileSync(join(folder, "victim"), "");
    for (const end of ["", "-wal", "-shm"]) {
      symlinkSync(join(folder, "victim"), file() + end);
      expect((await faultFrom(() => openSqlite(file()))).message).toMatch(/is a link/);
      rmSync(file() + end);
    }
    mkdirSync(file());
    expect((await faultFrom(() => openSqlite(file()))).message).toMatch(/something else/);
    expect(lstatSync(join(folder, "victim")).size).toBe(0);
  });

  test("what is not a database, or another program's, or newer than we are, is refused", async () => {
    mkdirSync(join(folder, "home"), { mode: 0o700 });
    writeFileSync(file(), "not a database ".repeat(100));
    const garbage = await faultFrom(() => openSqlite(file()));
    expect([garbage.code, garbage.message.includes(file())]).toEqual(["corrupt", true]);
    rmSync(file());
    const theirs = raw();
    theirs.exec("create table note (text text)");
    theirs.close();
    expect((await faultFrom(() => openSqlite(file()))).message).toMatch(/another program/);
    rmSync(file());
    await (await openSqlite(file())).close();
    const newer = raw();
    newer.exec("pragma user_version = 99");
    newer.close();
    const fault = await faultFrom(() => openSqlite(file()));
    expect([fault.code, fault.message]).toEqual([
      "refused",
      expect.stringMatching(/newer Holdfast: its schema is 99, this version knows \d+\./),
    ]);
  });

  test("migrations: each once, in order, all or none", async () => {
    mkdirSync(join(folder, "home"), { mode: 0o700 });
    const database = raw();
    const steps = ["create table a (n integer)", "insert into a values (1)"];
    migrate(file(), database, steps.slice(0, 1));
    const bad = [...steps, "insert into a values (2)", "this is not SQL"];
    expect(() => migrate(file(), database, bad)).toThrow("syntax error");
    const state = (): unknown => [
      database.prepare("select n from a").all(),
      database.prepare("pragma user_version").get(),
    ];
    expect(state()).toEqual([[], { user_version: 1 }]);
    migrate(file(), database, steps);
    migrate(file(), database, steps);
    expect(state()).toEqual([[{ n: 1 }], { user_version: 2 }]);
    database.close();
  });

  test("0004: what was kept while contents lay among the keys is all there afterwards", async () => {
    mkdirSync(join(folder, "home"), { mode: 0o700 });
    const database = raw();
    applySettings(file(), database);
    migrate(file(), database, migrations.slice(0, 3));
    const kept = database.prepare(
      "insert into revision values (?, ?, 'ours', ?, ?, 'null', 'now')",
    );
    const large = Buffer.alloc(300_000, "content ");
    for (const path of ["/b", "/a"]) kept.run(path, 1, null, large);
    kept.run("/a", 2, null, Buffer.from("second"));
    database.prepare("insert into blob values ('hash', ?)").run(large);
    database.exec(`insert into project values ('p', '/p', 'h', 'now');
      insert into task values ('t', 'p', 'w', 's', 0, null, 0, null, 1, '{}', 'now', 'now');
      insert into entity values ('claim', 'e', 't', 'held', 3, '{"by":"me"}')`);
    database.close();
    const store = await openSqlite(file());
    for (const path of ["/a", "/b"])
      expect(Buffer.from((await store.contentAt(path, 1)) ?? []).equals(large)).toBe(true);
    expect((await store.revisions("/a")).map(({ rev, kind }) => [rev, kind])).toEqual([
      [1, "ours"],
      [2, "ours"],
    ]);
    expect(Buffer.from((await store.contentAt("/a", 2)) ?? []).toString()).toBe("second");
    expect(Buffer.from((await store.blob("hash")) ?? []).equals(large)).toBe(true);
    expect(await store.entities({ taskId: "t", kind: "claim", status: "held" })).toEqual([
      { kind: "claim", id: "e", taskId: "t", status: "held", rev: 3, data: { by: "me" } },
    ]);
    await store.close();
  });

  test("a small revision is added among large ones without reading those", async () => {
    const store = await openSqlite(file());
    await begin(store);
    const large = Buffer.alloc(1_000_000, "content ");
    for (const path of ["/a", "/c"])
      await done(store, { documents: [documentWrite(path, 0, large)] });
    await store.close();
    const again = await openSqlite(file());
    await again.revisions("/none");
    const before = bytesRead();
    await done(again, { documents: [documentWrite("/b", 0, Buffer.from("small"))] });
    expect(bytesRead() - before).toBeLessThan(large.length / 2);
    await again.close();
  });

  test("schema.sql is what the migrations make (scripts/write-schema.ts)", () => {
    expect(readFileSync(schemaPath, "utf8")).toBe(schemaOf());
  });

  test("S7.7 SQLite is new enough to reset a WAL safely; without the package there is one clear Fault", () => {
    const database = loadDriver()(":memory:");
    const { version } = database.prepare("select sqlite_version() version").get() as Version;
    database.close();
    expect(version.localeCompare("3.51.3", "en", { numeric: true })).toBeGreaterThanOrEqual(0);
    expect(() =>
      loadDriver(() => {
        throw new Error("no package here");
      }),
    ).toThrow(/SQLite cannot be loaded.*no package here/);
  });
});

describe("group commit", () => {
  test("callers of one turn share a transaction, in sequence each has its own", async () => {
    const store = await openSqlite(file());
    await begin(store);
    const before = await store.version();
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => done(store, { tasks: [task(`a${n}`)] })),
    );
    expect((await store.version()) - before).toBe(1);
    for (let n = 0; n < 5; n++) await done(store, { tasks: [task(`b${n}`)] });
    expect((await store.version()) - before).toBe(6);
    // What only asks or is refused writes nothing.
    await store.commit({ tasks: [task("a0")] });
    expect((await store.version()) - before).toBe(6);
    await store.close();
  });

  test("a transaction takes a bounded number of changes, and the loop has a turn between", async () => {
    const store = await openSqlite(file());
    await begin(store);
    const before = await store.version();
    let turns = 0;
    let counting = true;
    const count = (): void => {
      turns++;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(
      Array.from({ length: 2_000 }, (_, n) => done(store, { tasks: [task(`a${n}`)] })),
    );
    counting = false;
    expect((await store.version()) - before).toBe(Math.ceil(2_000 / 256));
    expect(turns).toBeGreaterThanOrEqual(7);
    await store.close();
  });

  test("large contents are spread over several transactions", async () => {
    const store = await openSqlite(file());
    const before = await store.version();
    const content = new Uint8Array(1.5 * 1024 * 1024);
    await Promise.all(["a", "b", "c", "d"].map((hash) => store.putBlob(hash, content)));
    expect((await store.version()) - before).toBe(2);
    await store.close();
  });

  test("waits for another process's lock with the loop free, then says who is in the way", async () => {
    const store = await openSqlite(file(), { patience: 60_000 });
    await begin(store);
    const hasty = await openSqlite(file(), { patience: 100 });
    const other = raw();
    other.exec("begin immediate");
    const waiting = store.commit({ tasks: [task("t1")] });
    // The loop turns while it waits, and whoever joins meanwhile is served too.
    await new Promise((resolve) => setTimeout(resolve, 60));
    const joined = store.commit({ tasks: [task("t2")] });
    other.exec("commit");
    expect((await Promise.all([waiting, joined])).map(({ ok }) => ok)).toEqual([true, true]);
    other.exec("begin immediate");
    const fault = await faultFrom(() => hasty.commit({ tasks: [task("t3")] }));
    expect(fault.code).toBe("locked");
    expect(fault.message).toContain(file());
    other.exec("rollback");
    // It was not stored, and nothing is stuck.
    expect((await hasty.commit({ tasks: [task("t3")] })).ok).toBe(true);
    other.close();
    await hasty.close();
    await store.close();
  });
});

describe("faults of the disk", () => {
  test("S5.2 a full disk: a clear error, old state intact, and it goes on once there is room", async () => {
    const store = await openSqlite(file());
    await begin(store, "t1");
    await store.close();
    const database = raw();
    applySettings(file(), database);
    database.exec("pragma max_page_count = 1");
    const queue = createQueue(connect(file(), database), 100);
    const write = (): Promise<unknown> =>
      queue.write(() => {
        database.prepare("insert into blob values ('big', zeroblob(9000000))").run();
      });
    const fault = await faultFrom(write);
    expect(fault.message).toMatch(/disk is full.*not stored/);
    database.exec("pragma max_page_count = 100000");
    await write();
    await queue.end();
    database.close();
    const again = await openSqlite(file());
    expect((await again.blob("big"))?.length).toBe(9_000_000);
    expect((await again.task("t1"))?.rev).toBe(1);
    await again.close();
  });

  test("S5.1 after an I/O error nothing more is written until it is opened anew", async () => {
    const store = await openSqlite(file());
    await begin(store, "t1");
    await store.close();
    const database = raw();
    applySettings(file(), database);
    const connection = connect(file(), database);
    let broken = true;
    // The sync of COMMIT fails once, as strace's error injection shows it to SQLite.
    const failing = {
      ...connection,
      control: (sql: string) => {
        if (broken && sql === "commit") {
          broken = false;
          throw Object.assign(new Error("disk I/O error"), { errcode: 1034 });
        }
        connection.control(sql);
      },
    };
    const queue = createQueue(failing, 100);
    const write = (): Promise<unknown> =>
      queue.write(() => connection.run("update task set rev = rev + 1", []));
    const [first, second] = await Promise.all([faultFrom(write), faultFrom(write)]);
    expect(first.message).toMatch(/disk reported an error \(disk I\/O error \(1034\)\)/);
    expect(second).toBe(first);
    expect(await faultFrom(write)).toBe(first);
    // Reading goes on.
    expect(await queue.read(() => connection.get("select rev from task"))).toEqual({ rev: 1 });
    database.close();
  });

  test("a damaged page is a fault that names the file", async () => {
    const store = await openSqlite(file());
    await begin(store, ...Array.from({ length: 500 }, (_, n) => `t${n}`));
    await store.close();
    const other = raw();
    other.exec("pragma wal_checkpoint(truncate)");
    other.close();
    const bytes = readFileSync(file());
    const page = Math.floor(bytes.lastIndexOf("create_app") / 4096) * 4096;
    writeFileSync(file(), bytes.fill(0x5a, page, page + 4096));
    const again = await openSqlite(file());
    const fault = await faultFrom(() => again.tasks());
    expect([fault.code, fault.message.includes(file())]).toEqual(["corrupt", true]);
    expect((await again.check()).ok).toBe(false);
    await again.close();
  });

  test("every code has a text and a hint; what is not SQLite's is left alone", () => {
    expect([8, 3, 10, 4874, 13, 14, 11, 26, 19].map(codeOf)).toEqual([
      "refused store.readonly",
      "refused store.readonly",
      "internal store.io",
      "internal store.full",
      "internal store.full",
      "internal store.cannot_open",
      "corrupt store.corrupt",
      "corrupt store.corrupt",
      "internal store.rule",
    ]);
    // As the package's all() throws it: without the number.
    const bare = Object.assign(new Error("database disk image is malformed"), {
      code: "ERR_SQLITE_ERROR",
    });
    expect((faultOf("/f", bare) as Fault).code).toBe("corrupt");
    const own = new TypeError("mine");
    expect(faultOf("/f", own)).toBe(own);
  });
});

describe("the journal", () => {
  test("S1.21 of a task is found in full blocks, in the open one and across, as if looked for one by one", async () => {
    const store = await openSqlite(file());
    const size = 2 * journalBlock + 900;
    const rows = Array.from({ length: size }, (_, n) =>
      transition(`t${(n * n) % 7}`, { metadata: n }),
    );
    // Blocks end inside of changes, and changes fill more than one.
    for (let n = 0; n < size; n += 1_500)
      await done(store, { transitions: rows.slice(n, n + 1_500) });
    const every = await store.transitions();
    expect(every.map(({ metadata }) => metadata)).toEqual(rows.map((_, n) => n));
    for (const after of [
      0,
      1,
      journalBlock - 1,
      journalBlock,
      journalBlock + 1,
      2 * journalBlock + 5,
    ])
      for (const limit of [undefined, 1, 300, 700])
        for (const taskId of ["t1", "t2", "t6"]) {
          const wanted = every.filter((row) => row.seq > after && row.taskId === taskId);
          const filter = { after, taskId, ...(limit === undefined ? {} : { limit }) };
          expect(await store.transitions(filter)).toEqual(wanted.slice(0, limit));
        }
    expect(await store.transitions({ taskId: "t1", machine: "none" })).toEqual([]);
    await store.close();
  });
});

describe("100,000 tasks", () => {
  test("do not slow a commit: each statement of it finds its row by an index", async () => {
    const store = await openSqlite(file());
    await done(store, { projects: [project] });
    await store.close();
    const database = raw();
    const plan = (sql: string): string =>
      (database.prepare(`explain query plan ${sql}`).all() as { detail: string }[])
        .map(({ detail }) => detail)
        .join("; ");
    const statements = [
      "update task set rev = rev + 1, status = 's' where id = 'a' and rev = 1",
      "update entity set rev = rev + 1 where kind = 'a' and id = 'a' and rev = 1",
      "update effect set done_at = 1 where key = 'a' and done_at is null",
      "update inbox set acknowledged_at = 1 where seq = 1 and acknowledged_at is null",
      "update document set rev = rev + 1 where path = 'a' and rev = 1",
      "delete from task where id = 'a'",
      "delete from timer where task_id = 'a'",
      "delete from inbox where task_id = 'a' and acknowledged_at is null",
      "delete from revision where path = 'a'",
      "select * from transition_of_task join transition using (seq) where seq > 5 and seq <= 4096 and transition_of_task.task_id = 'a' order by seq",
      "select * from transition where seq > 4096 and task_id = 'a' order by seq",
      "select max(seq) from transition",
      "select task_id, seq from transition where seq > 1 and seq <= 9",
      "select * from task where status = 'a' order by priority desc, queued_at, id limit 1",
      "select * from effect where task_id = 'a' and done_at is null order by created_at",
      "select * from timer order by due_at, key limit 1",
      "select * from inbox where task_id = 'a' and acknowledged_at is null order by seq",
    ];
    const scans = statements.filter((sql) =>
      /\bSCAN (?!timer USING INDEX)|TEMP B-TREE FOR ORDER/.test(plan(sql)),
    );
    expect(scans.map((sql) => `${sql}: ${plan(sql)}`)).toEqual([]);
    database.close();
  });
});
