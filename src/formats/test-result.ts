// `contracts/{request}/{task}/{subtask}/test-result.yaml`: what the engine saw when it ran the
// tests itself (S4.2, GATE-2), and what follows from it.
import { z } from "zod";
import { msg } from "../core/messages.ts";
import { recommendedActions } from "../core/vocabulary.ts";
import { type Finding, type Format, yamlLimit } from "./format.ts";
import { belongs, subtaskHead, unless } from "./_request-parts.ts";
import { count, filled, time } from "./shapes.ts";

export const testOutcomes = ["pass", "fail"] as const;
export const failedTestCategories = [
  "implementation_error",
  "design_violation",
  "test_error",
] as const;

export const schema = () =>
  z.strictObject({
    ...subtaskHead("qa-engineer"),
    execution: z.strictObject({
      command: filled(),
      timestamp: time(),
      result: z.enum(testOutcomes),
    }),
    summary: z.strictObject({ total: count(), passed: count(), failed: count(), skipped: count() }),
    failed_tests: z.array(
      z.strictObject({
        id: filled(),
        name: filled(),
        category: z.enum(failedTestCategories),
        message: z.string(),
      }),
    ),
    recommendation: z.strictObject({ action: z.enum(recommendedActions), reason: z.string() }),
  });

export type TestResult = z.infer<ReturnType<typeof schema>>;

export const testResult: Format<TestResult> = {
  name: "test-result",
  title: msg("format.title.test-result"),
  syntax: "yaml",
  path: ".claude/orchestrator/sessions/{hash}/contracts/{request}/{task}/{subtask}/test-result.yaml",
  open: false,
  version: 1,
  maxBytes: yamlLimit,
  rules: (result) => [
    ...belongs(result.subtask_id, result.task_id, "subtask_id"),
    ...sumsFit(result),
  ],
};

// --- internal ---

/** Self-attested results were how the original broke: the numbers must agree with the verdict. */
function sumsFit({
  execution,
  summary,
  failed_tests: failed,
  recommendation,
}: TestResult): Finding[] {
  const { total, passed, failed: failures, skipped } = summary;
  const passes = execution.result === "pass";
  return [
    ...unless(
      total === passed + failures + skipped,
      "/summary/total",
      msg("format.rule.sum", { total, sum: passed + failures + skipped }),
    ),
    ...unless(
      !passes || failures === 0,
      "/execution/result",
      msg("format.rule.pass_with_failures", { count: failures }),
    ),
    ...unless(
      failed.length <= failures,
      "/failed_tests",
      msg("format.rule.more_failed", { listed: failed.length, count: failures }),
    ),
    ...unless(
      passes || recommendation.action !== "complete",
      "/recommendation/action",
      msg("format.rule.complete_despite_failure"),
    ),
  ];
}
