import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Transition, type Watcher, recordOf } from "../../src/app/journal.ts";
import { Streams } from "../../src/server/streams.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import type { Store } from "../../src/store/database/store.ts";
import { full } from "../crash/programs.ts";
import { type Listener, listen } from "./listener.ts";
import { type ServerWorld, serverWorld } from "./world.ts";

let world: ServerWorld;
const stores: Store[] = [];

/** As another process opens it. */
const other = async (): Promise<Store> => {
  const store = await openSqlite(`${world.home}/holdfast.db`);
  stores.push(store);
  return store;
};
const journal = async (): Promise<Transition[]> =>
  (await (await other()).transitions()).map(recordOf);
const isCompleted = ({ status }: { status: string }): boolean => status === "completed";
const numbers = (listener: Listener): number[] => listener.transitions().map(({ seq }) => seq);

describe("the stream of events (S1.21, S1.22)", () => {
  beforeEach(() => {
    world = serverWorld();
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await world.end();
  });

  test("S1.21 every transition comes live, as it is stored, with its number as id; and tasks that changed", async () => {
    await world.serve();
    const listener = await listen(world.server);
    const id = await world.task("usage 100\nsay hello\nask choice Which? | A | B\ndone x");
    await world.until(
      `/api/tasks/${id}`,
      ({ questions }: { questions: string[] }) => questions.length > 0,
    );
    const stored = await journal();
    await listener.until(() => listener.transitions().length >= stored.length);
    expect(listener.transitions().slice(0, stored.length)).toEqual(stored);
    const transitions = listener.heard.filter(({ event }) => event === "transition");
    expect(transitions.map((each) => Number(each.id))).toEqual(numbers(listener));
    expect(Object.keys(stored[0] ?? {}).toSorted()).toEqual([
      "entityId",
      "from",
      "machine",
      "metadata",
      "seq",
      "taskId",
      "timestamp",
      "to",
      "trigger",
      "type",
    ]);
    expect(stored[0]?.type).toBe("state_transition");
    await listener.until(() => listener.heard.some(({ event }) => event === "changed"));
    const changed = listener.heard.find(({ event }) => event === "changed");
    expect(JSON.parse(changed?.data ?? "")).toEqual({ taskId: id });
    expect(changed?.id).toBeNull();
    listener.close();
  });

  test("S1.22 Last-Event-ID over a restart of the server: nothing is missing, nothing comes twice", async () => {
    await world.serve();
    const before = await listen(world.server, "?after=0");
    const one = await world.task("write a.md x\ndone one");
    await before.until(() => before.transitions().length >= 3);
    before.close();
    const had = before.transitions();
    await world.until(`/api/tasks/${one}`, isCompleted);
    await world.server.stop();
    // Another process goes on while there is no server.
    await plant(await other(), "task_offline", 3);
    await world.serve();
    const two = await world.task("done two");
    await world.until(`/api/tasks/${two}`, isCompleted);
    const after = await listen(world.server, "", { "last-event-id": before.lastId() ?? "" });
    const stored = await journal();
    await after.until(() => had.length + after.transitions().length >= stored.length);
    expect([...had, ...after.transitions()]).toEqual(stored);
    after.close();
  });

  test("S1.22 who joins while others write gets each event once and in order, whenever it comes", async () => {
    await world.serve();
    const writer = await other();
    const [clients, rounds] = full ? [60, 4_000] : [20, 400];
    const listeners: Promise<Listener>[] = [];
    for (let round = 0; round < rounds; round++) {
      await plant(writer, `task_${round % 7}`, 1 + (round % 3));
      // Our own engine says so at once, another process does not.
      if (round % 2 === 0) world.server.serving.journal.committed(`task_${round % 7}`);
      if (round % Math.floor(rounds / clients) === 0)
        listeners.push(listen(world.server, `?after=${listeners.length % 2 === 0 ? 0 : round}`));
    }
    const stored = (await journal()).map(({ seq }) => seq);
    const last = stored.at(-1);
    for (const [place, listener] of (await Promise.all(listeners)).entries()) {
      await listener.until(() => numbers(listener).at(-1) === last);
      const [first = 0] = numbers(listener);
      const from = place % 2 === 0 ? 1 : first;
      expect(numbers(listener)).toEqual(stored.filter((seq) => seq >= from));
      listener.close();
    }
  });

  test("S1.22 of one task alone: replayed and live, no other's", async () => {
    await world.serve();
    const writer = await other();
    await plant(writer, "task_a", 700);
    await plant(writer, "task_b", 5);
    const listener = await listen(world.server, "?after=0&task=task_b");
    await plant(writer, "task_a", 2);
    await plant(writer, "task_b", 2);
    await listener.until(() => listener.transitions().length === 7);
    expect(new Set(listener.transitions().map(({ taskId }) => taskId))).toEqual(
      new Set(["task_b"]),
    );
    listener.close();
  });

  test("a number from the future is as good as now; what is no number is refused", async () => {
    await world.serve();
    const writer = await other();
    const listener = await listen(world.server, "?after=999999");
    await plant(writer, "task_a", 1);
    await listener.until(() => listener.transitions().length === 1);
    listener.close();
    for (const after of ["x", "-1", "1e3", "1.5"])
      expect(await world.call(`/api/events?after=${after}`)).toMatchObject({
        status: 400,
        json: { error: { code: "invalid_input" } },
      });
  });

  test("more streams than are allowed are refused, and one that closes makes room", async () => {
    await world.serve({ mostStreams: 2 });
    const [one, two] = [await listen(world.server), await listen(world.server)];
    const no = await world.call("/api/events");
    expect(no).toMatchObject({ status: 429, json: { error: { code: "too_many_requests" } } });
    one.close();
    await expect
      .poll(() =>
        listen(world.server).then(
          (open) => (open.close(), true),
          () => false,
        ),
      )
      .toBe(true);
    two.close();
  });

  test("a server that stops ends its streams in good order", async () => {
    await world.serve();
    const listener = await listen(world.server);
    await world.server.stop();
    await listener.ended;
    expect(listener.heard.map(({ event }) => event)).toEqual(["ready"]);
    await world.serve();
  });
});

/** Transitions of no real task. */
async function plant(store: Store, taskId: string, count: number): Promise<void> {
  await store.commit({
    transitions: Array.from({ length: count }, (_, place) => ({
      timestamp: "2026-01-01T00:00:00.000Z",
      taskId,
      machine: "task",
      entityId: taskId,
      from: "a",
      to: "b",
      trigger: "planted",
      metadata: { place },
    })),
  });
}

describe("streams alone", () => {
  test("S1.22 a client that does not read is dropped, and the others get everything", async () => {
    const { url, streams, publish } = await bareStreams();
    const [slow, good] = [await listen({ url, token: "" }), await listen({ url, token: "" })];
    slow.pause();
    await expect.poll(() => streams.open).toBe(2);
    const big = "x".repeat(64 * 1024);
    let sent = 0;
    for (; streams.dropped === 0 && sent < 2_000; sent++) {
      publish([row(sent + 1, big)]);
      await good.until(() => good.heard.length === sent + 2);
    }
    expect(streams.dropped).toBe(1);
    expect(streams.open).toBe(1);
    publish([row(sent + 1, "last")]);
    await good.until(() => good.heard.at(-1)?.data.includes("last") === true);
    expect(good.heard.filter(({ event }) => event === "transition")).toHaveLength(sent + 1);
    good.close();
  });

  test("S1.22 a comment every 15 seconds keeps connections alive", async () => {
    const { url, beat } = await bareStreams();
    const listener = await listen({ url, token: "" });
    await listener.until(() => listener.heard.length === 1);
    expect(beat.every).toBe(15_000);
    beat.call();
    beat.call();
    await listener.until(() => listener.comments.length === 2);
    listener.close();
  });
});

function row(seq: number, metadata: string): Transition {
  const ids = { taskId: "task_1", entityId: "task_1", machine: "task" };
  const change = { from: "a", to: "b", trigger: "t", metadata, timestamp: "" };
  return { seq, type: "state_transition", ...ids, ...change };
}

/** Over real sockets, before a journal that a test writes. */
async function bareStreams() {
  const beat = { every: 0, call: (): void => undefined };
  let watcher: Watcher | undefined;
  const streams = new Streams({
    journal: {
      position: 0,
      // oxlint-disable-next-line require-yield -- there is nothing before the test
      between: async function* () {
        return;
      },
      watch: (given) => {
        watcher = given;
        return () => undefined;
      },
    },
    every: (milliseconds, call) => {
      Object.assign(beat, { every: milliseconds, call });
      return () => undefined;
    },
    most: 10,
    backlog: 256 * 1024,
  });
  const server = createServer((_, outgoing) => {
    outgoing.useChunkedEncodingByDefault = false;
    outgoing.writeHead(200);
    outgoing.flushHeaders();
    if (outgoing.socket) void streams.join(outgoing.socket, undefined, undefined);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    streams.stop();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, streams, beat, publish: (rows: Transition[]) => watcher?.transitions(rows) };
}
