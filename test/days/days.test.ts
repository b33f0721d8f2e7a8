// A day's work with each workflow, in Korean, as its document shows it.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { limit } from "../crash/programs.ts";
import { play } from "./day.ts";

const days = [
  ["develop", "S0.1 S0.3 S0.5 S0.7 S0.8 S0.9 S0.10"],
  ["tasks", "S1.1 S1.2 S1.3 S1.4 S1.5 S1.6 S1.15 S1.18 S1.20"],
  ["orchestrate", "S2.1 S2.2 S2.3 S2.5 S2.6 S2.8 S2.9 S2.11"],
  ["plan", "S3.1 S3.2 S3.3 S3.4 S3.5 S3.6 S3.7 S3.8 S3.9"],
  ["request", "S4.1 S4.2 S4.3 S4.4 S4.5 S4.6 S4.7 S4.8"],
] as const;

const noJq = spawnSync("jq", ["--version"]).error !== undefined;

for (const [name, rules] of days)
  test(`${rules} the day in docs/${name}.md runs as it is written`, limit, async ({ skip }) => {
    skip(noJq, "a day that edits a state file with jq: it is not installed");
    expect(await play(`docs/${name}.md`)).toBeGreaterThan(15);
  });
