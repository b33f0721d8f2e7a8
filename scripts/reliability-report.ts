// Writes docs/reliability.md: what was demanded, what the tests saw, what was not tested and why.
// `node scripts/run-ts.mjs scripts/reliability-report.ts <figures> <report>`, where
// <figures> is what the tests (test/figures.ts) and the reporter (closing-line.ts) have kept.
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { availableParallelism, platform, release, tmpdir } from "node:os";
import { type Demand, type Property, properties } from "./reliability-demands.ts";

/** A line of the file of figures. */
export type Kept =
  | { figure: string; seen: number; lost: number; more?: string; test?: string }
  | { file: string; test: string; state: string; note?: string }
  /** What follows was seen at this commit; `again`: only a part of the suite. */
  | { run: { commit: string; again: boolean } };

export interface Facts {
  readonly day: string;
  readonly commit: string;
  /** A sentence without names or paths of the machine. */
  readonly machine: string;
}

export function reportOf(kept: readonly Kept[], facts: Facts): string {
  return report(latest(kept), kept, facts);
}

/**
 * A test that was run again counts as it was then: an hour's run is not begun anew for one test that was
 * wrong. What a later run left out (a skipped test without a reason) stays as it was.
 */
export function latest(kept: readonly Kept[]): Kept[] {
  const runs = runsOf(kept);
  return runs.flatMap((lines, place) => {
    const [first] = lines;
    const isPart = first !== undefined && "run" in first && first.run.again;
    const later = runs.slice(place + 1).flat();
    const again = new Set(
      resultsOf(later).flatMap(({ test, state, note }) =>
        state === "skipped" && note === undefined ? [] : [test],
      ),
    );
    const isLeftOut = (line: Kept): boolean =>
      isPart && "state" in line && line.state === "skipped" && line.note === undefined;
    return lines.filter(
      (line) => !isLeftOut(line) && !("test" in line && again.has(line.test ?? "")),
    );
  });
}

// --- internal ---

function report(kept: readonly Kept[], all: readonly Kept[], facts: Facts): string {
  const parts = [
    headOf(kept, all, facts),
    ...properties.map((property) => sectionOf(property, kept)),
    skipsOf(kept),
    failuresOf(kept),
    limits,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const limits = `## What this can not show

Disks that say a flush is done when it is not; network file systems; macOS and Windows. An error or a
missing answer means that the outcome is unknown: whoever asked reads again.`;

function headOf(kept: readonly Kept[], all: readonly Kept[], facts: Facts): string {
  const { day, commit, machine } = facts;
  const [passed, failed, skipped] = ["passed", "failed", "skipped"].map(
    (state) => resultsOf(kept).filter((line) => line.state === state).length,
  );
  const rows = properties.flatMap((property) => property.rows);
  const bad = rows.filter((row) => verdictOf(row, kept).startsWith("**"));
  const untested = rows.filter((row) => verdictOf(row, kept).startsWith("not tested"));
  const held = `${rows.length - bad.length - untested.length} of ${rows.length} demands held`;
  const more = [
    ...(bad.length > 0 ? [`**${bad.length} did not**`] : []),
    ...(untested.length > 0 ? [`${untested.length} could not be tested here`] : []),
  ];
  return `# Reliability, as measured

\`npm run test:full\` writes this page; it is not edited by hand. Each line is a demand, with the
command that repeats it. “Lost” counts what went wrong: an acknowledged change that is gone, a file
that is half or does not fit the journal, a fault that nobody was told of.

- ${day}, commit ${commit}${againIn(all)}
- ${machine}
- the whole suite: ${passed} passed, ${failed} failed, ${skipped} skipped
- ${[held, ...more].join("; ")}`;
}

/** Which files were run again, and at which commit. */
function againIn(all: readonly Kept[]): string {
  const parts = runsOf(all).flatMap(([first, ...lines]) => {
    if (!first || !("run" in first) || !first.run.again) return [];
    const ran = resultsOf(lines).filter(({ state, note }) => state !== "skipped" || note);
    const files = [...new Set(ran.map(({ file }) => `\`${file}\``))];
    return files.length === 0 ? [] : [`; ${files.join(", ")} again at ${first.run.commit}`];
  });
  return parts.join("");
}

/** Each begins with its `run`, if it was said. */
function runsOf(kept: readonly Kept[]): Kept[][] {
  const runs: Kept[][] = [[]];
  for (const line of kept)
    if ("run" in line) runs.push([line]);
    else runs.at(-1)?.push(line);
  return runs;
}

function sectionOf({ title, promise, rows }: Property, kept: readonly Kept[]): string {
  const lines = rows.map((row) => {
    const found = figureOf(row, kept);
    const cells = [
      row.what,
      number(row.demanded),
      found ? number(found.seen) : "–",
      found ? number(found.lost) : "–",
      verdictOf(row, kept),
      found?.more ?? "",
      `\`${commandOf(row)}\``,
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return `## ${title}

${promise}

| what | demanded | seen | lost | verdict | in detail | command |
|---|---:|---:|---:|---|---|---|
${lines.join("\n")}`;
}

/** Bold where something is wrong. */
function verdictOf(row: Demand, kept: readonly Kept[]): string {
  const found = figureOf(row, kept);
  if (!found) {
    const ofFile = resultsOf(kept).filter(({ file }) => file.startsWith(row.file));
    if (ofFile.some(({ state }) => state === "failed")) return "**failed**";
    const why = ofFile.find(({ note }) => note !== undefined)?.note;
    return why === undefined ? "**not run**" : `not tested (${why})`;
  }
  const failed = resultsOf(kept).some(
    ({ test, state }) => state === "failed" && found.tests.includes(test),
  );
  if (failed) return "**failed**";
  if (found.seen < row.demanded) return "**too few**";
  if (row.planted) return found.lost > 0 ? "found" : "**not found**";
  return found.lost === 0 ? "held" : "**lost**";
}

function commandOf({ file, title }: Demand): string {
  return `HOLDFAST_FULL=1 npx vitest run ${file}${title === undefined ? "" : ` -t "${title}"`}`;
}

function skipsOf(kept: readonly Kept[]): string {
  const reasons = new Map<string, number>();
  for (const { state, note = "no reason given" } of resultsOf(kept))
    if (state === "skipped") reasons.set(note, (reasons.get(note) ?? 0) + 1);
  if (reasons.size === 0) return "";
  const lines = [...reasons].map(([note, times]) => `- ${note} (${testsIn(times)})`);
  return `## What was not tested here\n\n${lines.join("\n")}`;
}

function failuresOf(kept: readonly Kept[]): string {
  const known = new Set(properties.flatMap(({ rows }) => rows.map((row) => row.figure)));
  const lines = [
    ...resultsOf(kept)
      .filter(({ state }) => state === "failed")
      .map(({ file, test }) => `- \`${file}\`: ${test || "it can not be loaded"}`),
    // Else what a test has to say would be dropped without a word.
    ...figuresOf(kept)
      .filter(({ figure }) => !known.has(figure))
      .map(({ figure }) => `- \`${figure}\`: a figure that scripts/reliability-demands.ts lacks`),
  ];
  return lines.length === 0 ? "" : `## What failed\n\n${lines.join("\n")}`;
}

/** Of several tests that speak of the same, all losses and the fewest cases count. */
function figureOf({ figure: name }: Demand, kept: readonly Kept[]) {
  const all = figuresOf(kept).filter(({ figure }) => figure === name);
  if (all.length === 0) return undefined;
  return {
    seen: Math.min(...all.map(({ seen }) => seen)),
    lost: all.reduce((sum, { lost }) => sum + lost, 0),
    more: all.flatMap(({ more }) => more ?? []).join("; "),
    tests: all.flatMap(({ test }) => test ?? []),
  };
}

function figuresOf(kept: readonly Kept[]) {
  return kept.filter((line) => "figure" in line);
}

function resultsOf(kept: readonly Kept[]) {
  return kept.filter((line) => "state" in line);
}

function testsIn(times: number): string {
  return times === 1 ? "1 test" : `${times} tests`;
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}

/** Without host name, user or path. */
function machineHere(): string {
  const [version = ""] = /^[\d.]*\d/.exec(release()) ?? [];
  const system = platform() === "linux" ? "Linux" : platform();
  const cpus = availableParallelism();
  return `${cpus} CPUs, ${system} ${version}, Node ${process.versions.node}, files on ${typeOf(tmpdir())}`;
}

/** The type of the file system, from the longest mount above the path. */
function typeOf(path: string): string {
  try {
    const real = `${realpathSync(path)}/`;
    const above = readFileSync("/proc/self/mounts", "utf8")
      .split("\n")
      .map((line) => line.split(" "))
      .filter(([, place = ""]) => real.startsWith(place === "/" ? place : `${place}/`));
    // Of two at one place the later one is seen.
    return (
      above.reduce((best, next) =>
        (next[1] ?? "").length >= (best[1] ?? "").length ? next : best,
      )[2] ?? ""
    );
  } catch {
    return "a file system of unknown type";
  }
}

if (process.argv[1]?.endsWith("reliability-report.ts")) {
  const [figures = "", page = ""] = process.argv.slice(2);
  const kept = readFileSync(figures, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Kept);
  const day = new Date().toISOString().slice(0, 10);
  const whole = kept.findLast((line) => "run" in line && !line.run.again);
  const commit = whole && "run" in whole ? whole.run.commit : "unknown";
  writeFileSync(page, reportOf(kept, { day, commit, machine: machineHere() }));
}
