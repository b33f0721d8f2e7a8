// What a test runner printed, as numbers (S4.4, GATE-2). Common runners are known by their own last
// lines; of any other only the exit code counts, and the result says so.
import { type Counts, type Failure, runners } from "./_runners.ts";

export interface TestRun extends Counts {
  /** Null: no runner that is known; all counts are 0. */
  readonly runner: string | null;
  readonly failures: readonly Failure[];
}

export function parseTestOutput(output: string): TestRun {
  const text = withoutColours(output.slice(-mostBytes)).replaceAll("\r\n", "\n");
  const lines = text.split("\n");
  for (const { name, read } of runners) {
    const found = read(text, lines);
    if (found === undefined) continue;
    // A failure may be told twice, as it happens and at the end.
    const failures = [...new Map(found.failures.map((one) => [one.name, one])).values()];
    return { ...found, runner: name, failures: failures.slice(0, found.failed) };
  }
  return { runner: null, passed: 0, failed: 0, skipped: 0, failures: [] };
}

/** Passed, by what ended and by what was counted: `|| true` hides nothing. */
export function hasPassed(code: number | null, { runner, passed, failed }: TestRun): boolean {
  return code === 0 && failed === 0 && (runner === null || passed > 0);
}

// --- internal ---

/** What is wrong stands at the end. */
const mostBytes = 1024 * 1024;

function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex -- that is what they are
  return text.replace(/\u001b\[[0-9;?]{0,20}[A-Za-z]/g, "");
}
