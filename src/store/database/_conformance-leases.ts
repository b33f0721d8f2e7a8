// A task has one owner at a time, and whoever was the owner before can not write any more.
import { expect, test } from "vitest";
import { render } from "../../core/messages.ts";
import { type Subject, begin, done, task } from "./_conformance-samples.ts";
import type { LeaseRow, Outcome, Store } from "./store.ts";

export function testLeases(subject: Subject): void {
  holding(subject);
  fencing(subject);
}

// --- internal ---

const taskId = "t1";
/** Far ahead of any clock: a lease claimed then is unexpired whatever the engine compares with. */
const later = 8_000_000_000_000;

async function claimed(store: Store, owner: string, now: number, ms = 100): Promise<LeaseRow> {
  const lease = await store.claim(taskId, owner, now, ms);
  if (lease === undefined) throw new Error(`${owner} could not claim`);
  return lease;
}

const says = (outcome: Outcome): string =>
  outcome.ok ? "ok" : `${outcome.code}: ${render("en", outcome.what)}`;

function holding(subject: Subject): void {
  test("is taken when free, kept from others, and renewed by its owner", async () => {
    const { store } = subject;
    const lease = await claimed(store, "one", 1_000);
    expect(lease).toEqual({ taskId, owner: "one", epoch: 1, until: 1_100 });
    expect(await store.claim(taskId, "two", 1_099, 100)).toBeUndefined();
    expect(await store.renew(lease, 1_050, 100)).toEqual({ ...lease, until: 1_150 });
    expect(await store.claim(taskId, "two", 1_149, 100)).toBeUndefined();
    // Already ours: the same epoch, for longer.
    expect(await claimed(store, "one", 1_100)).toEqual({ ...lease, until: 1_200 });
  });

  test("ends by itself, and each new holder's epoch is higher", async () => {
    const { store } = subject;
    const first = await claimed(store, "one", 1_000);
    const second = await claimed(store, "two", 1_100);
    expect(second).toEqual({ taskId, owner: "two", epoch: first.epoch + 1, until: 1_200 });
    expect(await store.renew(first, 1_110, 100)).toBeUndefined();
    // Expired, even where nobody else has taken it: it has to be claimed anew.
    expect(await store.renew(second, 1_200, 100)).toBeUndefined();
    expect((await claimed(store, "two", 1_200)).epoch).toBe(second.epoch + 1);
  });

  test("is free again once released, and only its holder can release it", async () => {
    const { store } = subject;
    const first = await claimed(store, "one", 1_000);
    await store.release({ ...first, owner: "two" });
    await store.release({ ...first, epoch: first.epoch + 1 });
    expect(await store.claim(taskId, "two", 1_001, 100)).toBeUndefined();
    await store.release(first);
    expect(await store.renew(first, 1_001, 100)).toBeUndefined();
    const second = await claimed(store, "two", 1_001);
    await store.release(first);
    expect(second.epoch).toBe(first.epoch + 1);
    expect(await store.claim(taskId, "one", 1_002, 100)).toBeUndefined();
  });

  test("that many want at once goes to exactly one of them", async () => {
    const stores = [subject.store, await subject.opened.second(), await subject.opened.second()];
    for (let round = 1; round <= 20; round++) {
      const claims = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          (stores[n % 3] ?? subject.store).claim(taskId, `owner ${n}`, round * 100, 100),
        ),
      );
      const holders = claims.filter((lease) => lease !== undefined);
      expect(holders.map(({ epoch }) => epoch)).toEqual([round]);
    }
  });
}

function fencing(subject: Subject): void {
  test("lets its holder write, and nobody who held it before (S1.20)", async () => {
    const { store } = subject;
    await begin(store, taskId);
    const write = async (lease: Omit<LeaseRow, "until">, rev: number): Promise<string> =>
      says(await store.commit({ lease, tasks: [task(taskId, { rev })] }));
    expect(await write({ taskId, owner: "one", epoch: 1 }, 1)).toMatch(/^fenced: .*has ended/);
    const first = await claimed(store, "one", later);
    expect(await write(first, 1)).toBe("ok");
    expect(await write({ ...first, owner: "two" }, 2)).toMatch(/^fenced/);
    const second = await claimed(store, "two", later + 100);
    expect(await write(first, 2)).toBe("fenced: Task t1 is held by two now (epoch 2, ours was 1).");
    expect(await write(second, 2)).toBe("ok");
    await store.release(second);
    expect(await write(second, 3)).toMatch(/^fenced: Our lease on task t1 has ended \(epoch 2\)/);
    expect((await store.task(taskId))?.rev).toBe(3);
  });

  test("that has run out is worth nothing, even where nobody else took it", async () => {
    const { store } = subject;
    await begin(store, taskId);
    const lease = await claimed(store, "one", 1_000, 10);
    const outcome = await store.commit({ lease, tasks: [task(taskId, { rev: 1 })] });
    expect(outcome).toMatchObject({ ok: false, code: "fenced" });
  });

  test("outlives its task, so that no epoch is given twice", async () => {
    const { store } = subject;
    await begin(store, taskId);
    const lease = await claimed(store, "one", later);
    await done(store, { lease, tasksGone: [taskId] });
    await done(store, { lease, effectsDone: [{ key: "clean up", at: 1 }] });
    await store.release(lease);
    expect((await claimed(store, "two", later)).epoch).toBe(lease.epoch + 1);
  });
}
