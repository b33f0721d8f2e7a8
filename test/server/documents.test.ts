// The documents of memory and contracts as the page is given them: as they lie there, and nothing made.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeContracts } from "../e2e/contracted.ts";
import { wordsIn, writeMemory } from "../e2e/remembered.ts";
import { type ServerWorld, serverWorld } from "./world.ts";

interface Shown {
  readonly stamp: string;
  readonly unchanged: boolean;
  readonly documents: readonly {
    readonly path: string;
    readonly value: unknown;
    readonly says: { readonly message: string; readonly hint: string } | null;
    readonly findings: readonly { readonly pointer: string; readonly line: number | null }[];
  }[];
  readonly requests: readonly { readonly id: string; readonly gates: readonly object[] }[];
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

describe("S6.2 documents, as the page is given them", () => {
  let world: ServerWorld;
  const word = wordsIn("en");
  const state = ".claude/memory/task-state.json";
  const shown = async (query: string): Promise<Shown> =>
    (await world.call(`/api/documents?${query}`)).json as unknown as Shown;
  beforeAll(async () => {
    world = serverWorld();
    await writeContracts(world.root, join(world.home, "holdfast.db"), word);
    await world.serve();
  });
  afterAll(() => world.end());

  test("S3.1 who only looks makes nothing: a memory that is not there is empty", async () => {
    expect((await shown("part=memory")).documents).toEqual([]);
    expect(existsSync(join(world.root, ".claude/memory"))).toBe(false);
    expect((await world.call("/api/documents?part=other")).status).toBe(400);
    expect((await world.call("/api/documents?part=memory&project=nobody")).status).toBe(404);
  });

  test("S4.4 contracts come with what the gates found; the same again is told in one word", async () => {
    const first = await shown("part=contracts");
    expect(first.documents.map(({ says }) => says)).toEqual(first.documents.map(() => null));
    expect(first.requests).toMatchObject([{ id: "R1", gates: [{}, {}, { verdicts: [{}, {}] }] }]);
    const again = await shown(`part=contracts&since=${first.stamp}`);
    expect(again).toMatchObject({ stamp: first.stamp, unchanged: true, documents: [] });
  });

  test("S3.7 S5.4 a damaged one is named with its place, the others stand; nothing is mended by looking", async () => {
    writeMemory(world.root, word);
    const before = await shown("part=memory");
    const broken = '{ "version": "1.0",\n  "current_task": 7 }';
    writeFileSync(join(world.root, state), broken);
    const { documents, stamp } = await shown(`part=memory&since=${before.stamp}`);
    expect(stamp).not.toBe(before.stamp);
    const damaged = documents.filter(({ says }) => says !== null);
    expect(damaged).toMatchObject([{ path: state, value: null }]);
    expect(damaged[0]?.says?.hint).toContain("doctor --fix");
    expect(damaged[0]?.findings).toContainEqual(
      expect.objectContaining({ pointer: "/current_task", line: 2 }),
    );
    expect(documents).toHaveLength(before.documents.length);
    expect(readFileSync(join(world.root, state), "utf8")).toBe(broken);
    writeMemory(world.root, word);
  });

  test("S6.3 S6.6 a value that was provided is blanked wherever an agent wrote it", async () => {
    const id = await world.task("need api_key STRIPE_KEY For it\nhang\n", { agent: "sample" });
    await world.until(
      `/api/tasks/${id}`,
      ({ openDependencies }: { openDependencies: object[] }) => openDependencies.length === 1,
    );
    const value = "sk_live_51HxNotForAnybody";
    expect((await world.call(`/api/tasks/${id}/provide`, { body: { value } })).status).toBe(200);
    const file = join(world.root, ".claude/memory/agents/leaky.json");
    mkdirSync(join(file, ".."), { recursive: true });
    const said = { version: "1.0", agent: "leaky", preferences: {}, statistics: {} };
    const cache = { [value]: [{ deep: `the key is ${value}.` }] };
    writeFileSync(file, JSON.stringify({ ...said, cache, last_updated: "2026-11-15T09:00:00Z" }));
    const { text } = await world.call("/api/documents?part=memory");
    expect(text).toContain("the key is [redacted].");
    expect(text).not.toContain(value);
  });
});
