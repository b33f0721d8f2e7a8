// A server writes the same document for days.
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { emptyContext, testWorld } from "../../test/crash/world.ts";
import type { SharedContext } from "../formats/shared-context.ts";
import type { DocumentRef } from "./documents.ts";

test("S5.1 whoever updates a document again and again holds its newest version, not all that ever were", async () => {
  const world = await testWorld((_format, document) => document);
  onTestFinished(() => world.close());
  const ref: DocumentRef = { path: join(world.folder, "one.json"), format: "shared-context" };
  const documents = world.process();
  const lists: WeakRef<object>[] = [];
  for (let n = 0; n < 40; n++)
    await documents.update({
      files: [ref],
      event: n,
      apply: (now) => {
        const before = (now.get(ref.path) as SharedContext | undefined) ?? emptyContext;
        // Long, so that what two versions of it share is found out, and remembered.
        const list = [...((before.shared_data["list"] as number[] | undefined) ?? hundred), n];
        lists.push(new WeakRef(list));
        const next = { ...before, shared_data: { list } };
        return { documents: new Map([[ref.path, next]]), result: undefined };
      },
    });
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // What a turn has asked of a reference stays until the turn is over.
  await turn();
  collect();
  const held = lists.flatMap((list, n) => (list.deref() === undefined ? [] : [n]));
  expect(held.filter((n) => n < 38)).toEqual([]);
  expect(held).toContain(39);
});

// --- internal ---

const hundred = Array.from({ length: 100 }, (_, n) => n);
