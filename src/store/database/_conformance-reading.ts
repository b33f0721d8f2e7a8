// What was committed is found again: by every filter, in the stated order, after a restart, and
// from a second connection.
import { expect, test } from "vitest";
import { type Subject, begin, done, entity, task, transition } from "./_conformance-samples.ts";
import type { Store } from "./store.ts";

export function testReading(subject: Subject): void {
  tasks(subject);
  entities(subject);
  journal(subject);
  following(subject);
  values(subject);
  connections(subject);
}

// --- internal ---

const named = (rows: readonly { kind: string; id: string }[]): string[] =>
  rows.map(({ kind, id }) => `${kind}:${id}`);
const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

function tasks(subject: Subject): void {
  test("S1.8 tasks come by priority, first in first out inside one, and by each filter", async () => {
    const { store } = subject;
    await begin(store);
    await done(store, {
      projects: [{ id: "p2", root: "/p2", hash: "h", createdAt: "2026" }],
      tasks: [
        task("a", { priority: 1, queuedAt: 30 }),
        task("b", { priority: 3, queuedAt: 20, projectId: "p2" }),
        task("c", { priority: 1, queuedAt: 10, workflow: "develop" }),
        task("d", { priority: 1, queuedAt: 10, status: "draft" }),
        task("e", { priority: 3, queuedAt: 10, archived: true, retryOf: "a" }),
      ],
    });
    expect(ids(await store.tasks())).toEqual(["e", "b", "c", "d", "a"]);
    expect(ids(await store.tasks({ status: "pending" }))).toEqual(["e", "b", "c", "a"]);
    expect(ids(await store.tasks({ status: "pending", limit: 2 }))).toEqual(["e", "b"]);
    expect(ids(await store.tasks({ projectId: "p2" }))).toEqual(["b"]);
    expect(ids(await store.tasks({ workflow: "develop" }))).toEqual(["c"]);
    expect(ids(await store.tasks({ archived: true }))).toEqual(["e"]);
    expect(ids(await store.tasks({ archived: false, status: "draft" }))).toEqual(["d"]);
    expect(await store.task("e")).toMatchObject({ archived: true, retryOf: "a", rev: 1 });
    expect(await store.task("f")).toBeUndefined();
  });

  test("a task keeps its project and the time it was made, whatever a later write says", async () => {
    const { store } = subject;
    await begin(store, "t1");
    const { createdAt } = (await store.task("t1")) ?? task("none");
    await done(store, { tasks: [task("t1", { rev: 1, createdAt: "later", workflow: "plan" })] });
    expect(await store.task("t1")).toMatchObject({ createdAt, rev: 2, workflow: "plan" });
  });

  test("projects are found by their root", async () => {
    const { store } = subject;
    await begin(store);
    expect(await store.projectAt("/home/dev/앱")).toEqual((await store.projects())[0]);
    expect(await store.projectAt("/home/dev")).toBeUndefined();
  });
}

function entities(subject: Subject): void {
  test("S1.9 entities are found by kind and id, by task, and by status", async () => {
    const { store } = subject;
    await begin(store, "t1", "t2");
    await done(store, {
      entities: [
        entity("x", { kind: "question", status: "open" }),
        entity("x", { status: "running" }),
        entity("b", { taskId: "t2", status: "running" }),
      ],
    });
    await done(store, { entities: [entity("x", { status: "paused", rev: 1, data: [1] })] });
    expect(named(await store.entities({}))).toEqual(["agent:b", "agent:x", "question:x"]);
    expect(named(await store.entities({ taskId: "t1" }))).toEqual(["agent:x", "question:x"]);
    expect(named(await store.entities({ kind: "agent", status: "running" }))).toEqual(["agent:b"]);
    expect(await store.entity("agent", "x")).toEqual(
      entity("x", { status: "paused", rev: 2, data: [1] }),
    );
    expect(await store.entity("agent", "y")).toBeUndefined();
  });

  test("S1.20 tasks are read with all that belongs to them, as one by one", async () => {
    const { store } = subject;
    await begin(store, "t1", "t2", "t3");
    const effect = { name: "prompt", data: {}, createdAt: 1 };
    await done(store, {
      entities: [entity("b"), entity("a"), entity("c", { taskId: "t2" })],
      effects: ["2 t1", "1 t1", "3 t3", "4 t3"].map((text) => {
        const [key = "", taskId = ""] = text.split(" ");
        return { ...effect, key, taskId };
      }),
      effectsDone: [{ key: "4", at: 2 }],
    });
    const found = await store.wholeTasks(["t3", "nobody", "t1"]);
    expect(found.map((whole) => whole.task.id).toSorted()).toEqual(["t1", "t3"]);
    for (const whole of found) {
      const { id } = whole.task;
      expect(whole.task).toEqual(await store.task(id));
      expect(whole.entities).toEqual(await store.entities({ taskId: id }));
      expect(whole.effects).toEqual(await store.openEffects(id));
    }
    expect(found.flatMap(({ effects }) => effects.map(({ key }) => key)).toSorted()).toEqual([
      "1",
      "2",
      "3",
    ]);
    expect(await store.wholeTasks([])).toEqual([]);
  });
}

function journal(subject: Subject): void {
  test("S1.21 every transition is stored with all its fields, in order, and found by filter", async () => {
    const { store } = subject;
    const first = transition("t1", { metadata: { 이유: "승인" } });
    const lastSeq = await done(store, { transitions: [first, transition("t2")] });
    await done(store, { transitions: [transition("t1", { machine: "agent", entityId: "a1" })] });
    const all = await store.transitions();
    expect(all[0]).toEqual({ ...first, seq: all[0]?.seq });
    expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).toSorted((a, b) => a - b));
    expect(all[1]?.seq).toBe(lastSeq);
    expect(await store.transitions({ after: lastSeq })).toEqual(all.slice(2));
    expect(await store.transitions({ taskId: "t1" })).toEqual([all[0], all[2]]);
    expect(await store.transitions({ taskId: "t1", machine: "agent" })).toEqual([all[2]]);
    expect(await store.transitions({ after: all[0]?.seq ?? 0, limit: 1 })).toEqual([all[1]]);
    expect(await done(store, { timersGone: ["none"] })).toBe(0);
  });
}

function following(subject: Subject): void {
  test("S1.21 a reader that goes on after the last it saw loses none and sees none twice", async () => {
    const writers = [subject.store, await subject.opened.second(), await subject.opened.second()];
    const reader = await subject.opened.second();
    const each = 60;
    const write = async (store: Store, writer: number): Promise<void> => {
      for (let n = 0; n < each; n++)
        await done(store, { transitions: [transition(`w${writer}`, { metadata: n })] });
    };
    let writing = true;
    const seen: string[] = [];
    const follow = async (): Promise<void> => {
      for (let after = 0; ; await new Promise(setImmediate)) {
        const last = !writing;
        const rows = await reader.transitions({ after, limit: 7 });
        seen.push(...rows.map(({ taskId, metadata }) => `${taskId}:${String(metadata)}`));
        after = rows.at(-1)?.seq ?? after;
        if (last && rows.length === 0) return;
      }
    };
    const reading = follow();
    await Promise.all(writers.map(write));
    writing = false;
    await reading;
    const wanted = writers.flatMap((_, writer) =>
      Array.from({ length: each }, (__, n) => `w${writer}:${n}`),
    );
    expect(seen.toSorted()).toEqual(wanted.toSorted());
    // And each writer's own in the order it was told they were stored.
    for (const writer of [0, 1, 2])
      expect(seen.filter((name) => name.startsWith(`w${writer}:`))).toEqual(
        wanted.slice(writer * each, (writer + 1) * each),
      );
  });
}

function values(subject: Subject): void {
  test("Korean, emoji, every JSON value and a mebibyte come back as they were", async () => {
    const { store } = subject;
    await begin(store);
    const data = {
      한글: "가나다 값 ㄱ\u1100\u1161 👩‍👩‍👧‍👦 \u{1F1F0}\u{1F1F7} \ud800 \u2028",
      control: "\u0000\u0001\t\r\n\"\\'",
      numbers: [0, -1, 1.5, 1e300, Number.MAX_SAFE_INTEGER],
      nothing: [null, "", [], {}],
      __proto__: null,
      large: "값".repeat(350_000),
    };
    await done(store, { tasks: [task("작업-1 🙂", { data })] });
    expect((await store.task("작업-1 🙂"))?.data).toEqual(data);
    for (const value of [null, "text", 7, true, [1]]) {
      const rev = (await store.task("작업-1 🙂"))?.rev ?? 0;
      await done(store, { tasks: [task("작업-1 🙂", { rev, data: value })] });
      expect((await store.task("작업-1 🙂"))?.data).toEqual(value);
    }
  });

  test("a blob is found by its hash; put twice, it stands there once", async () => {
    const { store } = subject;
    const bytes = Uint8Array.from({ length: 1 << 20 }, (_, n) => n % 251);
    await Promise.all([store.putBlob("h", bytes), store.putBlob("h", bytes)]);
    await store.putBlob("empty", new Uint8Array(0));
    expect(Buffer.from((await store.blob("h")) ?? []).equals(bytes)).toBe(true);
    expect((await store.blob("empty"))?.length).toBe(0);
    expect(await store.blob("none")).toBeUndefined();
  });
}

function connections(subject: Subject): void {
  test("S1.20 everything is there after reopening", async () => {
    const { store, opened } = subject;
    await begin(store, "t1");
    const timer = { key: "w", taskId: "t1", name: "wake", dueAt: 5, data: {} };
    const effect = { key: "e", taskId: "t1", name: "spawn", data: {}, createdAt: 1 };
    await done(store, { entities: [entity("a1")], timers: [timer], effects: [effect] });
    await done(store, {
      inbox: [{ key: "i", taskId: "t1", name: "answer", data: 1, createdAt: 1 }],
    });
    const lastSeq = await done(store, { transitions: [transition("t1")] });
    const lease = await store.claim("t1", "me", 1_000, 500);
    const again = await opened.reopen();
    expect(ids(await again.tasks())).toEqual(["t1"]);
    expect(ids(await again.entities({ taskId: "t1" }))).toEqual(["a1"]);
    expect(await again.nextTimer()).toEqual(timer);
    expect(await again.openEffects()).toEqual([{ ...effect, attempts: 0 }]);
    expect((await again.openInbox("t1")).map(({ key }) => key)).toEqual(["i"]);
    expect((await again.transitions()).map(({ seq }) => seq)).toEqual([lastSeq]);
    expect((await again.claim("t1", "other", 1_100, 500))?.epoch).toBeUndefined();
    expect((await again.claim("t1", "other", 1_500, 500))?.epoch).toBe((lease?.epoch ?? 0) + 1);
    expect(await again.check()).toEqual({ ok: true, detail: "ok" });
  });

  test("a second connection sees what was acknowledged, and version() rises for both", async () => {
    const { store, opened } = subject;
    const second = await opened.second();
    await begin(store, "t1");
    let rev = 1;
    for (const writer of [store, second, store]) {
      const before = [await store.version(), await second.version()];
      await done(writer, { tasks: [task("t1", { rev: rev++ })] });
      const after = [await store.version(), await second.version()];
      expect(after.map((version, n) => version > (before[n] ?? version))).toEqual([true, true]);
      expect((await second.task("t1"))?.rev).toBe(rev);
      expect((await store.task("t1"))?.rev).toBe(rev);
      expect([await store.version(), await second.version()]).toEqual(after);
    }
  });

  test("what was handed in before close() is stored; afterwards everything is refused", async () => {
    const { store, opened } = subject;
    await begin(store);
    const commits = ["t1", "t2", "t3"].map((id) => store.commit({ tasks: [task(id)] }));
    await store.close();
    expect((await Promise.all(commits)).every(({ ok }) => ok)).toBe(true);
    await expect(store.commit({})).rejects.toThrow(/is closed/);
    await expect(store.tasks()).rejects.toThrow(/is closed/);
    await store.close();
    expect((await (await opened.reopen()).tasks()).length).toBe(3);
  });
}
