// The report on all of this (S5): it must not look better than what the tests have seen.
import { expect, test } from "vitest";
import { properties } from "../../scripts/reliability-demands.ts";
import { type Kept, reportOf } from "../../scripts/reliability-report.ts";

const facts = { day: "2026-01-02", commit: "abc1234", machine: "2 CPUs" };
const rows = properties.flatMap((property) => property.rows);

/** As if every test had done what is demanded of it. */
const good: readonly Kept[] = rows.map(({ figure, demanded, planted }) => ({
  figure,
  seen: demanded,
  lost: planted ? 1 : 0,
  test: `test of ${figure}`,
}));

/** The same, but for one. */
const but = (name: string, change: Partial<Extract<Kept, { figure: string }>>): Kept[] =>
  good.map((line) => ("figure" in line && line.figure === name ? { ...line, ...change } : line));
const without = (name: string): Kept[] =>
  good.filter((line) => !("figure" in line && line.figure === name));

const powerTest = { file: "test/crash/power.test.ts", test: "test of power.documents" };
const lineOf = (report: string, what: string): string =>
  report.split("\n").find((line) => line.startsWith(`| ${what}`)) ?? "";
const documents = (kept: readonly Kept[]): string =>
  lineOf(reportOf(kept, facts), "documents, kind after kind");

test("S5 where all is well every demand is held, with its figures and its command", () => {
  const report = reportOf([...good, { ...powerTest, state: "passed" }], facts);
  expect(report).toContain("- 2026-01-02, commit abc1234\n- 2 CPUs\n");
  expect(report).toContain("1 passed, 0 failed, 0 skipped");
  expect(report).toContain(`- ${rows.length} of ${rows.length} demands held\n`);
  expect(report).not.toMatch(/\*\*|## What failed|## What was not tested/);
  expect(documents(good)).toBe(
    '| documents, kind after kind | 200 | 200 | 0 | held |  | `HOLDFAST_FULL=1 npx vitest run test/crash/power.test.ts -t "no file is ever half"` |',
  );
});

test("S5 a loss, too few cases, a failed test and a figure that is missing are each told", () => {
  expect(documents(but("power.documents", { lost: 1 }))).toContain("| **lost** |");
  expect(documents(but("power.documents", { seen: 199 }))).toContain("| **too few** |");
  expect(documents(without("power.documents"))).toContain("| – | – | **not run** |");
  const failed = { ...powerTest, state: "failed" };
  expect(documents([...good, failed])).toContain("| **failed** |");
  expect(documents([...without("power.documents"), failed])).toContain("| **failed** |");
  const report = reportOf([...good, failed], facts);
  expect(report).toContain(`${rows.length - 1} of ${rows.length} demands held; **1 did not**`);
  expect(report).toContain("- `test/crash/power.test.ts`: test of power.documents");
});

test("S5 of several tests with one figure the worst counts", () => {
  const again = { figure: "power.documents", seen: 200, lost: 0, test: "another" };
  expect(documents([...good, again])).toContain("| 200 | 200 | 0 | held |");
  expect(documents([...good, { ...again, seen: 3 }])).toContain("| 200 | 3 | 0 | **too few** |");
  expect(documents([...good, { ...again, lost: 2 }])).toContain("| 2 | **lost** |");
  const failed = { file: "test/crash/power.test.ts", test: "another", state: "failed" };
  expect(documents([...good, again, failed])).toContain("| **failed** |");
});

test("S5 what was skipped is told with its reason, once, and is no success", () => {
  const note = "power cuts: only root may mount";
  const skipped = [1, 2].map(() => ({ ...powerTest, state: "skipped", note }));
  const kept = [...without("power.documents"), ...skipped];
  expect(documents(kept)).toContain(`| not tested (${note}) |`);
  const report = reportOf(kept, facts);
  expect(report).toContain(`- ${note} (2 tests)`);
  expect(report).toContain("demands held; 1 could not be tested here");
});

test("S5 a planted fault that loses nothing, and a figure nobody demands, are told", () => {
  const report = reportOf(
    [...but("power.nosync", { lost: 0 }), { figure: "new.one", seen: 1, lost: 0 }],
    facts,
  );
  expect(lineOf(report, "planted: syncs that do nothing")).toContain("| **not found** |");
  expect(report).toContain("- `new.one`: a figure that");
});

test("S5 of a whole run all that was skipped is counted, with its reason or without", () => {
  const whole = { run: { commit: "abc1234", again: false } };
  const skipped = { file: "test/a.test.ts", state: "skipped" };
  const told = { ...skipped, test: "one", note: "it needs root" };
  const report = reportOf([whole, ...good, told, { ...skipped, test: "two" }], facts);
  expect(report).toContain("0 passed, 0 failed, 2 skipped");
  expect(report).toContain("- it needs root (1 test)\n- no reason given (1 test)");
});

test("S5 what was run again counts as it was then, and its commit is told", () => {
  const first = { ...powerTest, state: "failed" };
  const begins = { run: { commit: "def5678", again: true } };
  const bad = but("power.documents", { lost: 3 });
  const other = { file: "test/crash/power.test.ts", test: "left out", state: "skipped" };
  const again = [begins, { ...powerTest, state: "passed" }, other];
  const figure = good.filter((line) => "figure" in line && line.figure === "power.documents");
  const report = reportOf([...bad, first, ...again, ...figure], facts);
  expect(lineOf(report, "documents, kind after kind")).toContain("| 200 | 200 | 0 | held |");
  expect(report).toContain("commit abc1234; `test/crash/power.test.ts` again at def5678");
  expect(report).toContain("1 passed, 0 failed, 0 skipped");
  // Nor is a test good because another one was run again.
  expect(documents([...bad, first, begins, { ...other, state: "passed" }])).toContain("**failed**");
});
