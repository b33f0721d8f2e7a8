// A day's work with each workflow, in Korean, as its document shows it.
import { expect, test } from "vitest";
import { limit } from "../crash/programs.ts";
import { play } from "./day.ts";

const days = [
  ["develop", "S0.1 S0.3 S0.5 S0.7 S0.8 S0.9 S0.10"],
  ["tasks", "S1.1 S1.2 S1.3 S1.4 S1.5 S1.6 S1.15 S1.18 S1.20"],
] as const;

for (const [name, rules] of days)
  test(`${rules} the day in docs/${name}.md runs as it is written`, limit, async () => {
    expect(await play(`docs/${name}.md`)).toBeGreaterThan(15);
  });
