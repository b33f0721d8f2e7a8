// test-result.yaml as the engine writes it (S4.4, GATE-2): its own run of the command counts; from the
// qa-engineer's claim come what kind each failure is, and what it recommends.
import { type Language, msg, render } from "../../core/messages.ts";
import type { RecommendedAction } from "../../core/vocabulary.ts";
import type { TestContract } from "../../formats/test-contract.ts";
import type { TestResult } from "../../formats/test-result.ts";
import type { SubtaskWork } from "./private.ts";
import { type TestRun, hasPassed, parseTestOutput } from "./test-output.ts";

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

export function resultOf(
  contract: TestContract,
  claim: NonNullable<SubtaskWork["claim"]>,
  { code, output }: Ran,
  language: Language,
  now: string,
): TestResult {
  const run = parseTestOutput(output);
  const passed = hasPassed(code, run);
  const failed = failedTests(contract, claim, run);
  const { version, request_id, task_id, subtask_id } = contract;
  return {
    version,
    request_id,
    task_id,
    subtask_id,
    created_at: now,
    created_by: "qa-engineer",
    execution: { command: claim.command, timestamp: now, result: passed ? "pass" : "fail" },
    summary: {
      total: run.passed + run.failed + run.skipped,
      passed: run.passed,
      failed: run.failed,
      skipped: run.skipped,
    },
    failed_tests: failed,
    recommendation: {
      action: actionOf(passed, claim.action, failed),
      reason: reasonOf({ passed, code, run }, claim, language),
    },
  };
}

// --- internal ---

/** The engine's own run has the last word: what failed is not complete, whoever says so. */
function actionOf(
  passed: boolean,
  advised: RecommendedAction,
  failed: TestResult["failed_tests"],
): RecommendedAction {
  if (passed || advised === "retry_design") return advised;
  const broken = failed.some(({ category }) => category === "design_violation");
  return broken ? "retry_design" : "retry_implementation";
}

function reasonOf(
  { passed, code, run }: { passed: boolean; code: number | null; run: TestRun },
  { action, reason }: NonNullable<SubtaskWork["claim"]>,
  language: Language,
): string {
  const counted =
    run.runner === null
      ? msg("request.result.code_only", { code: code ?? "–" })
      : run.passed === 0 && run.failed === 0
        ? msg("request.result.none_ran", { runner: run.runner })
        : msg("request.result.counted", {
            runner: run.runner,
            passed: run.passed,
            failed: run.failed,
            skipped: run.skipped,
            code: code ?? "–",
          });
  const said =
    passed === (action === "complete") && reason.trim() !== "" ? ` ${reason.trim()}` : "";
  return `${render(language, counted)}${said}`;
}

function failedTests(
  { test_cases: cases, test_file_path: file }: TestContract,
  claim: NonNullable<SubtaskWork["claim"]>,
  run: TestRun,
): TestResult["failed_tests"] {
  return run.failures.map(({ name, message }, at) => {
    const known = cases.find((one) => plain(name).includes(plain(one.name)));
    const id = known?.id ?? `F${at + 1}`;
    const told = claim.failed.find((one) => one.id === id || plain(name).includes(plain(one.name)));
    const category = told?.category ?? (isOfTests(message, file) ? "test_error" : usual);
    return { id, name, category, message };
  });
}

const usual = "implementation_error";

/** Runners write `a_b`, `a b` and `a > b` for one name. */
function plain(name: string): string {
  return name.replace(/[\s_>›:.()-]+/g, "").toLowerCase();
}

/** The test itself does not load. */
function isOfTests(message: string, file: string): boolean {
  const name = file.split("/").at(-1) ?? file;
  return (
    /SyntaxError|ImportError|ModuleNotFound|Cannot find module|cannot find symbol/.test(message) &&
    message.includes(name)
  );
}
