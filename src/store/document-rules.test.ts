import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestWorld, testWorld } from "../../test/crash/world.ts";
import { msg } from "../core/messages.ts";
import type { Codec } from "../formats/codec.ts";
import { error } from "../formats/format.ts";
import type { DocumentRef, Update } from "./documents.ts";

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

beforeEach(async () => {
  world = await testWorld();
  ref = {
    path: join(world.folder, ".claude/memory/shared-context.json"),
    format: "shared-context",
  };
  mkdirSync(dirname(ref.path), { recursive: true });
});
afterEach(() => world.close());

test("S3.4 a document is read by its rules each time, also what we have found valid and printed", async () => {
  await world.process().update(put("two"));
  expect(await world.process().read(ref)).toMatchObject({ shared_data: { one: 1, two: 1 } });
  await expect(world.changed(strict).read(ref)).rejects.toMatchObject({ code: "corrupt" });
  await expect(world.changed(strict).update(put("x"))).rejects.toMatchObject({ code: "corrupt" });
});
