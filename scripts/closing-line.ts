// The last lines of every test run: what was not tested and why, each reason once, then, in a form
// both people and CI read, "N passed, N failed, N skipped". Where HOLDFAST_FIGURES names a file,
// what came of each test is kept there too, for scripts/reliability-report.ts.
import { appendFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const broken = modules.filter((module) => module.errors().length > 0);
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const test of tests) count[test.result().state]++;
    // A file that can not even be loaded has no tests to count, and is a failure all the same.
    count.failed += broken.length;
    keep([
      ...tests.map(lineOf),
      ...broken.map(({ relativeModuleId: file }) => ({ file, test: "", state: "failed" })),
    ]);
    for (const reason of new Set(tests.flatMap(reasonOf))) console.log(`NOT TESTED: ${reason}`);
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
    console.log(`\n${count.passed} passed, ${count.failed} failed${skipped}`);
  }
}

// --- internal ---

function reasonOf(test: TestCase): string[] {
  const result = test.result();
  return result.state === "skipped" && result.note !== undefined ? [result.note] : [];
}

function lineOf(test: TestCase): Record<string, unknown> {
  const file = test.module.relativeModuleId;
  return { file, test: test.fullName, state: test.result().state, note: reasonOf(test)[0] };
}

function keep(lines: readonly Record<string, unknown>[]): void {
  const file = process.env["HOLDFAST_FIGURES"];
  if (file) appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
