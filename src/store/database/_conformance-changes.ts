// One change is one transaction: all of it or nothing, whoever else is in the same sync.
import { expect, test } from "vitest";
import { render } from "../../core/messages.ts";
import {
  type Subject,
  at,
  begin,
  documentWrite,
  done,
  entity,
  project,
  task,
  transition,
} from "./_conformance-samples.ts";
import type { Outcome, TimerRow } from "./store.ts";

export function testChanges(subject: Subject): void {
  atomicity(subject);
  inRow(subject);
  together(subject);
  refusals(subject);
  keyedRows(subject);
  going(subject);
}

// --- internal ---

/** The refusal's code and its English text. */
function refused(outcome: Outcome): string {
  return outcome.ok ? "not refused" : `${outcome.code}: ${render("en", outcome.what)}`;
}

function timer(key: string, dueAt: number): TimerRow {
  return { key, taskId: "t1", name: "thaw", dueAt, data: { key } };
}

function atomicity(subject: Subject): void {
  test("S5.2 one bad part: nothing of it is stored, and the others in the batch stand", async () => {
    const { store } = subject;
    await begin(store, "t1", "t2", "t3");
    const bad = {
      tasks: [task("t2", { rev: 1, status: "bad" })],
      transitions: [transition("t2")],
      effects: [{ key: "e", taskId: "t2", name: "spawn", data: {}, createdAt: 1 }],
      timers: [{ key: "w", taskId: "t2", name: "wake", dueAt: 1, data: {} }],
      inbox: [{ key: "i", taskId: "t2", name: "answer", data: {}, createdAt: 1 }],
      documents: [documentWrite("/a.json", 0, Buffer.from("a"))],
      entities: [entity("a1", { taskId: "t2" }), entity("a2", { taskId: "t2", rev: 7 })],
    };
    const outcomes = await Promise.all([
      store.commit({ tasks: [task("t1", { rev: 1, status: "good" })] }),
      store.commit(bad),
      store.commit({ tasks: [task("t3", { rev: 1, status: "good" })] }),
    ]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect((await store.tasks()).map(({ id, status, rev }) => `${id} ${status} ${rev}`)).toEqual([
      "t1 good 2",
      "t2 pending 1",
      "t3 good 2",
    ]);
    expect(await store.transitions()).toEqual([]);
    expect(await store.openEffects()).toEqual([]);
    expect(await store.nextTimer()).toBeUndefined();
    expect(await store.inboxEntry("i")).toBeUndefined();
    expect(await store.document("/a.json")).toBeUndefined();
    expect(await store.entities({})).toEqual([]);
  });

  test("a failing change rejects alone, the others in the batch stand", async () => {
    const { store } = subject;
    await begin(store, "t1");
    const bomb = new Error("the lock file is gone");
    const results = await Promise.allSettled([
      store.commit({ tasks: [task("t2")] }),
      store.commit({ tasks: [task("t3")], entities: [entity("a1", { taskId: "nobody" })] }),
      store.commit({ tasks: [task("t4", { data: { big: 1n } })] }),
      store.commit({
        tasks: [task("t5")],
        guard: () => {
          throw bomb;
        },
      }),
      store.commit({ tasks: [task("t6")] }),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect((await store.tasks()).map(({ id }) => id)).toEqual(["t1", "t2", "t6"]);
  });
}

function inRow(subject: Subject): void {
  test("S5.2 changes in a row: each sees what those before it wrote; one refused, and none stands", async () => {
    const { store } = subject;
    await begin(store, "t1");
    const first = { timers: [timer("w", 1)], tasks: [task("t1", { rev: 1, status: "one" })] };
    const second = {
      timersGone: ["w"],
      tasks: [task("t1", { rev: 2, status: "two" })],
      transitions: [transition("t1")],
    };
    const stale = { tasks: [task("t1", { rev: 1, status: "three" })] };
    const lastSeq = await done(store, { next: [first, second] });
    expect((await store.transitions()).map(({ seq }) => seq)).toEqual([lastSeq]);
    expect(await store.task("t1")).toMatchObject({ status: "two", rev: 3 });
    expect(await store.nextTimer()).toBeUndefined();
    const again = { ...first, tasks: [task("t1", { rev: 3, status: "four" })] };
    const message = { key: "k", taskId: "t1", name: "answer", data: 1, createdAt: 5 };
    const outcome = await store.commit({ inbox: [message], next: [again, stale] });
    expect(outcome).toMatchObject({ ok: false, code: "stale" });
    expect(await store.task("t1")).toMatchObject({ status: "two", rev: 3 });
    expect([await store.nextTimer(), await store.inboxEntry("k")]).toEqual([undefined, undefined]);
  });
}

function together(subject: Subject): void {
  test("many callers at once are each answered for themselves, in the order they came", async () => {
    const { store } = subject;
    await begin(store);
    const ids = Array.from({ length: 700 }, (_, n) => `t${String(n).padStart(4, "0")}`);
    const seqs = await Promise.all(
      ids.map((id) => done(store, { tasks: [task(id)], transitions: [transition(id)] })),
    );
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    expect((await store.transitions()).map(({ taskId }) => taskId)).toEqual(ids);
    expect((await store.tasks()).length).toBe(700);
  });

  test("a change is what it was when it was handed in", async () => {
    const { store } = subject;
    await begin(store);
    const data = { phase: 1 };
    const commit = store.commit({ tasks: [task("t1", { data })] });
    data.phase = 2;
    await commit;
    expect((await store.task("t1"))?.data).toEqual({ phase: 1 });
  });
}

function refusals(subject: Subject): void {
  test("S5.2 a write that read an older revision is refused, and says what moved on", async () => {
    const { store } = subject;
    await begin(store, "t1");
    await done(store, { entities: [entity("a1")], tasks: [task("t1", { rev: 1 })] });
    const says = async (change: Parameters<typeof store.commit>[0]): Promise<string> =>
      refused(await store.commit(change));
    expect(await says({ tasks: [task("t1", { rev: 1 })] })).toBe(
      "stale: Someone changed task t1 meanwhile: revision 1 was read, 2 is there now. Read it again.",
    );
    expect(await says({ tasks: [task("t1")] })).toMatch(/^stale: .*task t1 exists already/);
    expect(await says({ tasks: [task("t9", { rev: 3 })] })).toMatch(
      /^stale: .*task t9 is not there/,
    );
    expect(await says({ entities: [entity("a1", { rev: 4 })] })).toMatch(/^stale: .*agent a1/);
    const document = documentWrite("/a.json", 2, null);
    expect(await says({ documents: [document] })).toMatch(/^stale: .*document \/a.json/);
  });

  test("two processes that meet in a folder for the first time make one project", async () => {
    const { store } = subject;
    await done(store, { projects: [project] });
    const again = await store.commit({ projects: [{ ...project, id: "p2" }] });
    expect(refused(again)).toMatch(/^stale: .*project at \/home\/dev\/앱 exists already/);
    await done(store, { projects: [{ ...project, hash: "def" }] });
    expect(await store.projects()).toEqual([{ ...project, hash: "def" }]);
  });

  test("a guard is asked before anything is written, and its reason handed back", async () => {
    const { store } = subject;
    await begin(store);
    const what = { key: "store.what.timer", params: { id: "x" } } as const;
    const outcome = await store.commit({ tasks: [task("t1")], guard: () => what });
    expect(outcome).toEqual({ ok: false, code: "guarded", what });
    expect(await store.task("t1")).toBeUndefined();
    await done(store, { tasks: [task("t1")], guard: () => true });
    expect(await store.task("t1")).toBeDefined();
  });
}

function keyedRows(subject: Subject): void {
  test("an effect decided twice stands there once, also after it was done", async () => {
    const { store } = subject;
    const effect = { key: "spawn:a1", taskId: "t1", name: "spawn", data: { n: 1 }, createdAt: 5 };
    await done(store, { effects: [effect, { ...effect, data: { n: 2 } }] });
    await done(store, { effects: [effect], effectsTried: ["spawn:a1", "unknown"] });
    expect(await store.openEffects()).toEqual([{ ...effect, attempts: 1 }]);
    expect(await store.openEffects("t2")).toEqual([]);
    await done(store, { effectsDone: [{ key: "spawn:a1", at: 9 }] });
    await done(store, { effects: [effect], effectsDone: [{ key: "spawn:a1", at: 10 }] });
    expect(await store.openEffects("t1")).toEqual([]);
  });

  test("S1.16 a message sent twice stands there once, and is acknowledged once", async () => {
    const { store } = subject;
    const message = { key: "k1", taskId: "t1", name: "answer", data: "네", createdAt: 5 };
    await done(store, { inbox: [message, { ...message, data: "아니요" }] });
    await done(store, { inbox: [message, { ...message, key: "k2", taskId: "t2" }] });
    const [entry, ...rest] = await store.openInbox("t1");
    expect(rest).toEqual([]);
    expect(entry).toMatchObject({ ...message, acknowledgedAt: null, outcome: null });
    const seq = entry?.seq ?? -1;
    await done(store, { acknowledge: [{ seq, at: 7, outcome: { ok: true } }] });
    const again = await store.commit({
      transitions: [transition("t1")],
      acknowledge: [{ seq, at: 8, outcome: { ok: false } }],
    });
    expect(refused(again)).toMatch(/^stale: .*acknowledged.*message/);
    expect(await store.transitions()).toEqual([]);
    expect(await store.openInbox("t1")).toEqual([]);
    expect(await store.inboxEntry("k1")).toEqual({
      ...entry,
      acknowledgedAt: 7,
      outcome: { ok: true },
    });
    expect(await store.inboxEntry("k3")).toBeUndefined();
  });

  test("S1.18 timers: the next one, those that are due, moved when set again, gone when told", async () => {
    const { store } = subject;
    await done(store, { timers: [timer("b", 20), timer("a", 20), timer("c", 10)] });
    expect((await store.timersDue(20)).map(({ key }) => key)).toEqual(["c", "a", "b"]);
    expect(await store.nextTimer()).toEqual(timer("c", 10));
    expect(await store.timersDue(9)).toEqual([]);
    await done(store, { timers: [timer("c", 30)], timersGone: ["a", "unknown"] });
    expect((await store.timersDue(99)).map(({ key }) => key)).toEqual(["b", "c"]);
    await done(store, { timers: [timer("b", 40)], timersGone: ["b", "c"] });
    expect(await store.timersDue(99)).toEqual([timer("b", 40)]);
  });
}

function going(subject: Subject): void {
  test("a task that goes takes what is its own, and leaves journal, effects and documents", async () => {
    const { store } = subject;
    await begin(store, "t1", "t2");
    const inbox = { taskId: "t1", name: "delete", data: null, createdAt: 1 };
    await done(store, {
      entities: [entity("a1"), entity("a2", { taskId: "t2" })],
      transitions: [transition("t1")],
      effects: [{ key: "e1", taskId: "t1", name: "end", data: {}, createdAt: 1 }],
      timers: [{ key: "w1", taskId: "t1", name: "wake", dueAt: 1, data: {} }],
      inbox: [
        { ...inbox, key: "delete" },
        { ...inbox, key: "late" },
      ],
      documents: [documentWrite("/a.json", 0, Buffer.from("a"), { taskId: "t1" })],
    });
    const seq = (await store.inboxEntry("delete"))?.seq ?? -1;
    await done(store, {
      tasksGone: ["t1", "unknown"],
      acknowledge: [{ seq, at: 2, outcome: "gone" }],
      transitions: [transition("t1", { to: "deleted" })],
    });
    expect((await store.tasks()).map(({ id }) => id)).toEqual(["t2"]);
    expect((await store.entities({})).map(({ id }) => id)).toEqual(["a2"]);
    expect((await store.transitions({ taskId: "t1" })).length).toBe(2);
    expect((await store.openEffects("t1")).length).toBe(1);
    expect(await store.nextTimer()).toBeUndefined();
    expect((await store.inboxEntry("delete"))?.outcome).toBe("gone");
    expect(await store.inboxEntry("late")).toBeUndefined();
    expect((await store.document("/a.json"))?.taskId).toBe("t1");
  });

  test("what goes, goes first: a document and a task are made anew in one change", async () => {
    const { store } = subject;
    await begin(store, "t1");
    await done(store, { tasks: [task("t1", { rev: 1 })] });
    await done(store, { documents: [documentWrite("/a.json", 0, Buffer.from("old"))] });
    await done(store, { documents: [documentWrite("/a.json", 1, Buffer.from("older"))] });
    await done(store, {
      tasksGone: ["t1"],
      documentsGone: ["/a.json"],
      tasks: [task("t1", { status: "draft" })],
      documents: [documentWrite("/a.json", 0, Buffer.from("new"), { updatedAt: at })],
    });
    expect(await store.task("t1")).toMatchObject({ status: "draft", rev: 1 });
    expect((await store.revisions("/a.json")).map(({ rev }) => rev)).toEqual([1]);
  });
}
