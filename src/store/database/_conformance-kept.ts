// Snapshots, secrets, and what an engine that starts again has to find.
import { expect, test } from "vitest";
import {
  type Subject,
  at,
  begin,
  documentWrite,
  done,
  entity,
  task,
} from "./_conformance-samples.ts";
import type { KeptFilter, SecretRow, SnapshotRow, TaskRow } from "./store.ts";

export function testKept(subject: Subject): void {
  snapshots(subject);
  secrets(subject);
  restarting(subject);
  vouched(subject);
  takeover(subject);
  ended(subject);
}

// --- internal ---

const snapshot = (seq: number): SnapshotRow => ({
  id: `s${seq}`,
  taskId: "t1",
  seq,
  reason: "pause",
  data: { tree: `c${seq}`, 이름: "가" },
  createdAt: at,
});

const secret = (name: string, text: string | null): SecretRow => ({
  scope: "t1",
  name,
  content: text === null ? null : new TextEncoder().encode(text),
  createdAt: at,
});

function snapshots(subject: Subject): void {
  test("S1.19 of a task's snapshots the newest by number comes first, and they go with it", async () => {
    const { store } = subject;
    await begin(store);
    await done(store, { tasks: [task("t1")] });
    await done(store, { snapshots: [snapshot(2), snapshot(10), snapshot(1)] });
    // Taken twice after a crash: the first one stays.
    await done(store, { snapshots: [{ ...snapshot(2), id: "again" }] });
    const found = await store.snapshots("t1");
    expect(found).toEqual([snapshot(10), snapshot(2), snapshot(1)]);
    await done(store, { snapshotsGone: ["s1"] });
    expect(await store.snapshots("t1")).toHaveLength(2);
    await done(store, { tasksGone: ["t1"] });
    expect(await store.snapshots("t1")).toEqual([]);
  });
}

function secrets(subject: Subject): void {
  test("a secret given again is replaced, null takes it away, and it goes with its task", async () => {
    const { store } = subject;
    await begin(store);
    await done(store, { tasks: [task("t1")], secrets: [secret("A", "1"), secret("B", "2")] });
    await done(store, { secrets: [secret("A", "3"), { ...secret("C", "4"), scope: "p1" }] });
    const texts = async (scope: string) =>
      (await store.secrets(scope)).map(
        ({ name, content }) => `${name}=${new TextDecoder().decode(content ?? undefined)}`,
      );
    expect(await texts("t1")).toEqual(["A=3", "B=2"]);
    await done(store, { secrets: [secret("B", null)] });
    expect(await texts("t1")).toEqual(["A=3"]);
    await done(store, { tasksGone: ["t1"] });
    expect(await texts("t1")).toEqual([]);
    expect(await texts("p1")).toEqual(["C=4"]);
  });
}

function restarting(subject: Subject): void {
  test("S1.20 tasks with open effects or mail, timers by name, tasks of several states are found", async () => {
    const { store } = subject;
    await begin(store);
    const states = ["pending", "in_progress", "review", "failed"];
    await done(store, {
      tasks: states.map((status, place) => task(`t${place}`, { status })),
      effects: ["t1", "t3"].map((taskId) => ({
        key: `${taskId}:e`,
        taskId,
        name: "start",
        data: {},
        createdAt: 1,
      })),
      inbox: [{ key: "k", taskId: "t0", name: "pause", data: {}, createdAt: 1 }],
      timers: [
        { key: "gate:a", taskId: "", name: "gate", dueAt: 9, data: { account: "a" } },
        { key: "t1:unpark:x", taskId: "t1", name: "unpark", dueAt: 8, data: {} },
      ],
    });
    expect(await store.tasksWithEffects()).toEqual(["t1", "t3"]);
    expect(await store.tasksWithMail()).toEqual(["t0"]);
    expect((await store.timersNamed("gate")).map(({ key }) => key)).toEqual(["gate:a"]);
    const found = await store.tasks({ statuses: ["in_progress", "review"] });
    expect(found.map(({ id }) => id).toSorted()).toEqual(["t1", "t2"]);
    const [message] = await store.openInbox("t0");
    await done(store, {
      effectsDone: [{ key: "t1:e", at: 2 }],
      acknowledge: [{ seq: message?.seq ?? 0, at: 2, outcome: null }],
    });
    expect(await store.tasksWithEffects()).toEqual(["t3"]);
    expect(await store.tasksWithMail()).toEqual([]);
  });
}

function vouched(subject: Subject): void {
  test("S5.2 a revision whose file nobody vouches for loses its token, and no other does", async () => {
    const { store } = subject;
    await begin(store);
    const content = new TextEncoder().encode("{}");
    for (const rev of [0, 1])
      await done(store, { documents: [documentWrite("/p/a", rev, content)] });
    await done(store, { documentsUnpublished: [{ path: "/p/a", rev: 1 }] });
    expect((await store.document("/p/a"))?.token).toBe("lock-1");
    await done(store, { documentsUnpublished: [{ path: "/p/a", rev: 2 }] });
    expect(await store.document("/p/a")).toMatchObject({ token: "", rev: 2 });
  });
}

function takeover(subject: Subject): void {
  test("a lease is taken from a named holder at once, under a higher epoch, and from nobody else", async () => {
    const { store } = subject;
    const held = await store.claim("t1", "dead", 1_000, 60_000);
    expect(await store.lease("t1")).toEqual(held);
    expect(await store.claim("t1", "new", 1_001, 60_000, "another")).toBeUndefined();
    const taken = await store.claim("t1", "new", 1_001, 60_000, "dead");
    expect(taken).toEqual({ taskId: "t1", owner: "new", epoch: 2, until: 61_001 });
    expect(await store.claim("t1", "third", 1_002, 60_000, "dead")).toBeUndefined();
    expect(await store.lease("t9")).toBeUndefined();
  });
}

const ends = (day: number, kept: object | null, more: object = {}): object => ({
  completedAt: `2026-01-0${day}T00:00:00.000Z`,
  failedAt: null,
  kept: kept && { bytes: 10, removeAt: null, why: null, removedAt: null, ...kept },
  ...more,
});

const row = (id: string, status: string, data: object): TaskRow => task(id, { status, data });

function ended(subject: Subject): void {
  test("S1.21c ended tasks that still have files are found page by page, the oldest first, and added up", async () => {
    const { store } = subject;
    await begin(store);
    const failedAt = "2026-01-02T00:00:00.000Z";
    await done(store, {
      projects: [{ id: "p2", root: "/p2", hash: "h", createdAt: "2026" }],
      tasks: [
        row("e", "completed", ends(1, { bytes: 5 })),
        row("d", "failed", ends(1, { bytes: 7 }, { completedAt: null, failedAt })),
        row("c", "completed", ends(2, { removeAt: 9 })),
        row("b", "completed", ends(3, null)),
        row("a", "completed", ends(4, { removeAt: 9, removedAt: "2026" })),
        row("f", "in_progress", ends(1, {})),
        // Without a date of its own: it counts from its last change.
        row("g", "failed", {}),
        task("h", { status: "failed", projectId: "p2", data: ends(1, { removeAt: 9 }) }),
      ],
    });
    const found = async (more: Partial<KeptFilter> = {}): Promise<string> =>
      (await store.keptTasks({ projectId: "p1", limit: 9, ...more })).map(({ id }) => id).join("");
    expect(await found()).toBe("ecdgb");
    expect(await found({ limit: 2 })).toBe("ec");
    const after = { endedAt: "2026-01-02T00:00:00.000Z", id: "c" };
    expect(await found({ after })).toBe("dgb");
    expect(await found({ after: { ...after, id: "d" } })).toBe("gb");
    expect(await found({ only: "unmeasured" })).toBe("gb");
    expect(await found({ only: "announced" })).toBe("c");
    expect(await found({ only: "announced", after })).toBe("");
    expect(await found({ projectId: "p2" })).toBe("h");
    expect([await store.keptBytes("p1"), await store.keptBytes("p2")]).toEqual([22, 10]);
    expect(await store.keptBytes("none")).toBe(0);
  });

  test("S8.4 tasks, and entities of a kind, are counted by their status", async () => {
    const { store } = subject;
    await begin(store, "t1");
    await done(store, {
      tasks: [task("t2", { status: "failed" }), task("t3", { status: "failed" })],
      entities: [entity("a"), entity("b"), entity("c", { status: "running" })],
    });
    expect(await store.countByStatus()).toEqual({ pending: 1, failed: 2 });
    expect(await store.countByStatus("agent")).toEqual({ idle: 2, running: 1 });
    expect(await store.countByStatus("question")).toEqual({});
  });
}
