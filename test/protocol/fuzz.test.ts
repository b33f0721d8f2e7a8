import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { full } from "../crash/programs.ts";
import { figure } from "../figures.ts";
import type { FuzzResult } from "./fuzz-run.ts";

const CASES = full ? 300_000 : 60_000;

test(`S1.12, S1.13 in ${CASES.toLocaleString("en")} generated outputs no marker is forged, missed or swallowed`, async () => {
  const halves = await Promise.all([run(1, CASES / 2), run(CASES / 2 + 1, CASES)]);
  let marked = 0;
  let cases = 0;
  const seen = new Map<string, number>();
  for (const half of halves) {
    if (half.failure) console.log(half.failure.seed, JSON.stringify(half.failure.text));
    cases += half.cases;
    marked += half.marked;
    for (const [name, count] of Object.entries(half.seen))
      seen.set(name, (seen.get(name) ?? 0) + count);
  }
  const share = marked / cases;
  const counts = [...seen].map(([name, count]) => `${name} ${count}`).toSorted();
  figure("outputs read", {
    seen: cases,
    lost: halves.filter(({ failure }) => failure).length,
    more: `${(share * 100).toFixed(1)} % with true markers: ${counts.join(", ")}`,
  });
  for (const { failure } of halves) expect(failure?.got).toEqual(failure?.wanted);
  expect(cases).toBe(CASES);
  expect(share).toBeGreaterThanOrEqual(0.3);
  // Every signal and every complaint the grammar knows came up.
  expect([...seen.keys()].toSorted()).toEqual(everything);
});

async function run(first: number, last: number): Promise<FuzzResult> {
  const root = resolve(import.meta.dirname, "../..");
  const script = ["scripts/run-ts.mjs", "test/protocol/fuzz-run.ts", String(first), String(last)];
  const { stdout } = await promisify(execFile)(process.execPath, script, { cwd: root });
  return JSON.parse(stdout) as FuzzResult;
}

const everything = [
  "bad_criterion",
  "bad_json",
  "bad_seconds",
  "bad_time",
  "bad_value",
  "dependency_request",
  "duplicate_field",
  "error",
  "field_too_long",
  "missing_field",
  "no_criteria",
  "not_a_list",
  "not_text",
  "options_needed",
  "phase_complete",
  "stray_line",
  "task_complete",
  "too_large",
  "unclosed",
  "unknown_field",
  "user_question",
  "verification_result",
  "wrong_closer",
];
