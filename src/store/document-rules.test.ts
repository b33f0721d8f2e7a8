// What was found valid and printed by the rules of today is not looked at again from end to end; by any
// other it is, and so is what we have not printed.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TestWorld, testWorld } from "../../test/crash/world.ts";
import { msg } from "../core/messages.ts";
import type { Codec } from "../formats/codec.ts";
import { error } from "../formats/format.ts";
import type { DocumentRef, Documents, Update } from "./documents.ts";

let world: TestWorld;
let ref: DocumentRef;

const at = "2026-01-01T00:00:00Z";
const first = {
  version: "1.0",
  session: { id: "session-2026-01-01-001", started_at: at },
  shared_data: { one: 1 } as Record<string, unknown>,
  preferences: {},
  last_updated: at,
};

function put(name: string): Update<null> {
  return {
    files: [ref],
    event: { put: name },
    apply: (documents) => {
      const before = (documents.get(ref.path) ?? first) as typeof first;
      const next = { ...before, shared_data: { ...before.shared_data, [name]: 1 } };
      return { documents: new Map([[ref.path, next]]), result: null };
    },
  };
}

/** As if every document broke a rule. */
const strict = (): Pick<Codec<unknown>, "read"> => ({
  read: () => ({ ok: false, findings: [error("", msg("format.expected.anything"))] }),
});
const ofLater = (): Partial<Codec<unknown>> => ({ ...strict(), rules: "later", reread: refuse });
/** As the codec's own: it knows its own rules only. */
const refuse = (_bytes: Uint8Array, { rules }: { rules: string | null }): undefined => {
  expect(rules).not.toBe("later");
};

beforeEach(async () => {
  world = await testWorld();
  ref = {
    path: join(world.folder, ".claude/memory/shared-context.json"),
    format: "shared-context",
  };
  mkdirSync(dirname(ref.path), { recursive: true });
});
afterEach(() => world.close());

describe("a document that we have printed (S3.4)", () => {
  test("is read without its rules while they are the same, and with them when they are others", async () => {
    await world.process().update(put("two"));
    const rules = (await world.store.document(ref.path))?.rules;
    expect(rules).toMatch(/^[0-9a-f]{16}$/);
    const asked = world.changed(strict);
    expect(await asked.read(ref)).toMatchObject({ shared_data: { one: 1, two: 1 } });
    await asked.update(put("three"));
    await expect(world.changed(ofLater).read(ref)).rejects.toMatchObject({ code: "corrupt" });
    await expect(world.changed(ofLater).update(put("x"))).rejects.toMatchObject({
      code: "corrupt",
    });
  });

  test("is read with them where a person has changed it, until we print it again", async () => {
    const documents = world.process();
    await documents.update(put("two"));
    const text = readFileSync(ref.path, "utf8").replace('"two": 1', '"two": 2');
    writeFileSync(ref.path, text);
    expect(await world.process().read(ref)).toMatchObject({ shared_data: { two: 2 } });
    expect((await world.store.document(ref.path))?.rules).toBeNull();
    await expectRefused(world.changed(strict));
    await world.process().update(put("three"));
    expect(await world.changed(strict).read(ref)).toMatchObject({ shared_data: { three: 1 } });
  });

  test("of a database that does not say by which rules, is read with them", async () => {
    await world.process().update(put("two"));
    const row = await world.store.document(ref.path);
    if (row === undefined) throw new Error("it was not stored");
    const content = readFileSync(ref.path);
    const revision = { kind: "ours", base: null, content, event: [], createdAt: at } as const;
    await world.store.commit({ documents: [{ document: { ...row, rules: null }, revision }] });
    await expectRefused(world.changed(strict));
    expect(await world.process().read(ref)).toMatchObject({ shared_data: { two: 1 } });
  });
});

// --- internal ---

async function expectRefused(documents: Documents): Promise<void> {
  await expect(documents.read(ref)).rejects.toMatchObject({ code: "corrupt" });
}
