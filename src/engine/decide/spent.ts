// What was spent: by the task, and by it on this day. One place, so that both tell the same.
import type { Draft } from "../_draft.ts";
import { type Spent, noSpending } from "../state.ts";
import type { World } from "./world.ts";

export function addSpent(draft: Draft, more: Partial<Spent>): void {
  const added = { ...noSpending, ...more };
  draft.setTask({}, { spent: sum(draft.task.data.spent, added) });
  const id = dayId(draft);
  const before = draft.get("spending", id);
  if (before) draft.set("spending", id, sum(before.data, added));
  else draft.add("spending", id, dayOf(draft), added);
}

/** By all tasks together, this one as it stands in the draft. */
export function spentToday(draft: Draft, world: World): Spent {
  return sum(world.day.spent, draft.get("spending", dayId(draft))?.data ?? noSpending);
}

/** Until a limit on time is reached, if the agent works on; null: there is none. */
export function timeLeft(draft: Draft, world: World): number | null {
  const { budget, spent } = draft.task.data;
  const today = spentToday(draft, world);
  const left = [
    ...(budget?.minutes == null ? [] : [budget.minutes * 60_000 - spent.milliseconds]),
    ...(world.day.budget?.minutes == null || draft.task.data.overDay === dayOf(draft)
      ? []
      : [world.day.budget.minutes * 60_000 - today.milliseconds]),
  ];
  return left.length === 0 ? null : Math.max(0, Math.min(...left));
}

export function dayOf(draft: Draft): string {
  return draft.at.slice(0, 10);
}

export function sum(a: Spent, b: Spent): Spent {
  return {
    tokens: a.tokens + b.tokens,
    costUsd: a.costUsd + b.costUsd,
    milliseconds: a.milliseconds + b.milliseconds,
  };
}

// --- internal ---

function dayId(draft: Draft): string {
  return `${draft.task.id}:${dayOf(draft)}`;
}
