// What an agent spends, and the limit of its account (S1.18, S1.21c).
import { rateLimitWait } from "../../core/retry.ts";
import type { Draft } from "../_draft.ts";
import type { Kinds } from "../state.ts";
import { stepAgent } from "./agent.ts";
import { overBudget } from "./budget.ts";
import { addSpent } from "./spent.ts";
import { type World, gateFor } from "./world.ts";

type Agent = Kinds["agent"];

/** Parked until the stated reset; not an attempt (S1.18). */
export function limit(
  draft: Draft,
  agent: Agent,
  resetAt: number | null,
  message: string,
  world: World,
): void {
  const { policies, jitter } = world;
  const gate = gateFor(draft, agent, world);
  const wait = rateLimitWait({
    now: draft.now,
    ...(resetAt === null ? {} : { resetAt }),
    repeats: agent.data.limits,
    jitter,
  });
  const reset = Math.max(draft.now + wait, gate.closedUntil ?? 0);
  // Staggered: each a little after the one that was parked before it.
  const place = gate.parked;
  const step = {
    event: "park" as const,
    hold: "limit" as const,
    trigger: "RATE_LIMIT",
    metadata: { until: new Date(reset).toISOString(), message: message.slice(0, 500) },
    reason: "rate_limit",
  };
  if (stepAgent(draft, agent.id, step, world) !== true) return;
  draft.set("agent", agent.id, { limits: agent.data.limits + 1, cut: true });
  draft.timer("unpark", agent.id, reset + place * policies.staggerMs, { place });
  draft.closeGate(agent.data.adapter, reset, place + 1);
}

/** Its reset has come, unless another agent met a later one meanwhile: then it keeps its place. */
export function unpark(draft: Draft, agentId: string, data: unknown, world: World): void {
  const agent = draft.get("agent", agentId);
  if (agent === undefined) return;
  const { closedUntil } = gateFor(draft, agent, world);
  const { place = 0 } = data as { place?: number };
  if (closedUntil !== null && closedUntil > draft.now)
    return draft.timer("unpark", agentId, closedUntil + place * world.policies.staggerMs, {
      place,
    });
  const step = { event: "unpark", hold: "limit", trigger: "RATE_LIMIT_RESET" } as const;
  stepAgent(draft, agentId, step, world);
}

export function spend(
  draft: Draft,
  agent: Agent,
  tokens: number,
  costUsd: number,
  world: World,
): void {
  draft.set("agent", agent.id, {
    tokensUsed: agent.data.tokensUsed + tokens,
    cost: agent.data.cost + costUsd,
    limits: 0,
    outages: 0,
  });
  addSpent(draft, { tokens, costUsd });
  overBudget(draft, agent.id, world);
}
