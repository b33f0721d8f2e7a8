// A budget in words; "" where nothing is limited.
import type { ProjectSettings } from "../../data/api.ts";
import { countText, moneyText } from "../../parts/figures.tsx";
import type { Say } from "../../texts/index.ts";

export function budgetText(say: Say, budget: ProjectSettings["budgets"]["task"]): string {
  const { costUsd, tokens, minutes } = budget;
  return [
    ...(costUsd === null ? [] : [moneyText(costUsd)]),
    ...(tokens === null ? [] : [say("setup.tokens", { count: countText(tokens) })]),
    ...(minutes === null ? [] : [say("setup.minutes", { count: minutes })]),
  ].join(", ");
}
