// What each line of the five source documents asks for, and the tests that hold it. The documents are not part
// of the repository; `test/spec/<document>.tsv` has their line numbers, and every line that is not blank is
// accounted for: as a requirement, or with the reason why it is none.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface SourceDocument {
  readonly path: string;
  readonly name: string;
  readonly title: string;
  readonly lines: number;
  readonly blank: readonly number[];
  readonly rows: readonly Row[];
  /** Lines that ask for nothing. */
  readonly others: readonly { readonly lines: string; readonly reason: string }[];
}

export interface Row {
  readonly lines: string;
  readonly requirement: string;
  readonly rules: readonly string[];
  readonly tests: readonly Citation[];
}

/** `part` is found in the title of exactly the tests that are meant. */
export interface Citation {
  readonly path: string;
  readonly part: string;
}

export function readRows(root: string): SourceDocument[] {
  const folder = join(root, "test/spec");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".tsv"))
    .toSorted()
    .map((name) => documentOf(`test/spec/${name}`, readFileSync(join(folder, name), "utf8")));
}

/**
 * Columns are separated by tabs. The first three lines say the title, how many lines the document has and which
 * are blank; then a line is `lines, requirement, rules, test, test, …`, or `lines, –, reason`.
 */
export function documentOf(path: string, text: string): SourceDocument {
  const [title, lines, blank, ...cells] = text
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  return {
    path,
    name: /(\w+)\.tsv$/.exec(path)?.[1] ?? path,
    title: title?.[1] ?? "",
    lines: Number(lines?.[1]),
    blank: numbersOf(blank?.[1] ?? ""),
    rows: cells.filter(([, what]) => what !== none).map(rowOf),
    others: cells
      .filter(([, what]) => what === none)
      .map(([at = "", , reason = ""]) => ({ lines: at, reason })),
  };
}

/** `3,7-9` is 3, 7, 8 and 9. */
export function numbersOf(lines: string): number[] {
  return lines.split(",").flatMap((range) => {
    const [from = Number.NaN, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 || 1 }, (_, index) => from + index);
  });
}

// --- internal ---

const none = "–";

function rowOf([lines = "", requirement = "", rules = "", ...tests]: readonly string[]): Row {
  return {
    lines,
    requirement,
    rules: rules.split(" ").filter((rule) => rule !== ""),
    tests: tests.map((test) => {
      const [name = "", part = ""] = test.split("#");
      return { path: `test/${name}.test.ts`, part };
    }),
  };
}
