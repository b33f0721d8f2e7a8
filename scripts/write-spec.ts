// Writes docs/spec.md from the rules beside the code and the rows of test/spec/:
// `node scripts/run-ts.mjs scripts/write-spec.ts`. It prints what is wrong with them; a test says when the page is
// out of date.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Spec, problemsOf, titlesOf } from "./spec/problems.ts";
import { type Row, type SourceDocument, readRows } from "./spec/rows.ts";
import { type Rule, type RuleFile, numbersIn, readRules } from "./spec/rules.ts";
import { readTestFiles } from "./spec/titles.ts";

const root = join(import.meta.dirname, "..");
export const specPath = join(root, "docs/spec.md");

export function readSpec(): Spec {
  const tests = readTestFiles(root, ["src", "test"]);
  return { rules: readRules(root), documents: readRows(root), tests };
}

export function specDocs(spec: Spec): string {
  return [
    head,
    ...spec.rules.map((file) => rulesSection(spec, file)),
    rowsHead(spec),
    ...spec.documents.map((document) => documentSection(spec, document)),
  ].join("\n");
}

// --- internal ---

const head = `# Specification

What Holdfast must do, as numbered rules, with the tests that hold each of them. This page is written by
\`scripts/write-spec.ts\`: change the rules or the rows, then run \`node scripts/run-ts.mjs scripts/write-spec.ts\`.

- A rule is in the \`SPEC.md\` of the folder that it binds, as a list item that begins with its number. A test cites it in its title (\`S2.7 …\`).
- A rule that is not built yet is marked \`(planned)\`. Every other rule has a test; a number that does not exist fails \`npm test\`.
- Below the rules is a table of the five source documents, line by line: what they ask for, the rule, and a test that drives the program from outside. The rows are kept in \`test/spec/\`.
`;

function rulesSection(spec: Spec, { path, title, rules }: RuleFile): string {
  const items = rules.map((rule) => `- ${ruleText(rule)}${citedIn(spec, rule)}`);
  return `## ${title}\n\n\`${path}\`\n\n${items.join("\n")}\n`;
}

function ruleText({ number, planned, text }: Rule): string {
  return `**${number}**${planned ? " (planned)" : ""} ${text}`;
}

function citedIn({ tests }: Spec, { number }: Rule): string {
  const files = tests
    .filter(({ titles }) => titles.some(({ text }) => numbersIn(text).includes(number)))
    .map(({ path }) => `\`${shortOf(path)}\``);
  return files.length === 0 ? "" : `\n  <br>Tests: ${files.join(", ")}`;
}

function rowsHead({ documents }: Spec): string {
  const counts = documents.map(
    ({ name, title, lines, rows }) => `| ${name} | ${title} | ${lines} | ${rows.length} |`,
  );
  const all = documents.reduce((sum, { rows }) => sum + rows.length, 0);
  return [
    "## Source documents\n",
    "| document | | lines | requirements |\n|---|---|---|---|",
    `${counts.join("\n")}\n| | | | ${all} |\n`,
  ].join("\n");
}

function documentSection(spec: Spec, { name, title, rows, others }: SourceDocument): string {
  return [
    `### ${name}: ${title}\n`,
    "| line | requirement | rule | test |\n|---|---|---|---|",
    `${rows.map((row) => rowText(spec, row)).join("\n")}\n`,
    `No requirement: ${others.map(({ lines, reason }) => `${lines} (${reason})`).join(", ")}.\n`,
  ].join("\n");
}

function rowText(spec: Spec, { lines, requirement, rules, tests }: Row): string {
  const cited = tests.map((test) => {
    const titles = titlesOf(spec, test).map((title) => title.replace(/^(S\d+\.\d+[a-z]?,? )+/, ""));
    return `\`${shortOf(test.path)}\`: ${titles.join("; ").replaceAll("|", "\\|")}`;
  });
  return `| ${lines} | ${requirement} | ${rules.join(", ")} | ${cited.join("<br>")} |`;
}

const shortOf = (path: string): string => path.replace(/\.test\.tsx?$/, "");

if (process.argv[1]?.endsWith("write-spec.ts")) {
  const spec = readSpec();
  writeFileSync(specPath, specDocs(spec));
  for (const problem of problemsOf(spec)) process.stderr.write(`${problem}\n`);
}
