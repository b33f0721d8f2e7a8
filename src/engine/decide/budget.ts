// Budgets (S1.21c): a hard limit on cost, tokens or time, per task and per day. Whoever reaches
// one is parked, and a person is asked once; nothing new starts above it.
import { msg } from "../../core/messages.ts";
import type { Draft } from "../_draft.ts";
import type { Budget, Spent } from "../state.ts";
import { stepAgent } from "./agent.ts";
import { openQuestion } from "./ask.ts";
import { dayOf, spentToday } from "./spent.ts";
import { spoken } from "./spoken.ts";
import { type Answer, type World, done } from "./world.ts";

/** Which limit is reached; null: none. */
export function reached(budget: Budget | null, spent: Spent): keyof Budget | null {
  if (budget === null) return null;
  if (budget.costUsd !== null && spent.costUsd >= budget.costUsd) return "costUsd";
  if (budget.tokens !== null && spent.tokens >= budget.tokens) return "tokens";
  if (budget.minutes !== null && spent.milliseconds >= budget.minutes * 60_000) return "minutes";
  return null;
}

export function overBudget(draft: Draft, agentId: string, world: World): void {
  const { budget, spent } = draft.task.data;
  const own = reached(budget, spent);
  const today = spentToday(draft, world);
  const allowed = draft.task.data.overDay === dayOf(draft);
  const which = own ?? (allowed ? null : reached(world.day.budget, today));
  if (which === null) return;
  const agent = draft.get("agent", agentId);
  if (agent === undefined || agent.data.holds.includes("budget")) return;
  const step = {
    event: "park" as const,
    hold: "budget" as const,
    trigger: "BUDGET",
    metadata: { limit: which },
    reason: "budget",
  };
  if (stepAgent(draft, agentId, step, world) !== true) return;
  const limits = own === null ? world.day.budget : budget;
  openQuestion(
    draft,
    agentId,
    {
      origin: "budget",
      category: "confirmation",
      question: spoken(
        draft,
        msg(own === null ? "budget.day_spent" : "budget.task_spent", {
          spent: shown(which, own === null ? today : spent),
          limit: `${limits?.[which] ?? 0}`,
        }),
      ),
      options: ["continue", "cancel"],
    },
    world,
  );
}

/** A person said yes: as much again as the limit was; above the day's limit, for this day. */
export function raiseBudget(draft: Draft, agentId: string, world: World): Answer {
  const { budget, spent } = draft.task.data;
  const which = reached(budget, spent);
  if (budget !== null && which !== null) {
    const used = which === "minutes" ? spent.milliseconds / 60_000 : spent[which];
    draft.setTask({}, { budget: { ...budget, [which]: used + (budget[which] ?? 0) } });
  } else draft.setTask({}, { overDay: dayOf(draft) });
  stepAgent(draft, agentId, { event: "unpark", hold: "budget", trigger: "BUDGET_RAISED" }, world);
  return done;
}

// --- internal ---

function shown(which: keyof Budget, spent: Spent): string {
  if (which === "costUsd") return `$${spent.costUsd.toFixed(2)}`;
  if (which === "tokens") return `${spent.tokens}`;
  return `${Math.round(spent.milliseconds / 60_000)} min`;
}
