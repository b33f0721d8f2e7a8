// The test runners whose output is read, one row each. The first that finds its own summary decides,
// so the pickier stand before those whose lines others print as well.

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface Failure {
  readonly name: string;
  readonly message: string;
}

type Found = Counts & { readonly failures: readonly Failure[] };

interface Runner {
  readonly name: string;
  readonly read: (text: string, lines: readonly string[]) => Found | undefined;
}

// oxfmt-ignore
export const runners: readonly Runner[] = [
  { name: "vitest",  read: vitest },
  { name: "jest",    read: jest },
  { name: "pytest",  read: pytest },
  { name: "maven",   read: maven },
  { name: "gradle",  read: gradle },
  { name: "junit",   read: junit },
  { name: "go test", read: goTest },
  { name: "node",    read: nodeTest },
  { name: "TAP",     read: tap },
];

// --- internal ---

/** `2 failed | 3 passed`: the number before a word, 0 where it is not named. */
function count(text: string, ...words: readonly string[]): number {
  return words.reduce((sum, word) => {
    const found = new RegExp(`(\\d+) ${word}\\b`).exec(text)?.[1];
    return sum + Number(found ?? 0);
  }, 0);
}

function lastLine(lines: readonly string[], pattern: RegExp): string | undefined {
  return lines.findLast((line) => pattern.test(line));
}

/** Each line that names a failure, with the first line below it that says something. */
function failuresBy(lines: readonly string[], pattern: RegExp): Failure[] {
  return lines.flatMap((line, at) => {
    const parts = pattern.exec(line);
    const name = parts?.[1]?.trim() ?? "";
    if (parts === null || name === "") return [];
    const below = lines.slice(at + 1, at + 6).find((each) => each.trim() !== "") ?? "";
    return [{ name, message: (parts[2] ?? below).trim().slice(0, 500) }];
  });
}

function vitest(_text: string, lines: readonly string[]): Found | undefined {
  const line = lastLine(lines, /^\s*Tests {2}(?:.*\d+ (?:passed|failed|skipped|todo))/);
  if (line === undefined) return undefined;
  return {
    passed: count(line, "passed"),
    failed: count(line, "failed"),
    skipped: count(line, "skipped", "todo"),
    failures: failuresBy(lines, /^\s*FAIL {2}(.+)$/),
  };
}

function jest(_text: string, lines: readonly string[]): Found | undefined {
  const line = lastLine(lines, /^Tests: {2,}.*\d+ total/);
  if (line === undefined) return undefined;
  return {
    passed: count(line, "passed"),
    failed: count(line, "failed"),
    skipped: count(line, "skipped", "todo"),
    failures: failuresBy(lines, /^ {2}● (.+)$/),
  };
}

function pytest(_text: string, lines: readonly string[]): Found | undefined {
  const line = lastLine(lines, /^(?:=+ )?(?=.*\d+ (?:passed|failed|errors?|skipped)).* in [\d.]+s/);
  if (line === undefined) return undefined;
  return {
    passed: count(line, "passed", "xpassed"),
    // A file that does not load is an error of its own.
    failed: count(line, "failed", "error", "errors"),
    skipped: count(line, "skipped", "xfailed"),
    failures: failuresBy(lines, /^(?:FAILED|ERROR) (\S+)(?: - (.*))?$/),
  };
}

function maven(_text: string, lines: readonly string[]): Found | undefined {
  // The sum at the end has no time; each class has.
  const line =
    lastLine(lines, /Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+\s*$/) ??
    lastLine(lines, /Tests run: \d+, Failures: \d+/);
  if (line === undefined) return undefined;
  const number = (name: string): number =>
    Number(new RegExp(`${name}: (\\d+)`).exec(line)?.[1] ?? 0);
  const failed = number("Failures") + number("Errors");
  const skipped = number("Skipped");
  return {
    passed: Math.max(0, number("Tests run") - failed - skipped),
    failed,
    skipped,
    failures: failuresBy(lines, /^\[ERROR\] {3}([\w.$]+\.[^\s:]+)(?::\d+)?(?:->\S+)?\s+(.+)$/),
  };
}

function gradle(_text: string, lines: readonly string[]): Found | undefined {
  const line = lastLine(lines, /^\d+ tests? completed(?:, \d+ failed)?(?:, \d+ skipped)?/);
  const each = (word: string): number =>
    lines.filter((one) => new RegExp(`^\\S.* > .+ ${word}$`).test(one)).length;
  const failures = failuresBy(lines, /^(\S.* > .+) FAILED$/);
  if (line === undefined) {
    const [passed, failed, skipped] = [each("PASSED"), each("FAILED"), each("SKIPPED")];
    return passed + failed + skipped === 0 ? undefined : { passed, failed, skipped, failures };
  }
  const [failed, skipped] = [count(line, "failed"), count(line, "skipped")];
  const total = Number(/^\d+/.exec(line)?.[0] ?? 0);
  return { passed: Math.max(0, total - failed - skipped), failed, skipped, failures };
}

/** The console launcher: `[         2 tests successful      ]`. */
function junit(text: string, lines: readonly string[]): Found | undefined {
  if (!/^\[ +\d+ tests (?:successful|found) +\]$/m.test(text)) return undefined;
  return {
    passed: count(text, "tests successful"),
    failed: count(text, "tests failed"),
    skipped: count(text, "tests skipped", "tests aborted"),
    failures: failuresBy(lines, /^\s*JUnit (?:Jupiter|Vintage):(.+)$/),
  };
}

function goTest(_text: string, lines: readonly string[]): Found | undefined {
  const tests = (word: string): number =>
    lines.filter((line) => new RegExp(`^\\s*--- ${word}: `).test(line)).length;
  const packages = (word: RegExp): number => lines.filter((line) => word.test(line)).length;
  const ok = packages(/^ok {2}\t?\S+\s+(?:[\d.]+s|\(cached\))/);
  const bad = packages(/^FAIL\t\S+/);
  if (ok + bad === 0) return undefined;
  const [passed, failed, skipped] = [tests("PASS"), tests("FAIL"), tests("SKIP")];
  const failures = failuresBy(lines, /^\s*--- FAIL: (\S+)/);
  // Without -v only failures are named: what passed are packages.
  return passed > 0
    ? { passed, failed: Math.max(failed, bad), skipped, failures }
    : { passed: ok, failed: Math.max(failed, bad), skipped, failures };
}

/** node:test, in its own words: `# pass 3` or `ℹ pass 3`. */
function nodeTest(text: string, lines: readonly string[]): Found | undefined {
  const number = (name: string): number | undefined => {
    const found = lastLine(lines, new RegExp(`^(?:#|ℹ) ${name} \\d+$`));
    return found === undefined ? undefined : Number(/\d+$/.exec(found)?.[0]);
  };
  const [passed, failed] = [number("pass"), number("fail")];
  if (passed === undefined || failed === undefined) return undefined;
  const skipped = (number("skipped") ?? 0) + (number("todo") ?? 0);
  const names = /^TAP version/m.test(text)
    ? /^\s*not ok \d+ -? ?(.+?)(?: # .*)?$/
    : /^\s*✖ (.+?)(?: \([\d.]+ms\))?$/;
  return { passed, failed, skipped, failures: failuresBy(lines, names) };
}

function tap(text: string, lines: readonly string[]): Found | undefined {
  // Without its plan it was cut off; a point that failed counts all the same.
  if (!/^(?:1\.\.|not ok )\d+/m.test(text)) return undefined;
  const points = lines.filter((line) => /^(?:not )?ok\b/.test(line));
  if (points.length === 0) return undefined;
  const skipped = points.filter((line) => /# (?:SKIP|TODO)/i.test(line));
  const failing = points.filter((line) => line.startsWith("not ok") && !skipped.includes(line));
  // A plan of more points than came: the rest never ran.
  const planned = Number(/^1\.\.(\d+)/m.exec(text)?.[1] ?? 0);
  const lost = Math.max(0, planned - points.length);
  return {
    passed: points.length - skipped.length - failing.length,
    failed: failing.length + lost,
    skipped: skipped.length,
    failures: failuresBy(failing, /^not ok \d+ ?-? ?(.+)$/),
  };
}
