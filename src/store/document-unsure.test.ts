// A commit that is told as failed may be stored. Two files, so that half of it would be seen.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestWorld, emptyContext as empty, testWorld } from "../../test/crash/world.ts";
import type { SharedContext } from "../formats/shared-context.ts";
import type { Change, Store } from "./database/store.ts";
import type { DocumentRef, Documents, Update } from "./documents.ts";

let world: TestWorld;
let refs: readonly DocumentRef[];

const saying = (document: unknown, word: string): SharedContext => {
  const { shared_data: data, ...rest } = (document as SharedContext | undefined) ?? empty;
  const said = (data["said"] as string | undefined) ?? "";
  return { ...rest, shared_data: { ...data, said: said + word } };
};
/** Appends a word to both. */
const say = (word: string): Update<void> => ({
  files: refs,
  event: word,
  apply: (documents) => ({
    documents: new Map(refs.map(({ path }) => [path, saying(documents.get(path), word)])),
    result: undefined,
  }),
});
const saidBy = (documents: Documents): Promise<unknown[]> =>
  Promise.all(
    refs.map(async (ref) => ((await documents.read(ref)) as SharedContext).shared_data["said"]),
  );
const litter = (): string[] =>
  readdirSync(world.folder).filter((name) => name.startsWith(".") && name.includes(".json."));

const broken = Object.assign(new Error("EIO"), { code: "EIO", syscall: "fsync" });
/** Of these commits, in their order, what is heard; of all later ones what is true. */
const hearing = (...heard: readonly ("stored, yet failed" | "failed")[]): Store["commit"] => {
  const left = [...heard];
  return async (change: Change) => {
    const next = left.shift();
    if (next !== "failed") {
      const outcome = await world.store.commit(change);
      if (next === undefined) return outcome;
    }
    throw broken;
  };
};
const editFirst = (): void => {
  const path = refs[0]?.path ?? "";
  const before = JSON.parse(readFileSync(path, "utf8")) as object;
  writeFileSync(path, JSON.stringify({ ...before, my_note: "mine" }));
};

beforeEach(async () => {
  world = await testWorld((_format, document, event) => saying(document, event as string));
  refs = ["one", "two"].map((name) => ({
    path: join(world.folder, `${name}.json`),
    format: "shared-context",
  }));
});
afterEach(() => world.close());

test("S5.2, S5.3 stored and told as failed, then one file edited: their change and the event are in it, and in the other", async () => {
  await world.process().update(say("a"));
  const documents = world.committing(hearing("stored, yet failed"));
  await expect(documents.update(say("b"))).rejects.toThrow("EIO");
  expect(litter()).toEqual([]);
  editFirst();
  expect(await saidBy(world.process())).toEqual(["ab", "ab"]);
  expect(readFileSync(refs[0]?.path ?? "", "utf8")).toContain("my_note");
});

test("S5.2, S5.3 where the database can not be told either, the temporary file says it, and goes when all is in order", async () => {
  await world.process().update(say("a"));
  const documents = world.committing(hearing("stored, yet failed", "failed"));
  await expect(documents.update(say("b"))).rejects.toThrow("EIO");
  expect(litter().map((name) => name.replace(/t[0-9]+/u, "*"))).toEqual([
    ".one.json.*.tmp",
    ".two.json.*.tmp",
  ]);
  editFirst();
  expect(await saidBy(world.process())).toEqual(["ab", "ab"]);
  expect(readFileSync(refs[0]?.path ?? "", "utf8")).toContain("my_note");
  expect(litter()).toEqual([]);
});

test("S5.2 not stored, and nobody could say so: nothing happened, and the next update sweeps what stayed", async () => {
  await world.process().update(say("a"));
  const documents = world.committing(hearing("failed", "failed"));
  await expect(documents.update(say("b"))).rejects.toThrow("EIO");
  expect(litter()).toHaveLength(2);
  expect(await saidBy(world.process())).toEqual(["a", "a"]);
  await world.process().update(say("c"));
  expect(await saidBy(world.process())).toEqual(["ac", "ac"]);
  expect(litter()).toEqual([]);
});

test("S5.3 their version and our event on it are one commit: a failure leaves both or neither", async () => {
  await world.process().update(say("a"));
  await world
    .committing(hearing("stored, yet failed"))
    .update(say("b"))
    .catch(() => undefined);
  editFirst();
  const unlucky = world.committing(hearing("stored, yet failed"));
  await expect(saidBy(unlucky)).rejects.toThrow("EIO");
  expect(await saidBy(world.process())).toEqual(["ab", "ab"]);
  const [one] = refs;
  const kinds = (await world.store.revisions(one?.path ?? "")).map(({ kind }) => kind);
  expect(kinds).toEqual(["ours", "ours", "foreign", "redone"]);
});
