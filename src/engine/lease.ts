// The right to look after something, alone: free, run out, ours already, or taken from the dead.
import type { LeaseRow, Store } from "../store/database/store.ts";

export interface LeaseParts {
  readonly store: Store;
  readonly clock: { now(): number };
  readonly owner: string;
  readonly isDead: (owner: string) => boolean;
}

/** How long it holds without being renewed. */
export const leaseMs = 60_000;

/** Undefined: somebody else who lives has it. */
export async function takeLease(parts: LeaseParts, name: string): Promise<LeaseRow | undefined> {
  const { store, owner, clock, isDead } = parts;
  const free = await store.claim(name, owner, clock.now(), leaseMs);
  if (free) return free;
  const held = await store.lease(name);
  if (held === undefined || !isDead(held.owner)) return undefined;
  return store.claim(name, owner, clock.now(), leaseMs, held.owner);
}

/** We came too late (a machine that slept, a starved process): nothing is wrong, nothing was decided. */
export class LeaseEnded extends Error {}

export function refusedWith(code: string): Error {
  if (code === "fenced") return new LeaseEnded("the lease on the task has ended");
  return new Error(`${code}: another process changed the task`);
}
