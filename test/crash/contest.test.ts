// Many real processes on one document, or on several in one change (S5.2), of each kind there is:
// none loses an update of another, also when they are killed all the time.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { figure } from "../figures.ts";
import { fixtureOf } from "../fixtures/documents.ts";
import { checkAfter } from "./check.ts";
import { type Kind, kinds, refsOf } from "./kinds.ts";
import { type Running, type Workshop, full, limit, seeded, until, workshop } from "./programs.ts";

const writers = 8;
const updates = full ? 250 : 6;
const kills = full ? 100 : 6;
/** Some of each sort: JSON from nothing; YAML with comments; open and strict in one change. */
const chosen: readonly Kind[] = full ? kinds : ["shared-context", "develop-state", "several"];

let shop: Workshop;
let writer = "";
let home = "";
let project = "";

beforeEach(async () => {
  shop = workshop();
  writer = await shop.bundle("writer.ts");
  home = join(shop.folder, "home");
  project = join(shop.folder, "project");
});
afterEach(() => shop.close());

describe.each(chosen)("%s", (kind) => {
  test(
    `S5.2 of ${writers} processes with ${updates} updates each none loses one`,
    limit,
    async () => {
      await place(kind);
      const names = Array.from({ length: writers }, (_, number) => `w${number}`);
      const running = names.map((name) => start(kind, "count", name, updates));
      const ended = await Promise.all(running.map((each) => each.ended));
      expect(ended.map(({ code }) => code)).toEqual(names.map(() => 0));
      const acked = new Map(names.map((name) => [name, updates]));
      const found = await checkAfter(home, project, { acked, exact: true, kind });
      expectCommentsKept(kind);
      figure(`contest.updates.${kind}`, { seen: total(acked), lost: total(acked) - total(found) });
    },
  );

  test(
    `S5.2 nor when ${kills} of them are killed at any moment, and others take their place`,
    limit,
    async () => {
      await place(kind);
      const all = await underKills(kind);
      const acked = new Map([...all].map(([name, running]) => [name, running.acked()]));
      const found = await checkAfter(home, project, { acked, kind });
      const faults = [...all.values()].flatMap(({ lines }) =>
        lines.filter((line) => /^(fault|error|told)/.test(line)),
      );
      expect(faults).toEqual([]);
      expectCommentsKept(kind);
      const lost = [...acked].filter(([name, sure]) => (found.get(name) ?? 0) < sure);
      const more = `${total(acked)} updates acknowledged, ${total(found)} found`;
      figure(`contest.kills.${kind}`, { seen: all.size, lost: lost.length, more });
    },
  );
});

// --- internal ---

/** The sources' own examples, taken over before anybody counts; the shared context begins empty. */
async function place(kind: Kind): Promise<void> {
  if (kind === "shared-context") return;
  for (const { path, format } of refsOf(project, kind)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, fixtureOf(format).bytes);
  }
  const opened = start(kind, "open");
  expect(await opened.ended).toMatchObject({ code: 0 });
  expect(new Set(opened.lines)).toEqual(new Set(["ready", "told document.adopted"]));
}

/** What a person wrote beside the fields is still there, word for word. */
function expectCommentsKept(kind: Kind): void {
  for (const { path, format } of refsOf(project, kind)) {
    if (!path.endsWith(".yaml")) continue;
    const text = readFileSync(path, "utf8");
    const comments = fixtureOf(format).text.match(/#.*$/gm) ?? [];
    expect(comments.filter((comment) => !text.includes(comment))).toEqual([]);
  }
}

/** All that ever ran, by name; they are dead. */
async function underKills(kind: Kind): Promise<Map<string, Running>> {
  const random = seeded(7);
  const all = new Map<string, Running>();
  const begin = (): [string, Running] => {
    const name = `w${all.size}`;
    const running = start(kind, "count", name, 1_000_000);
    all.set(name, running);
    return [name, running];
  };
  const alive = Array.from({ length: writers }, begin);
  for (let killed = 0; killed < kills; killed++) {
    const number = random(alive.length);
    const [name, victim] = alive[number] ?? begin();
    const seen = victim.lines.length;
    // Only one that is at work: in the middle of whatever it does after its next line.
    await until(`a line of ${name}`, () => victim.lines.length > seen + 1);
    victim.signal("SIGKILL");
    await victim.ended;
    alive[number] = begin();
  }
  for (const [, each] of alive) {
    each.signal("SIGKILL");
    await each.ended;
  }
  return all;
}

function start(kind: Kind, what: string, name = "n", times = 1): Running {
  return shop.start([process.execPath, writer, home, project, what, name, `${times}`, kind]);
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, each) => sum + each, 0);
}
