// An account's gate, closed from outside a task: by a session that is not ours and shares the account
// (S1.18). A server that runs sees it like any other change.
import { rateLimitWait } from "../core/retry.ts";
import type { Store } from "../store/database/store.ts";
import { gateKey } from "./_draft.ts";

/** Where no reset is stated it is met again, and told again, if it lasts longer. */
export async function closeGate(
  store: Store,
  account: string,
  now: number,
  resetAt?: number,
): Promise<void> {
  const key = gateKey(account);
  const known = (await store.timersNamed("gate")).find((timer) => timer.key === key);
  const dueAt = now + rateLimitWait({ now, resetAt, repeats: 0 });
  if (known !== undefined && known.dueAt >= dueAt) return;
  const { parked = 0 } = (known?.data ?? {}) as { parked?: number };
  await store.commit({
    timers: [{ key, taskId: "", name: "gate", dueAt, data: { account, parked } }],
  });
}
