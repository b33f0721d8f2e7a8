// Whether a process that lives carries a run now: it holds the run's lease (see run.ts).
import { type ProcessIdentity, livenessOf } from "../../os/identity.ts";
import type { Store } from "../../store/database/store.ts";

/** The name of the lease that a run is carried under. */
export function leaseOf(run: string): string {
  return `conduct:${run}`;
}

export async function isCarried(store: Store, run: string, now: number): Promise<boolean> {
  const lease = await store.lease(leaseOf(run));
  if (lease === undefined || lease.until <= now) return false;
  return livenessOf(JSON.parse(lease.owner) as ProcessIdentity) !== "gone";
}
