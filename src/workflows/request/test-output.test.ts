import { describe, expect, test } from "vitest";
import { hasPassed, parseTestOutput } from "./test-output.ts";

const runs = {
  vitest: [
    "\u001b[31m FAIL \u001b[39m test/a.test.ts > items > reads_an_item\nAssertionError: expected 1 to be 2\n\n Test Files  1 failed (1)\n      Tests  1 failed | 3 passed | 1 skipped (5)\n",
    { runner: "vitest", passed: 3, failed: 1, skipped: 1 },
  ],
  jest: [
    "  ● items › reads\n\n    expect(received).toBe(expected)\n\nTests:       1 failed, 1 skipped, 2 passed, 4 total\n",
    { runner: "jest", passed: 2, failed: 1, skipped: 1 },
  ],
  pytest: [
    "FAILED tests/test_a.py::test_reads - assert 1 == 2\n=== 1 failed, 2 passed, 1 skipped, 1 error in 0.12s ===\n",
    { runner: "pytest", passed: 2, failed: 2, skipped: 1 },
  ],
  maven: [
    "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s\n[ERROR]   AServiceTest.reads:12 expected: <1> but was: <2>\n[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1\n",
    { runner: "maven", passed: 2, failed: 2, skipped: 1 },
  ],
  gradle: [
    "AServiceTest > reads() FAILED\n    org.opentest4j.AssertionFailedError at A.java:3\n\n4 tests completed, 1 failed, 1 skipped\n",
    { runner: "gradle", passed: 2, failed: 1, skipped: 1 },
  ],
  junit: [
    "[         3 tests found           ]\n[         0 tests skipped         ]\n[         2 tests successful      ]\n[         1 tests failed          ]\n",
    { runner: "junit", passed: 2, failed: 1, skipped: 0 },
  ],
  go: [
    "=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\n    b_test.go:9: no\nFAIL\nFAIL\texample.com/x\t0.1s\n",
    { runner: "go test", passed: 1, failed: 1, skipped: 0 },
  ],
  tap: [
    "TAP version 13\n1..4\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP later\n",
    { runner: "TAP", passed: 1, failed: 2, skipped: 1 },
  ],
  "tap that was cut off": [
    "ok 1 - a\nnot ok 2 - b\n",
    { runner: "TAP", passed: 1, failed: 1, skipped: 0 },
  ],
  node: [
    "✖ reads (1.2ms)\nℹ tests 3\nℹ pass 2\nℹ fail 1\nℹ skipped 0\n",
    { runner: "node", passed: 2, failed: 1, skipped: 0 },
  ],
} as const;

describe("what a test runner printed (S4.4, GATE-2)", () => {
  test.each(Object.entries(runs))("S4.4 %s is read to its counts", (_name, [text, counts]) => {
    expect(parseTestOutput(text)).toMatchObject(counts);
  });

  test("S4.4 failures are named, with the first line that says why", () => {
    expect(parseTestOutput(runs.vitest[0]).failures).toEqual([
      {
        name: "test/a.test.ts > items > reads_an_item",
        message: "AssertionError: expected 1 to be 2",
      },
    ]);
    expect(parseTestOutput(runs.pytest[0]).failures[0]).toEqual({
      name: "tests/test_a.py::test_reads",
      message: "assert 1 == 2",
    });
    expect(parseTestOutput(runs.maven[0]).failures[0]).toEqual({
      name: "AServiceTest.reads",
      message: "expected: <1> but was: <2>",
    });
  });

  test("S4.4 an unknown runner counts by its exit code, and a command that hides failures by its counts", () => {
    const unknown = parseTestOutput("all good\n");
    expect(unknown.runner).toBeNull();
    expect(hasPassed(0, unknown)).toBe(true);
    expect(hasPassed(1, unknown)).toBe(false);
    expect(hasPassed(null, unknown)).toBe(false);
    expect(hasPassed(0, parseTestOutput(runs.vitest[0]))).toBe(false);
    const none = parseTestOutput("1..1\nok 1 - a # SKIP\n");
    expect(hasPassed(0, none)).toBe(false);
  });
});
