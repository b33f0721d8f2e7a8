// A day's work with each workflow, in Korean, as its document shows it.
import { expect, test } from "vitest";
import { limit } from "../crash/programs.ts";
import { play } from "./day.ts";

const days = [["develop", "S0.1 S0.3 S0.5 S0.7 S0.8 S0.9 S0.10"]] as const;

for (const [name, rules] of days)
  test(`${rules} the day in docs/${name}.md runs as it is written`, limit, async () => {
    expect(await play(`docs/${name}.md`)).toBeGreaterThan(15);
  });
