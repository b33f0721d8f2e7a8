// How long an agent worked: the time in which it held a slot. Waiting for a person costs nothing.
import type { Draft } from "../_draft.ts";
import { addSpent } from "./spent.ts";

/** Counted when the slot is given back, and in between when somebody asks. */
export function countTime(draft: Draft, agentId: string): void {
  const agent = draft.get("agent", agentId);
  if (agent === undefined || agent.data.slotSince === null) return;
  addSpent(draft, { milliseconds: Math.max(0, draft.now - agent.data.slotSince) });
  draft.set("agent", agentId, { slotSince: draft.now });
}
