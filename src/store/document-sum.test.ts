// By what a file is known again: rows of two ages, one question.
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { testWorld } from "../../test/crash/world.ts";
import { checksum, isSum, sumOf } from "./_document-sum.ts";
import type { DocumentRef } from "./documents.ts";

const text = (words: string): Buffer => Buffer.from(words);

test("S5.3 each kind of sum knows its own bytes, and neither any others", () => {
  for (const make of [sumOf, checksum]) {
    const sum = make(text("ours"));
    expect(isSum(text("ours"), sum)).toBe(true);
    for (const other of ["ours ", "Ours", "", "our"]) expect(isSum(text(other), sum)).toBe(false);
    expect(isSum(null, sum)).toBe(false);
  }
  expect(isSum(null, sumOf(null))).toBe(true);
  expect(isSum(text(""), null)).toBe(false);
});

test("S5.3 what stands there that is no sum is nobody's", () => {
  for (const sum of [
    "",
    "siphash:",
    "siphash::",
    "siphash:00:",
    "sha256",
    `siphash:${"0".repeat(32)}`,
  ])
    for (const bytes of [text(""), text("ours")]) expect(isSum(bytes, sum)).toBe(false);
});

test("S5.3 no two sums of the same bytes are alike: who sees the file can not say what the row has", () => {
  const sums = new Set(Array.from({ length: 50 }, () => sumOf(text("ours"))));
  expect(sums.size).toBe(50);
});

test("S5.3 a row that has a SHA-256, as all had before, is read and written on without a word", async () => {
  const world = await testWorld();
  const path = join(world.folder, ".claude/memory/shared-context.json");
  const ref: DocumentRef = { path, format: "shared-context" };
  mkdirSync(dirname(path), { recursive: true });
  const at = "2026-01-01T00:00:00Z";
  const session = { id: "session-2026-01-01-001", started_at: at };
  const write = (n: number) => ({
    files: [ref],
    event: { n },
    apply: () => {
      const shared = { version: "1.0", session, shared_data: { n }, preferences: {} };
      const value = { ...shared, last_updated: at };
      return { documents: new Map([[path, value]]), result: null };
    },
  });
  try {
    await world.process().update(write(1));
    const row = await world.store.document(path);
    if (row === undefined) throw new Error("it was not stored");
    const content = readFileSync(path);
    const old = { ...row, before: null, after: checksum(content), rules: null };
    const revision = { kind: "ours", base: null, content, event: [], createdAt: at } as const;
    await world.store.commit({ documents: [{ document: old, revision }] });
    expect(await world.process().read(ref)).toMatchObject({ shared_data: { n: 1 } });
    await world.process().update(write(2));
    expect(await world.store.document(path)).toMatchObject({
      before: checksum(content),
      after: expect.stringMatching(/^siphash:[0-9a-f]{32}:[0-9a-f]{32}$/) as string,
    });
    expect(world.told).toEqual([]);
  } finally {
    await world.close();
  }
});
