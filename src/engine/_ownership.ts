// Which tasks this engine owns: under a lease, with their state in memory. A lease is taken from
// whoever is dead at once, from one who lives never; whoever lost it finds out at the next commit,
// which is refused.
import type { Effect } from "./_draft.ts";
import { type Live, slotsHeld } from "./_live.ts";
import { type LeaseParts, leaseMs, rememberingDead, takeLease } from "./lease.ts";
import { isInSession, stateOf } from "./state.ts";
import type { Store, WholeTask } from "../store/database/store.ts";
import type { Slots } from "./decide/world.ts";

export interface OwnershipParts extends LeaseParts {
  readonly slots: number;
}

export class Ownership {
  readonly live = new Map<string, Live>();
  readonly #parts: OwnershipParts;
  /** Asked for twice at the same time, a task is taken once. */
  readonly #taking = new Map<string, Promise<Live | undefined>>();
  #asked: string[] = [];
  #reading: Promise<ReadonlyMap<string, WholeTask>> | null = null;
  #slotsTaken = 0;
  /** Slots of tasks that were lost: their agents run on, whoever looks after them next. */
  readonly #lost = new Map<string, number>();

  constructor(parts: OwnershipParts) {
    this.#parts = { ...parts, isDead: rememberingDead(parts.isDead) };
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

  /** Tasks whose lease ended too early, and which were not seen again yet. */
  get lost(): Iterable<string> {
    return this.#lost.keys();
  }

  /** Together, with one sync: one after another, a slow disk lets the last ones run out. */
  async renew(): Promise<void> {
    const { store, clock } = this.#parts;
    const renewOne = async (live: Live): Promise<void> => {
      const lease = await store.renew(live.lease, clock.now(), leaseMs);
      if (lease) live.lease = lease;
      else this.lose(live);
    };
    await Promise.all([...this.live.values()].map(renewOne));
  }

  /**
   * Forgotten, not released: what was committed is there for the next one. Its slots stay taken until
   * it is known who that is, or more agents would run than there are slots.
   */
  lose(live: Live): void {
    if (this.live.get(live.id) !== live) return;
    const held = slotsHeld(live);
    this.drop(live);
    this.#slotsTaken += held;
    this.#lost.set(live.id, held);
  }

  /** Nobody has to look after it any more. */
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
    if (lease === undefined) return this.#seenAgain(taskId);
    const found = await this.#rows(taskId);
    if (found === undefined) {
      await store.release(lease);
      return this.#seenAgain(taskId);
    }
    const live: Live = {
      id: taskId,
      state: stateOf(found.task, found.entities),
      lease,
      pending: [],
      mail: true,
      effects: inOrder(found.effects as unknown as Effect[]),
      underWay: new Set(),
      tries: new Map(),
      long: new Map(),
      tails: new Map(),
    };
    this.#seenAgain(taskId);
    this.live.set(taskId, live);
    this.#slotsTaken += slotsHeld(live);
    return live;
  }

  /** What was lost is found: from now on its slots are counted where it is. */
  #seenAgain(taskId: string): undefined {
    this.#slotsTaken -= this.#lost.get(taskId) ?? 0;
    this.#lost.delete(taskId);
  }

  /** Those asked for in one turn are read together, as their leases were written together. */
  async #rows(taskId: string): Promise<WholeTask | undefined> {
    this.#asked.push(taskId);
    this.#reading ??= Promise.resolve().then(async () => {
      const ids = this.#asked;
      this.#asked = [];
      this.#reading = null;
      const found = await this.#parts.store.wholeTasks(ids);
      return new Map(found.map((whole) => [whole.task.id, whole]));
    });
    return (await this.#reading).get(taskId);
  }
}

/** What is at work, and ended tasks that left an effect open: their agent's end, their ZIP. */
export async function tasksToOwn(store: Store): Promise<string[]> {
  const rows = await store.tasks({ statuses: ["in_progress", "review"] });
  // What sessions work through has its own way: their reports.
  const working = rows.filter((row) => !isInSession(row)).map(({ id }) => id);
  return [...new Set([...working, ...(await store.tasksWithEffects())])];
}

/** As they were decided: their keys count up. */
export function inOrder(effects: readonly Effect[]): Effect[] {
  return effects.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
