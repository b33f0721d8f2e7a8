import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Died, type FaultKind, faultyDisk } from "../../test/crash/faulty-disk.ts";
import { type TestWorld, emptyContext as empty, testWorld } from "../../test/crash/world.ts";
import { Fault } from "../core/errors.ts";
import type { SharedContext } from "../formats/shared-context.ts";
import type { Documents, DocumentRef, Update } from "./documents.ts";

let world: TestWorld;
let ref: DocumentRef;

/** Counts in the shared data: each update is seen in the result. */
const add = (name: string): Update<number> => ({
  files: [ref],
  event: { add: name },
  apply: (documents) => {
    const before = (documents.get(ref.path) as SharedContext | undefined) ?? empty;
    const value = Number(before.shared_data[name] ?? 0) + 1;
    return {
      documents: new Map([
        [ref.path, { ...before, shared_data: { ...before.shared_data, [name]: value } }],
      ]),
      result: value,
    };
  },
});

/** Acknowledged: the new state. An error: unknown, so either. */
const allowed = (thrown: unknown, before: number): number[] =>
  thrown === undefined ? [before + 1] : [before, before + 1];
const onDisk = (): SharedContext => JSON.parse(readFileSync(ref.path, "utf8")) as SharedContext;
const beside = (): string[] => readdirSync(dirname(ref.path)).toSorted();
const read = async (documents: Documents): Promise<SharedContext> =>
  (await documents.read(ref)) as SharedContext;

beforeEach(async () => {
  world = await testWorld((_format, document, event) => {
    const before = document as SharedContext;
    const name = (event as { add: string }).add;
    return {
      ...before,
      shared_data: { ...before.shared_data, [name]: Number(before.shared_data[name] ?? 0) + 1 },
    };
  });
  ref = {
    path: join(world.folder, ".claude/memory/shared-context.json"),
    format: "shared-context",
  };
  mkdirSync(dirname(ref.path), { recursive: true });
});
afterEach(() => world.close());

describe("an update (S5.1)", () => {
  test("makes the folder again that somebody has removed since the last one", async () => {
    const documents = world.process();
    await documents.update(add("a"));
    rmSync(dirname(ref.path), { recursive: true });
    expect(await documents.update(add("a"))).toBe(2);
    expect(onDisk().shared_data).toEqual({ a: 2 });
  });

  test("writes file, journal and backup, and leaves nothing else behind", async () => {
    const documents = world.process();
    expect(await documents.update(add("a"))).toBe(1);
    expect(await documents.update(add("a"))).toBe(2);
    expect(onDisk().shared_data).toEqual({ a: 2 });
    expect(beside()).toEqual(["shared-context.json", "shared-context.json.bak"]);
    const revisions = await world.store.revisions(ref.path);
    expect(revisions.map(({ rev, kind, event }) => ({ rev, kind, event }))).toEqual([
      { rev: 1, kind: "ours", event: [{ add: "a" }] },
      { rev: 2, kind: "ours", event: [{ add: "a" }] },
    ]);
  });

  test("S3.4 a function that throws, or makes the document invalid, leaves the file byte for byte", async () => {
    const documents = world.process();
    await documents.update(add("a"));
    const before = readFileSync(ref.path);
    const boom = new Error("boom");
    await expect(
      documents.update({
        ...add("a"),
        apply: () => {
          throw boom;
        },
      }),
    ).rejects.toBe(boom);
    const invalid: Update<number> = {
      ...add("a"),
      apply: () => ({ documents: new Map([[ref.path, { ...empty, version: "9" }]]), result: 0 }),
    };
    await expect(documents.update(invalid)).rejects.toMatchObject({ code: "invalid_input" });
    expect(readFileSync(ref.path)).toEqual(before);
    expect(beside()).toEqual(["shared-context.json"]);
    expect(await world.store.revisions(ref.path)).toHaveLength(1);
  });

  test("S5.1 a file keeps the mode that its owner gave it", async () => {
    const documents = world.process();
    await documents.update(add("a"));
    for (const mode of [0o600, 0o664]) {
      chmodSync(ref.path, mode);
      await documents.update(add("a"));
      expect(statSync(ref.path).mode & 0o777).toBe(mode);
    }
  });

  test("writes nothing when nothing changes", async () => {
    const documents = world.process();
    await documents.update(add("a"));
    await documents.update({
      ...add("a"),
      apply: (all) => ({ documents: new Map(all), result: 0 }),
    });
    expect(await world.store.revisions(ref.path)).toHaveLength(1);
  });

  test("S5.2 of 8 writers with 25 updates each none is lost", async () => {
    const writers = Array.from({ length: 8 }, () => world.process(undefined, "alive", "real"));
    await Promise.all(
      writers.map(async (documents) => {
        for (let i = 0; i < 25; i++) await documents.update(add("n"));
      }),
    );
    expect(onDisk().shared_data).toEqual({ n: 200 });
    const revisions = await world.store.revisions(ref.path);
    expect(revisions.map(({ rev }) => rev)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
  });

  test("several files change in one commit, or none does", async () => {
    const other: DocumentRef = {
      path: join(world.folder, ".claude/memory/agents/x.json"),
      format: "agent-memory",
    };
    const memory = {
      version: "1.0",
      agent: "x",
      preferences: {},
      cache: {},
      statistics: {},
      last_updated: "2026-01-01T00:00:00Z",
    };
    const both = (bad: boolean): Update<null> => ({
      files: [other, ref],
      event: "both",
      apply: () => ({
        documents: new Map<string, unknown>([
          [ref.path, empty],
          [other.path, bad ? {} : memory],
        ]),
        result: null,
      }),
    });
    await expect(world.process().update(both(true))).rejects.toBeInstanceOf(Fault);
    expect(existsSync(ref.path)).toBe(false);
    await world.process().update(both(false));
    expect(existsSync(ref.path) && existsSync(other.path)).toBe(true);
  });

  test("null removes the file and keeps the last version as its backup", async () => {
    const documents = world.process();
    await documents.update(add("a"));
    await documents.update({
      files: [ref],
      event: "reset",
      apply: () => ({ documents: new Map([[ref.path, null]]), result: 0 }),
    });
    expect(beside()).toEqual(["shared-context.json.bak"]);
    expect(await documents.read(ref)).toBeUndefined();
    expect(await documents.update(add("b"))).toBe(1);
  });
});

describe("a process that dies at any step of an update (S5.2)", () => {
  test.each<FaultKind>(["die_before", "die_after"])(
    "%s: the next one finds the old or the new state, and the journal agrees",
    async (kind) => {
      for (let at = 1; ; at++) {
        await world.process().update(add("n"));
        const before = Number(onDisk().shared_data["n"]);
        const disk = faultyDisk(at, kind);
        const thrown = await world
          .process(disk)
          .update(add("n"))
          .then(
            () => undefined,
            (cause: unknown) => cause,
          );
        const after = await read(world.process());
        const [n] = [Number(after.shared_data["n"])];
        expect(allowed(thrown, before)).toContain(n);
        expect(onDisk()).toEqual(after);
        const revisions = await world.store.revisions(ref.path);
        expect(revisions.filter(({ kind: made }) => made === "ours")).toHaveLength(n);
        expect(world.told).toEqual([]);
        await world.process().update(add("n"));
        expect(beside().filter((name) => !/^shared-context\.json(\.bak)?$/.test(name))).toEqual([]);
        if (disk.taken.length < at) break;
      }
    },
  );

  test.each<FaultKind>(["EIO", "ENOSPC"])(
    "%s at any step, once or for good: a clear error, nothing half, nothing acknowledged lost",
    async (kind) => {
      for (const sticky of [false, true]) {
        for (let at = 1; ; at++) {
          await world.process().update(add("n"));
          const before = Number(onDisk().shared_data["n"]);
          const disk = faultyDisk(at, kind, sticky);
          const thrown = await world
            .process(disk)
            .update(add("n"))
            .then(
              () => undefined,
              (cause: unknown) => cause,
            );
          const n = Number((await read(world.process())).shared_data["n"]);
          expect(allowed(thrown, before)).toContain(n);
          expect(thrown instanceof Died).toBe(false);
          if (disk.taken.length < at) break;
        }
      }
    },
  );

  test("a failed sync makes the document read-only for that process, and another goes on", async () => {
    await world.process().update(add("n"));
    const taken = faultyDisk(0, "EIO");
    await world.process(taken).update(add("n"));
    const documents = world.process(faultyDisk(taken.taken.indexOf("sync") + 1, "EIO"));
    await expect(documents.update(add("n"))).rejects.toMatchObject({ code: "internal" });
    await expect(documents.update(add("n"))).rejects.toMatchObject({ code: "refused" });
    expect(Number((await read(world.process())).shared_data["n"])).toBe(3);
  });
});

describe("a change somebody else made (S5.3)", () => {
  test("an unknown field, a comment-like reformat and open maps are taken over, journaled and told", async () => {
    const documents = world.process();
    await documents.update(add("a"));
    const mine = { ...onDisk(), my_note: "keep", preferences: { tone: "친근" } };
    writeFileSync(ref.path, JSON.stringify(mine));
    expect(await read(documents)).toEqual(mine);
    expect(world.told.map(({ text }) => text.key)).toEqual(["document.foreign"]);
    const journal = await world.store.transitions({ machine: "document" });
    expect(journal.map(({ trigger }) => trigger)).toEqual(["foreign"]);
    expect(await documents.update(add("a"))).toBe(2);
    expect(onDisk()).toMatchObject({ my_note: "keep", preferences: { tone: "친근" } });
  });

  test("a change of the engine's own words is set aside, ours is written again, and both are told", async () => {
    const documents = world.process();
    await documents.update(add("a"));
    const ours = readFileSync(ref.path);
    writeFileSync(
      ref.path,
      JSON.stringify({
        ...onDisk(),
        session: { id: "session-2026-09-09-009", started_at: "2026-01-01T00:00:00Z" },
      }),
    );
    await read(documents);
    expect(readFileSync(ref.path)).toEqual(ours);
    expect(world.told.map(({ text }) => text.key)).toEqual(["document.set_aside"]);
    const kept = readdirSync(join(world.folder, "home/quarantine"));
    expect(kept).toHaveLength(1);
    expect(readFileSync(join(world.folder, "home/quarantine", kept[0] ?? ""), "utf8")).toContain(
      "session-2026-09-09-009",
    );
  });

  test("a truncated file at every byte and each flipped bit is noticed, and ours comes back", async () => {
    const documents = world.process();
    await documents.update(add("a"));
    const ours = readFileSync(ref.path);
    // Without its last byte, the line end, it is still the same document.
    for (let length = 0; length < ours.length - 1; length += 7) {
      writeFileSync(ref.path, ours.subarray(0, length));
      expect((await read(documents)).shared_data).toEqual({ a: 1 });
      expect(readFileSync(ref.path)).toEqual(ours);
    }
    expect(world.told.length).toBeGreaterThan(20);
  });

  test("the previous version put back by hand is not a step: the newest is written again, and told", async () => {
    const documents = world.process();
    await documents.update(add("a"));
    const older = readFileSync(ref.path);
    await documents.update(add("a"));
    writeFileSync(ref.path, older);
    expect((await read(documents)).shared_data).toEqual({ a: 2 });
    expect(world.told.map(({ text }) => text.key)).toEqual(["document.published_again"]);
  });

  test("a deleted file comes back", async () => {
    const documents = world.process();
    await documents.update(add("a"));
    rmSync(ref.path);
    expect((await read(documents)).shared_data).toEqual({ a: 1 });
    expect(world.told).toHaveLength(1);
  });

  test("a file that is not in the database is adopted and told; a bad one gives way to its backup", async () => {
    writeFileSync(ref.path, JSON.stringify({ ...empty, shared_data: { a: 4 } }));
    expect(await world.process().update(add("a"))).toBe(5);
    expect(world.told.map(({ text }) => text.key)).toEqual(["document.adopted"]);
    const other: DocumentRef = { path: join(world.folder, "other.json"), format: "shared-context" };
    writeFileSync(other.path, "{ torn");
    await expect(world.process().read(other)).rejects.toMatchObject({ code: "corrupt" });
    expect(readFileSync(other.path, "utf8")).toBe("{ torn");
    writeFileSync(`${other.path}.bak`, JSON.stringify(empty));
    expect(await world.process().read(other)).toEqual(empty);
    expect(world.told.at(-1)?.text.key).toBe("document.from_backup");
  });

  test("edited after a crash between commit and rename: their change and our event are both in it", async () => {
    await world.process().update(add("a"));
    const counted = faultyDisk(0, "EIO");
    await world.process(counted).update(add("a"));
    const disk = faultyDisk(counted.taken.indexOf("rename") + 1, "die_before");
    await world
      .process(disk)
      .update(add("a"))
      .catch(() => undefined);
    writeFileSync(ref.path, JSON.stringify({ ...onDisk(), my_note: "mine" }));
    const after = await read(world.process());
    expect(after).toMatchObject({ my_note: "mine", shared_data: { a: 3 } });
  });
});
