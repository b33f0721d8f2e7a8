// Real processes on one database (S5.2): no update is lost, and none that was acknowledged goes
// missing when they are killed at any moment. (A kill does not show a missing sync: the page cache
// survives it. For that see the power cuts.)
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Store } from "../../src/store/database/store.ts";
import {
  type Running,
  type Workshop,
  compile,
  full,
  limit,
  seeded,
  until,
  workshop,
} from "../crash/programs.ts";
import { journalOf, openRow } from "../crash/row.ts";
import { figure } from "../figures.ts";

const processes = 8;
const each = full ? 250 : 40;
const kills = full ? 100 : 12;
const rounds = full ? 20 : 3;
const turns = full ? 50 : 5;

let shop: Workshop;
let writer = "";
let home = "";
let store: Store;
let count = 0;

beforeAll(async () => {
  shop = workshop();
  writer = await shop.bundle("writer.ts");
});
afterAll(() => shop.close());

beforeEach(async () => {
  home = join(shop.folder, `home-${++count}`);
  store = await openRow(home);
});
afterEach(() => store.close());

function start(name: string, updates: number, environment: Record<string, string> = {}): Running {
  const args = [writer, home, "", "row", name, `${updates}`];
  return shop.start([process.execPath, ...args], environment);
}

/** As the journal has them: `name value`. */
function acknowledged(all: ReadonlyMap<string, Running>): string[] {
  return [...all].flatMap(([name, { lines }]) =>
    lines.filter((line) => line.startsWith("ack ")).map((line) => line.replace("ack", name)),
  );
}

function complaints(all: ReadonlyMap<string, Running>): string[] {
  return [...all.values()].flatMap(({ lines }) => lines.filter((line) => !line.startsWith("ack ")));
}

test(
  `S5.2 ${processes} processes × ${each} updates of one row: none lost, no revision skipped`,
  limit,
  async () => {
    const names = Array.from({ length: processes }, (_, number) => `w${number}`);
    const all = new Map(names.map((name) => [name, start(name, each)]));
    for (const { ended } of all.values()) await ended;
    expect(complaints(all)).toEqual([]);
    const done = await journalOf(store);
    const lost = processes * each - done.length;
    figure("processes.updates", { seen: acknowledged(all).length, lost });
    expect(lost).toBe(0);
    expect(done.toSorted()).toEqual(acknowledged(all).toSorted());
  },
);

test(
  `S5.2 the same while ${kills} of them are killed: what was acknowledged is there, once`,
  limit,
  async () => {
    const random = seeded(42);
    const all = new Map<string, Running>();
    const begin = (): Running => {
      const running = start(`w${all.size}`, 1_000_000);
      all.set(`w${all.size}`, running);
      return running;
    };
    const alive = Array.from({ length: processes }, begin);
    for (let killed = 0; killed < kills; killed++) {
      const number = random(alive.length);
      const victim = alive[number] ?? begin();
      const seen = victim.lines.length;
      // Only one that is at work, then at any moment of it.
      await until("a line of it", () => victim.lines.length > seen);
      victim.signal("SIGKILL");
      await victim.ended;
      alive[number] = begin();
    }
    for (const running of alive) running.signal("SIGKILL");
    for (const { ended } of all.values()) await ended;
    expect(complaints(all)).toEqual([]);
    const done = await journalOf(store);
    const stored = new Set(done);
    const said = acknowledged(all);
    const lost = said.filter((line) => !stored.has(line));
    const more = `${said.length} updates acknowledged, ${done.length} found`;
    figure("processes.kills", { seen: all.size, lost: lost.length, more });
    expect(lost).toEqual([]);
    expect(stored.size).toBe(done.length);
    expect(said.length).toBeGreaterThan(kills);
    // Stored and not acknowledged is legal (killed in between), at most one for each kill.
    expect(done.length - said.length).toBeLessThanOrEqual(all.size);
  },
);

test(
  "S5.2 on a disk whose syncs take longer than SQLite waits, all of them have their turn",
  limit,
  async ({ skip }) => {
    const library = compile("fault.c", shop.folder, true);
    if (typeof library !== "string") skip(`a slow disk: ${library.why}`);
    const slow = { LD_PRELOAD: library as string, FAULT: "slow", FAULT_BELOW: `${home}/` };
    const names = Array.from({ length: 4 }, (_, number) => `w${number}`);
    const all = new Map(names.map((name) => [name, start(name, turns, slow)]));
    for (const { ended } of all.values()) await ended;
    expect(complaints(all)).toEqual([]);
    const done = await journalOf(store);
    figure("processes.slow", { seen: done.length, lost: names.length * turns - done.length });
    expect(done.toSorted()).toEqual(acknowledged(all).toSorted());
    expect(done.length).toBe(names.length * turns);
  },
);

test("several processes that open a new database at once make one schema", limit, async () => {
  for (let round = 0; round < rounds; round++) {
    home = join(shop.folder, `fresh-${round}`);
    mkdirSync(home, { mode: 0o700 });
    const all = new Map(
      Array.from({ length: processes }, (_, number) => [`w${number}`, start("n", 0)]),
    );
    for (const { ended } of all.values()) expect(await ended).toMatchObject({ code: 0 });
    expect(complaints(all)).toEqual([]);
    const opened = await openRow(home);
    expect(await journalOf(opened)).toEqual([]);
    await opened.close();
  }
  figure("processes.schema", { seen: rounds, lost: 0, more: `${processes} processes each` });
});
