// Which tasks this engine owns: under a lease, with their state in memory. A lease is taken from
// whoever is dead at once, from one who lives never; whoever lost it finds out at the next commit,
// which is refused.
import type { Effect } from "./_draft.ts";
import { type Live, slotsHeld } from "./_live.ts";
import { type LeaseParts, leaseMs, takeLease } from "./lease.ts";
import { stateOf } from "./state.ts";
import type { Slots } from "./decide/world.ts";

export interface OwnershipParts extends LeaseParts {
  readonly slots: number;
}

export class Ownership {
  readonly live = new Map<string, Live>();
  readonly #parts: OwnershipParts;
  /** Asked for twice at the same time, a task is taken once. */
  readonly #taking = new Map<string, Promise<Live | undefined>>();
  #slotsTaken = 0;

  constructor(parts: OwnershipParts) {
    this.#parts = parts;
  }

  get slotsFree(): number {
    return this.#parts.slots - this.#slotsTaken;
  }

  /** undefined: there is no such task, or somebody else who lives has it. */
  async own(taskId: string): Promise<Live | undefined> {
    const had = this.live.get(taskId);
    if (had) return had;
    const taking = this.#taking.get(taskId) ?? this.#take(taskId);
    this.#taking.set(taskId, taking);
    try {
      return await taking;
    } finally {
      this.#taking.delete(taskId);
    }
  }

  async renew(): Promise<void> {
    const { store, clock } = this.#parts;
    // Together: one sync for all of them.
    await Promise.all(
      [...this.live.values()].map(async (live) => {
        const lease = await store.renew(live.lease, clock.now(), leaseMs);
        if (lease) live.lease = lease;
        else this.drop(live);
      }),
    );
  }

  /** Forgotten, not released: what was committed is there for the next one. */
  drop(live: Live): void {
    if (this.live.get(live.id) !== live) return;
    this.live.delete(live.id);
    this.#slotsTaken -= slotsHeld(live);
    for (const tail of live.tails.values()) tail.stop();
    // Whoever is in the middle of reading finds out here that nobody wants it any more.
    live.tails.clear();
    for (const abort of live.long.values()) abort.abort();
  }

  async release(live: Live): Promise<void> {
    this.drop(live);
    await this.#parts.store.release(live.lease);
  }

  /** For one tick: seen by every other tick at once, given back if this one is not committed. */
  slotsOfATick(): Slots & { undo(): void; readonly freed: boolean } {
    let balance = 0;
    const change = (by: number): void => {
      balance += by;
      this.#slotsTaken += by;
    };
    const isFree = (): boolean => this.slotsFree > 0;
    return {
      get free() {
        return isFree();
      },
      take: () => {
        if (!isFree()) return false;
        change(1);
        return true;
      },
      give: () => change(-1),
      undo: () => change(-balance),
      get freed() {
        return balance < 0;
      },
    };
  }

  // --- internal ---

  async #take(taskId: string): Promise<Live | undefined> {
    const { store } = this.#parts;
    const lease = await takeLease(this.#parts, taskId);
    if (lease === undefined) return undefined;
    const task = await store.task(taskId);
    if (task === undefined) {
      await store.release(lease);
      return undefined;
    }
    const live: Live = {
      id: taskId,
      state: stateOf(task, await store.entities({ taskId })),
      lease,
      pending: [],
      mail: true,
      effects: inOrder((await store.openEffects(taskId)) as unknown as Effect[]),
      underWay: new Set(),
      tries: new Map(),
      long: new Map(),
      tails: new Map(),
    };
    this.live.set(taskId, live);
    this.#slotsTaken += slotsHeld(live);
    return live;
  }
}

/** As they were decided: their keys count up. */
export function inOrder(effects: readonly Effect[]): Effect[] {
  return effects.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
