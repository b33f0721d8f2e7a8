// What is wrong with rules, rows and titles of tests: each as a sentence that names the place.
import { type Citation, type Row, type SourceDocument, numbersOf } from "./rows.ts";
import { type RuleFile, numbersIn } from "./rules.ts";
import type { TestFile } from "./titles.ts";

export interface Spec {
  readonly rules: readonly RuleFile[];
  readonly documents: readonly SourceDocument[];
  readonly tests: readonly TestFile[];
}

/** Files in test/ that call parts of the program instead of driving it from outside: rows may not rest on them. */
const inside =
  /^test\/(layers|spec|protocol\/|web\/|recall\/|store\/|crash\/|chaos\/|agents\/sample|e2e\/layout|mcp\/claims|engine\/(rules|retention-many)|orchestrate\/slack|server\/notify\.|(develop|plan|request)\/conduct|(plan|request)\/fields|request\/(flow|model|resume|setup))/;

/** The five documents hold at least as many requirements. */
export const fewestRows = 320;

export function problemsOf(spec: Spec): string[] {
  const rows = spec.documents.reduce((sum, { rows: { length } }) => sum + length, 0);
  return [
    ...ruleProblems(spec),
    ...spec.documents.flatMap((document) => lineProblems(document)),
    ...spec.documents.flatMap((document) =>
      document.rows.flatMap((row) =>
        rowProblems(spec, row).map((what) => `${document.path}, line ${row.lines}: ${what}`),
      ),
    ),
    ...(rows < fewestRows ? [`${rows} rows; at least ${fewestRows} are needed`] : []),
  ];
}

/** The titles that a citation means. */
export function titlesOf({ tests }: Spec, { path, part }: Citation): string[] {
  const file = tests.find((each) => each.path === path);
  return (file?.titles ?? []).map(({ text }) => text).filter((text) => text.includes(part));
}

// --- internal ---

function ruleProblems({ rules, tests }: Spec): string[] {
  const all = rules.flatMap((file) => file.rules);
  const known = new Set(all.map(({ number }) => number));
  const cited = new Set<string>();
  const problems = all
    .filter(({ number }, index) => all.findIndex((other) => other.number === number) < index)
    .map(({ number }) => `rule ${number} is given twice`);
  for (const { path, titles } of tests)
    for (const { text, line } of titles)
      for (const number of numbersIn(text)) {
        cited.add(number);
        if (!known.has(number)) problems.push(`${path}:${line}: there is no rule ${number}`);
      }
  for (const { number, planned } of all)
    if (!planned && !cited.has(number)) problems.push(`no test cites ${number}`);
  return problems;
}

function lineProblems({ path, lines, blank, rows, others }: SourceDocument): string[] {
  const known = [...blank, ...[...rows, ...others].flatMap((each) => numbersOf(each.lines))];
  const seen = new Set(known);
  const missing = Array.from({ length: lines }, (_, index) => index + 1).filter(
    (line) => !seen.has(line),
  );
  return [
    ...missing.map((line) => `${path}: line ${line} of the document is not accounted for`),
    ...known
      .filter((line) => !(line >= 1 && line <= lines))
      .map((line) => `${path}: the document has no line ${line}`),
  ];
}

function rowProblems(spec: Spec, { requirement, rules, tests }: Row): string[] {
  const all = spec.rules.flatMap((file) => file.rules);
  const problems: string[] = [];
  if (requirement === "") problems.push("no requirement");
  if (rules.length === 0) problems.push("no rule");
  if (tests.length === 0) problems.push("no test");
  for (const number of rules) {
    const rule = all.find((each) => each.number === number);
    if (rule === undefined) problems.push(`there is no rule ${number}`);
    if (rule?.planned === true) problems.push(`${number} is planned, so it holds nothing yet`);
  }
  for (const test of tests)
    if (inside.test(test.path))
      problems.push(`${test.path} does not drive the program from outside`);
    else if (test.part === "" || titlesOf(spec, test).length === 0)
      problems.push(`${test.path} has no test “${test.part}”`);
  return problems;
}
