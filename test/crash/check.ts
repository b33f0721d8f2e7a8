// What must be so after any accident, seen by a process that had no part in it.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { loadCodec } from "../../src/formats/codec.ts";
import { isSum } from "../../src/store/_document-sum.ts";
import { type Kind, countOf, refsOf } from "./kinds.ts";
import { type RealWorld, add, openRealWorld } from "./real-world.ts";

export interface Expected {
  /** By name: the last acknowledged value. One more may have been on its way. */
  readonly acked: ReadonlyMap<string, number>;
  /** True: nobody was interrupted, so that not even one more is right. */
  readonly exact?: boolean;
  /** What a person is told when it is opened. */
  readonly told?: readonly string[];
  /** And what they may be. */
  readonly mayBeTold?: string;
  /** Which documents; the shared context if nothing is said. */
  readonly kind?: Kind;
}

/** Opens, compares, writes once more; the counts as they were found. */
export async function checkAfter(
  home: string,
  project: string,
  expected: Expected,
): Promise<Map<string, number>> {
  const { kind = "shared-context" } = expected;
  await neverHalf(project, kind);
  letTimePass(project, kind);
  const world = await openRealWorld(home, project, kind);
  const { documents, refs, told, store } = world;
  try {
    const found = await countsFound(world, expected);
    await filesAndJournalAgree(world);
    assert.deepEqual(
      told.map(({ text }) => text.key).filter((key) => key !== expected.mayBeTold),
      expected.told ?? [],
    );
    const [name = "n"] = expected.acked.keys();
    assert.equal(await documents.update(add(refs, name)), (found.get(name) ?? 0) + 1);
    await filesAndJournalAgree(world);
    assert.deepEqual(litter(project, kind), []);
    assert.deepEqual(await store.check(), { ok: true, detail: "ok" });
    return found;
  } finally {
    await world.close();
  }
}

/** Everything beside the documents that is not a backup. */
export function litter(project: string, kind: Kind = "shared-context"): string[] {
  return refsOf(project, kind).flatMap(({ path }) =>
    readdirSync(dirname(path)).filter(
      (name) => name !== basename(path) && name !== `${basename(path)}.bak`,
    ),
  );
}

// --- internal ---

/** In each document, and the same in all of them: a change of several is one change. */
async function countsFound(
  { documents, refs }: RealWorld,
  { acked, exact }: Expected,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const ref of refs) {
    const document = await documents.read(ref);
    for (const [name, sure] of acked) {
      const value = countOf(document, name, ref.format);
      const most = sure + (exact ? 0 : 1);
      assert(value >= sure && value <= most, `${name}: ${sure} acknowledged, ${value} found`);
      assert.equal(value, found.get(name) ?? value, `${name} differs in ${ref.format}`);
      found.set(name, value);
    }
  }
  return found;
}

/** A file that names nobody is swept when it is too old to be still in the making. */
function letTimePass(project: string, kind: Kind): void {
  const then = Date.now() / 1000 - 11;
  for (const { path } of refsOf(project, kind)) {
    const folder = dirname(path);
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder))
      if (name.endsWith(".own")) utimesSync(join(folder, name), then, then);
  }
}

/** S5.1: before anything has been put right, each file is whole. */
async function neverHalf(project: string, kind: Kind): Promise<void> {
  for (const { path, format } of refsOf(project, kind)) {
    const codec = await loadCodec(format);
    for (const file of [path, `${path}.bak`])
      if (existsSync(file)) assert(codec.read(readFileSync(file)).ok, `${file} is not whole`);
  }
}

async function filesAndJournalAgree({ store, refs }: RealWorld): Promise<void> {
  for (const { path } of refs) {
    const row = await store.document(path);
    const revisions = await store.revisions(path);
    assert.deepEqual(
      revisions.map(({ rev }) => rev),
      revisions.map((_, place) => place + 1),
    );
    assert.equal(row?.rev ?? 0, revisions.length);
    const onDisk = existsSync(path) ? readFileSync(path) : null;
    assert.ok(isSum(onDisk, row?.after ?? null), "file and row disagree");
  }
}
