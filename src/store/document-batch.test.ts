import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FaultKind, faultyDisk } from "../../test/crash/faulty-disk.ts";
import { type TestWorld, emptyContext as empty, testWorld } from "../../test/crash/world.ts";
import type { SharedContext } from "../formats/shared-context.ts";
import { task, transition } from "./database/_conformance-samples.ts";
import { realDisk } from "./disk.ts";
import type { DocumentRef, Update } from "./documents.ts";

let world: TestWorld;
let ref: DocumentRef;

const said = (document: SharedContext | undefined): string =>
  (document?.shared_data["said"] as string | undefined) ?? "";
const saying = (document: SharedContext | undefined, word: string): SharedContext => {
  const { shared_data: data, ...rest } = document ?? empty;
  return { ...rest, shared_data: { ...data, said: said(document) + word } };
};

/** Appends a word: the order is seen in the result. */
const say = (word: string, more: Partial<Update<string>> = {}): Update<string> => ({
  files: [ref],
  event: { say: word },
  apply: (documents) => {
    const next = saying(documents.get(ref.path) as SharedContext | undefined, word);
    return { documents: new Map([[ref.path, next]]), result: said(next) };
  },
  ...more,
});
const withChange = (
  word: string,
  change: NonNullable<ReturnType<Update<string>["apply"]>["change"]>,
) => {
  const update = say(word);
  return { ...update, apply: (all) => ({ ...update.apply(all), change }) } satisfies Update<string>;
};
const boom = new Error("boom");
const throwing = (): Update<string> => ({
  ...say("!"),
  apply: () => {
    throw boom;
  },
});
const invalid = (): Update<string> => ({
  ...say("?"),
  apply: () => ({ documents: new Map([[ref.path, { ...empty, version: "9" }]]), result: "" }),
});

const onDisk = (): SharedContext => JSON.parse(readFileSync(ref.path, "utf8")) as SharedContext;
const events = async (): Promise<unknown[]> =>
  (await world.store.revisions(ref.path)).map(({ event }) => event);
/** "ok abc", or the code of the Fault, or the message. */
const outcomes = async (updates: readonly Promise<string>[]): Promise<string[]> =>
  (await Promise.allSettled(updates)).map((each) =>
    each.status === "fulfilled"
      ? `ok ${each.value}`
      : ((each.reason as { code?: string }).code ?? (each.reason as Error).message),
  );

/** Somebody writes between our reading and our rename. */
const edited = (text: () => string) => ({
  ...realDisk,
  link: (from: string, to: string): boolean => {
    if (from === ref.path) writeFileSync(from, text());
    return realDisk.link(from, to);
  },
});

beforeEach(async () => {
  world = await testWorld((_format, document, event) =>
    saying(document as SharedContext, (event as { say: string }).say),
  );
  ref = {
    path: join(world.folder, ".claude/memory/shared-context.json"),
    format: "shared-context",
  };
  mkdirSync(dirname(ref.path), { recursive: true });
});
afterEach(() => world.close());

describe("updates that wait for the same files (S5.1)", () => {
  test("are one write, in the order they came, each with its own result", async () => {
    const disk = faultyDisk(0, "EIO");
    const documents = world.process(disk);
    await documents.update(say("0"));
    const one = disk.taken.length;
    const version = await world.store.version();
    const words = Array.from({ length: 200 }, (_, n) => `${n % 10}`);
    const results = await Promise.all(words.map((word) => documents.update(say(word))));
    expect(results).toEqual(words.map((_, n) => `0${words.slice(0, n + 1).join("")}`));
    expect(said(onDisk())).toBe(`0${words.join("")}`);
    // The same steps once more, but for the backup, which the first had no file for.
    expect(disk.taken.slice(one).filter((name) => name === "sync")).toHaveLength(1);
    expect(disk.taken.slice(one).filter((name) => name === "syncFolder")).toHaveLength(1);
    expect(await world.store.version()).toBe(version + 1);
    expect(await events()).toEqual([[{ say: "0" }], words.map((word) => ({ say: word }))]);
  });

  test("that come while one is written are the next write, and none is before its time", async () => {
    const documents = world.process();
    const later: Promise<string>[] = [];
    const first = say("a");
    const durable: boolean[] = [];
    await documents.update({
      ...first,
      apply: (all) => {
        for (const word of ["b", "c", "d"])
          later.push(
            documents.update(say(word)).then((result) => {
              durable.push(said(onDisk()) === "abcd");
              return result;
            }),
          );
        return first.apply(all);
      },
    });
    expect(said(onDisk())).toBe("a");
    expect(await Promise.all(later)).toEqual(["ab", "abc", "abcd"]);
    expect(durable).toEqual([true, true, true]);
    expect((await events()).map((each) => (each as unknown[]).length)).toEqual([1, 3]);
  });

  test("S3.4 one that throws or makes the document invalid fails alone", async () => {
    const documents = world.process();
    const updates = [say("a"), throwing(), say("b"), invalid(), say("c")];
    expect(await outcomes(updates.map((each) => documents.update(each)))).toEqual([
      "ok a",
      "boom",
      "ok ab",
      "invalid_input",
      "ok abc",
    ]);
    expect(await events()).toEqual([[{ say: "a" }, { say: "b" }, { say: "c" }]]);
  });

  test("S3.4 one that changes its document in place fails, and nobody sees what it did", async () => {
    const documents = world.process();
    await documents.update(say("a"));
    const meddling: Update<string> = {
      ...say("?"),
      apply: (all) => {
        const document = all.get(ref.path) as SharedContext;
        document.shared_data["said"] = "meddled";
        return { documents: new Map([[ref.path, document]]), result: "" };
      },
    };
    const updates = [say("b"), meddling, say("c")].map((each) => documents.update(each));
    expect((await outcomes(updates)).map((each) => each.slice(0, 6))).toEqual([
      "ok ab",
      "Cannot",
      "ok abc",
    ]);
    expect(said(onDisk())).toBe("abc");
  });

  test("of other files are not among them", async () => {
    const documents = world.process();
    const other = { ...ref, path: join(world.folder, "other.json") };
    const elsewhere: Update<string> = {
      files: [other],
      event: "x",
      apply: () => ({ documents: new Map([[other.path, empty]]), result: "x" }),
    };
    await Promise.all([documents.update(say("a")), documents.update(elsewhere)]);
    expect(await events()).toEqual([[{ say: "a" }]]);
    expect((await world.store.revisions(other.path)).map(({ event }) => event)).toEqual([["x"]]);
  });
});

describe("one of them whose change is refused (S5.2)", () => {
  test("is refused alone: the others are stored, each with its change", async () => {
    const documents = world.process();
    await world.store.commit({ tasks: [task("t1", { projectId: "p1" })] });
    const lease = { taskId: "t1", owner: "me", epoch: 1 };
    const updates = [
      withChange("a", { transitions: [transition("t1", { trigger: "a" })] }),
      withChange("b", { tasks: [task("t1", { rev: 9 })], transitions: [transition("t1")] }),
      withChange("c", { transitions: [transition("t1", { trigger: "c" })] }),
      withChange("d", { lease, transitions: [transition("t1")] }),
      withChange("e", { tasks: [task("t1", { rev: 1, status: "e" })] }),
      withChange("f", { tasks: [task("t1", { rev: 2, status: "f" })] }),
    ];
    expect(await outcomes(updates.map((each) => documents.update(each)))).toEqual([
      "ok a",
      "locked",
      "ok ac",
      "refused",
      "ok ace",
      "ok acef",
    ]);
    expect(said(onDisk())).toBe("acef");
    expect((await world.store.transitions()).map(({ trigger }) => trigger)).toEqual(["a", "c"]);
    expect(await world.store.task("t1")).toMatchObject({ status: "f", rev: 3 });
  });

  test("for a value that can not be stored, or a row that may not be, the same", async () => {
    const documents = world.process();
    const entity = { kind: "agent", id: "a1", taskId: "nobody", status: "idle", rev: 0, data: {} };
    const updates = [
      say("a"),
      say("b", { event: 1n }),
      say("c"),
      withChange("d", { entities: [entity] }),
    ];
    const done = await outcomes(updates.map((each) => documents.update(each)));
    expect(done).toEqual(["ok a", "invalid_input", "ok ac", "internal"]);
    expect(await events()).toEqual([[{ say: "a" }], [{ say: "c" }]]);
  });

  test("one that was turned down for what another wrote is asked again when that one fails", async () => {
    const documents = world.process();
    const only: Update<string> = {
      ...say("b"),
      apply: (all) => {
        if (said(all.get(ref.path) as SharedContext | undefined) !== "") throw boom;
        return say("b").apply(all);
      },
    };
    const stale = withChange("a", { tasks: [task("t1", { rev: 9 })] });
    expect(await outcomes([documents.update(stale), documents.update(only)])).toEqual([
      "locked",
      "ok b",
    ]);
  });
});

describe("a fault in the middle (S5.2)", () => {
  const kinds: FaultKind[] = ["die_before", "die_after", "EIO", "ENOSPC"];
  test.each(kinds)("%s at any step: each caller has an error or the truth", async (kind) => {
    for (let at = 1; ; at++) {
      await world.process().update(say("-"));
      const before = said(onDisk());
      const disk = faultyDisk(at, kind);
      const documents = world.process(disk);
      const updates = [say("a"), throwing(), say("b"), say("c")];
      const done = await outcomes(updates.map((each) => documents.update(each)));
      const after = said((await world.process().read(ref)) as SharedContext);
      // In order, each at most once; and whoever was told its result finds it.
      expect(after.startsWith(before)).toBe(true);
      const added = after.slice(before.length);
      expect(["", "a", "b", "c", "ab", "ac", "bc", "abc"]).toContain(added);
      const told = done.filter((each) => each.startsWith("ok ")).map((each) => each.slice(3));
      expect(told.filter((result) => !after.startsWith(result))).toEqual([]);
      expect(done[1]?.startsWith("ok")).toBe(false);
      expect(said(onDisk())).toBe(after);
      const revisions = await world.store.revisions(ref.path);
      expect(revisions.map(({ rev }) => rev)).toEqual(revisions.map((_, place) => place + 1));
      if (disk.taken.length < at) break;
    }
  });

  test("died after the commit, then edited by hand: their change and every event are in it", async () => {
    await world.process().update(say("a"));
    const disk = faultyDisk("rename", "die_before");
    const documents = world.process(disk);
    await outcomes(["b", "c"].map((word) => documents.update(say(word))));
    writeFileSync(ref.path, JSON.stringify({ ...onDisk(), my_note: "mine" }));
    const after = (await world.process().read(ref)) as SharedContext;
    expect(after).toMatchObject({ my_note: "mine", shared_data: { said: "abc" } });
  });
});

describe("edited by hand in the last moment (S5.3)", () => {
  test("their change and every event are in it", async () => {
    await world.process().update(say("a"));
    const documents = world.process(edited(() => JSON.stringify({ ...onDisk(), my_note: "mine" })));
    await Promise.all(["b", "c"].map((word) => documents.update(say(word))));
    expect(onDisk()).toMatchObject({ my_note: "mine", shared_data: { said: "abc" } });
    expect(world.told.map(({ text }) => text.key)).toEqual(["document.merged"]);
  });

  test("an event that does not fit their version leaves theirs in quarantine, and is told", async () => {
    await world.process().update(say("a"));
    const theirs = () => JSON.stringify({ ...onDisk(), my_note: "mine" });
    const documents = world.process(edited(theirs));
    const fussy: Update<string> = {
      ...say("b"),
      apply: (all) => {
        if ("my_note" in (all.get(ref.path) as object)) throw boom;
        return say("b").apply(all);
      },
    };
    expect(await documents.update(fussy)).toBe("ab");
    expect(said(onDisk())).toBe("ab");
    expect(world.told.map(({ text }) => text.key)).toEqual(["document.theirs_kept"]);
    const [kept = ""] = readdirSync(join(world.folder, "home/quarantine"));
    expect(readFileSync(join(world.folder, "home/quarantine", kept), "utf8")).toContain("mine");
    expect(await documents.update(say("c"))).toBe("abc");
  });
});
