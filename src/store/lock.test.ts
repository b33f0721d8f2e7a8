import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Fault } from "../core/errors.ts";
import { render } from "../core/messages.ts";
import { type Disk, realDisk } from "./disk.ts";
import type { Liveness } from "./identity.ts";
import { type Lock, type LockWorld, acquire, holds, lockPath, release } from "./lock.ts";

let tokens = 0;
let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-lock-"));
  file = join(folder, "state.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A world whose clock moves only when somebody waits. */
function world(
  liveness: Liveness | ((waited: number) => Liveness) = "alive",
): LockWorld & { waited(): number } {
  const start = Date.now();
  let now = start;
  return {
    disk: realDisk,
    now: () => now,
    wait: async (milliseconds) => {
      now += milliseconds;
      await new Promise((turn) => setImmediate(turn));
    },
    random: () => `token${++tokens}`,
    alone: async (work) => work(),
    liveness: () => (typeof liveness === "string" ? liveness : liveness(now - start)),
    waited: () => now - start,
  };
}

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const thrown = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(thrown instanceof Fault)) throw new Error("no fault was thrown");
  return thrown;
}

const litter = (): string[] => readdirSync(folder).filter((name) => name !== "state.json");

describe("the lock of a document (S2.7, S5.1)", () => {
  test("it names its holder from the first moment it exists, and leaves nothing behind", async () => {
    const lock = await acquire(file, world());
    expect(litter()).toEqual(["state.json.lock"]);
    expect(JSON.parse(readFileSync(lockPath(file), "utf8"))).toMatchObject({
      holdfast: 1,
      token: lock.token,
      process: { pid: process.pid },
    });
    expect(holds(lock, realDisk)).toBe(true);
    release(lock, realDisk);
    expect(litter()).toEqual([]);
  });

  test("of many contenders one holds it at a time, and each gets it in the end", async () => {
    let holding = 0;
    let most = 0;
    const contend = async (): Promise<void> => {
      const lock = await acquire(file, world());
      most = Math.max(most, ++holding);
      await new Promise((turn) => setImmediate(turn));
      holding--;
      release(lock, realDisk);
    };
    await Promise.all(Array.from({ length: 20 }, contend));
    expect(most).toBe(1);
    expect(litter()).toEqual([]);
  });

  test("a dead holder is replaced at once, and its unfinished tokens are passed on", async () => {
    const dead = await acquire(file, world());
    const second = world("gone");
    const heir = await acquire(file, second);
    expect(second.waited()).toBe(0);
    expect(heir.took).toEqual([dead.token]);
    const third = await acquire(file, world("gone"));
    expect(third.took).toEqual([heir.token, dead.token]);
  });

  test("a stopped holder is replaced after a second and finds itself fenced", async () => {
    const stopped = await acquire(file, world());
    const second = world("stopped");
    const heir = await acquire(file, second);
    expect(second.waited()).toBeGreaterThanOrEqual(1000);
    expect(holds(stopped, realDisk)).toBe(false);
    release(stopped, realDisk);
    expect(holds(heir, realDisk)).toBe(true);
  });

  test("a holder that is stopped and goes on again is not replaced", async () => {
    await acquire(file, world());
    const fault = await faultOf(
      acquire(
        file,
        world((waited) => (waited % 1500 < 700 ? "stopped" : "alive")),
      ),
    );
    expect(fault.code).toBe("locked");
  });

  test("a living holder is never replaced: the fault names it and says what to do", async () => {
    await acquire(file, world());
    const contender = world("alive");
    const fault = await faultOf(acquire(file, contender));
    expect(fault.code).toBe("locked");
    expect(contender.waited()).toBeGreaterThanOrEqual(15_000);
    expect(render("en", fault.text)).toContain(`process ${process.pid} on `);
    expect(fault.hint).toBeDefined();
    expect(litter()).toEqual(["state.json.lock"]);
  });

  test("a lock without a name is respected for 5 s, then refused, and never removed", async () => {
    writeFileSync(lockPath(file), "");
    const contender = world();
    const fault = await faultOf(acquire(file, contender));
    expect(fault.code).toBe("locked");
    expect(contender.waited()).toBeGreaterThanOrEqual(5000);
    expect(contender.waited()).toBeLessThan(6000);
    expect(render("en", fault.hint ?? fault.text)).toContain("doctor --fix");
    expect(existsSync(lockPath(file))).toBe(true);
  });

  test("a lock that is older than this boot belongs to nobody any more", async () => {
    writeFileSync(lockPath(file), "");
    utimesSync(lockPath(file), 1000, 1000);
    const lock = await acquire(file, world());
    expect(holds(lock, realDisk)).toBe(true);
  });

  test("of two that judged the same dead holder only one takes its place", async () => {
    await acquire(file, world());
    const queue: (() => void)[] = [];
    const slow = (): LockWorld => {
      let judged = 0;
      let first = true;
      return {
        ...world(() => (judged++ === 0 ? "gone" : "alive")),
        // Both decide before either acts.
        alone: async (work) => {
          if (first) await new Promise<void>((go) => queue.push(go));
          first = false;
          return work();
        },
      };
    };
    const contenders = [acquire(file, slow()), acquire(file, slow())].map((each) =>
      each.catch((cause: unknown) => cause),
    );
    while (queue.length < 2) await new Promise((turn) => setImmediate(turn));
    for (const go of queue) go();
    const ended = await Promise.all(contenders);
    const locks = ended.filter((each): each is Lock => !(each instanceof Fault));
    expect(locks).toHaveLength(1);
    expect(locks.every((lock) => holds(lock, realDisk))).toBe(true);
  });

  test("a lock that only has the inode of the one that was judged is left alone", async () => {
    await acquire(file, world());
    let living: Lock | undefined;
    const slow: LockWorld = {
      ...world(() => (living ? "alive" : "gone")),
      // While it waits for its turn, the dead one's lock goes and a living one's takes its inode.
      alone: async (work) => {
        const dead = realDisk.stamp(lockPath(file));
        realDisk.remove(lockPath(file));
        living = await acquire(file, world());
        const reused: Disk = {
          ...realDisk,
          stamp: (path) => {
            const found = realDisk.stamp(path);
            return found && dead && path === lockPath(file)
              ? { ...found, inode: dead.inode }
              : found;
          },
        };
        Object.assign(slow, { disk: reused });
        return work();
      },
    };
    const fault = await faultOf(acquire(file, slow));
    expect(fault.code).toBe("locked");
    expect(living && holds(living, realDisk)).toBe(true);
  });

  test("a takeover that the database runs twice is one takeover", async () => {
    await acquire(file, world());
    const again: LockWorld = { ...world("gone"), alone: async (work) => work() && work() };
    const heir = await acquire(file, again);
    expect(holds(heir, realDisk)).toBe(true);
    release(heir, realDisk);
    expect(litter()).toEqual([]);
  });

  test("a program that follows the rule “wait while it exists” is kept out while we hold it", async () => {
    const lock = await acquire(file, world());
    expect(existsSync(`${file}.lock`)).toBe(true);
    release(lock, realDisk);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});
