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
  const now = clock.now();
  const held = await store.lease(name);
  const dead = held !== undefined && held.until > now && isDead(held.owner);
  // Only from the one that was judged: whoever came in between keeps it.
  return store.claim(name, owner, now, leaseMs, dead ? held.owner : undefined);
}

/** Who is gone stays gone, and may have held hundreds of tasks: each is asked about once. */
export function rememberingDead(isDead: LeaseParts["isDead"]): LeaseParts["isDead"] {
  const dead = new Set<string>();
  return (owner) => {
    if (dead.has(owner)) return true;
    const gone = isDead(owner);
    if (gone) dead.add(owner);
    return gone;
  };
}

/** We came too late (a machine that slept, a starved process): nothing is wrong, nothing was decided. */
export class LeaseEnded extends Error {}

export function refusedWith(code: string): Error {
  if (code === "fenced") return new LeaseEnded("the lease on the task has ended");
  return new Error(`${code}: another process changed the task`);
}
