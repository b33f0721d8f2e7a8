// What must be so after any accident, seen by a process that had no part in it.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadCodec } from "../../src/formats/codec.ts";
import { checksum } from "../../src/store/_document.ts";
import { type RealWorld, add, countOf, documentOf, openRealWorld } from "./real-world.ts";

export interface Expected {
  /** By name: the last acknowledged value. One more may have been on its way. */
  readonly acked: ReadonlyMap<string, number>;
  /** True: nobody was interrupted, so that not even one more is right. */
  readonly exact?: boolean;
  /** What a person is told when it is opened. */
  readonly told?: readonly string[];
  /** And what they may be. */
  readonly mayBeTold?: string;
}

/** Opens, compares, writes once more; the counts as they were found. */
export async function checkAfter(
  home: string,
  project: string,
  expected: Expected,
): Promise<Map<string, number>> {
  await neverHalf(project);
  letTimePass(project);
  const world = await openRealWorld(home, project);
  try {
    const document = await world.documents.read(world.ref);
    const found = new Map<string, number>();
    for (const [name, acked] of expected.acked) {
      const value = countOf(document, name);
      found.set(name, value);
      const more = expected.exact ? 0 : 1;
      assert(
        value >= acked && value <= acked + more,
        `${name}: ${acked} acknowledged, ${value} found`,
      );
    }
    await fileAndJournalAgree(world);
    assert.deepEqual(
      world.told.map(({ text }) => text.key).filter((key) => key !== expected.mayBeTold),
      expected.told ?? [],
    );
    const [name = "n"] = expected.acked.keys();
    const next = await world.documents.update(add(world.ref, name));
    assert.equal(next, (found.get(name) ?? 0) + 1);
    await fileAndJournalAgree(world);
    assert.deepEqual(litter(project), []);
    assert.deepEqual(await world.store.check(), { ok: true, detail: "ok" });
    return found;
  } finally {
    await world.close();
  }
}

/** Everything beside the document that is not its backup. */
export function litter(project: string): string[] {
  return readdirSync(dirname(documentOf(project).path)).filter(
    (name) => !/^shared-context\.json(\.bak)?$/.test(name),
  );
}

// --- internal ---

/** A file that names nobody is swept when it is too old to be still in the making. */
function letTimePass(project: string): void {
  const folder = dirname(documentOf(project).path);
  if (!existsSync(folder)) return;
  const then = Date.now() / 1000 - 11;
  for (const name of readdirSync(folder))
    if (name.endsWith(".own")) utimesSync(join(folder, name), then, then);
}

/** S5.1: before anything has been put right, each file is whole. */
async function neverHalf(project: string): Promise<void> {
  const { path, format } = documentOf(project);
  const codec = await loadCodec(format);
  for (const file of [path, `${path}.bak`])
    if (existsSync(file)) assert(codec.read(readFileSync(file)).ok, `${file} is not whole`);
}

async function fileAndJournalAgree({ store, ref }: RealWorld): Promise<void> {
  const row = await store.document(ref.path);
  const revisions = await store.revisions(ref.path);
  assert.deepEqual(
    revisions.map(({ rev }) => rev),
    revisions.map((_, place) => place + 1),
  );
  assert.equal(row?.rev ?? 0, revisions.length);
  const onDisk = existsSync(ref.path) ? checksum(readFileSync(ref.path)) : null;
  assert.equal(onDisk, row?.after ?? null);
}
