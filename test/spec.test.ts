// Rules, rows and tests belong together: a rule without a test, a line of a source document without a row, or a
// citation of something that is not there fails here. Titles are read from the sources; no test is run.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Spec, problemsOf } from "../scripts/spec/problems.ts";
import { documentOf } from "../scripts/spec/rows.ts";
import { rulesIn } from "../scripts/spec/rules.ts";
import { titlesIn } from "../scripts/spec/titles.ts";
import { readSpec, specDocs, specPath } from "../scripts/write-spec.ts";

const spec = readSpec();
const title = (path: string, source: string) => ({ path, titles: titlesIn(path, source) });

test("every rule has a test, every line of the source documents its row, every row a test from outside", () => {
  expect(problemsOf(spec)).toEqual([]);
});

test("docs/spec.md is what scripts/write-spec.ts makes of them", () => {
  const fresh = readFileSync(specPath, "utf8") === specDocs(spec);
  expect(fresh ? "" : "run `node scripts/run-ts.mjs scripts/write-spec.ts`").toBe("");
});

test("what is missing, doubled, unknown or only tested from inside is named with its place", () => {
  const rules = rulesIn(
    "src/a/SPEC.md",
    "# A\n\n- **S9.1** One,\n  and more.\n- **S9.2** Two.\n- **S9.2** Again.\n- **S9.3** (planned) Three.\n",
  );
  const lines = [
    "title\tA",
    "lines\t6",
    "blank\t2",
    "1\t–\theading",
    "3\twhat holds\tS9.1\ta/b#holds",
    "4\twhat does not\tS9.1 S9.3 S9.7\tweb/b#holds\ta/b#is not there",
    "4,8\tno test\tS9.1",
  ];
  const made: Spec = {
    rules: [rules],
    documents: [documentOf("test/spec/a.tsv", lines.join("\n"))],
    tests: [
      title(
        "test/a/b.test.ts",
        "test.each(all)(\n  `S9.1 ${n} of them holds`, () => {});\nit('S9.4 no such rule');",
      ),
      title("test/web/b.test.ts", "describe('it holds', () => {});"),
    ],
  };
  expect(problemsOf(made)).toEqual([
    "rule S9.2 is given twice",
    "test/a/b.test.ts:3: there is no rule S9.4",
    "no test cites S9.2",
    "no test cites S9.2",
    "test/spec/a.tsv: line 5 of the document is not accounted for",
    "test/spec/a.tsv: line 6 of the document is not accounted for",
    "test/spec/a.tsv: the document has no line 8",
    "test/spec/a.tsv, line 4: S9.3 is planned, so it holds nothing yet",
    "test/spec/a.tsv, line 4: there is no rule S9.7",
    "test/spec/a.tsv, line 4: test/web/b.test.ts does not drive the program from outside",
    "test/spec/a.tsv, line 4: test/a/b.test.ts has no test “is not there”",
    "test/spec/a.tsv, line 4,8: no test",
    "3 rows; at least 320 are needed",
  ]);
});
