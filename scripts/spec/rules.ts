// The numbered rules: each is in the SPEC.md of the folder that it binds.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Rule {
  readonly number: string;
  /** Promised, not built: no test is asked for. */
  readonly planned: boolean;
  /** Markdown, on one line. */
  readonly text: string;
}

export interface RuleFile {
  readonly path: string;
  readonly title: string;
  readonly rules: readonly Rule[];
}

/** In the order of their numbers. */
export function readRules(root: string): RuleFile[] {
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => /(^|\/)SPEC\.md$/.test(name))
    .map((name) => rulesIn(`src/${name}`, readFileSync(join(root, "src", name), "utf8")))
    .toSorted((a, b) => compareNumbers(a.rules[0]?.number ?? "", b.rules[0]?.number ?? ""));
}

/** A rule is a list item that begins with its number; its further lines are indented. */
export function rulesIn(path: string, text: string): RuleFile {
  const items = text.matchAll(
    /^- \*\*(S\d+\.\d+[a-z]?)\*\*( \(planned\))? ([^\n]*(?:\n {2}[^\n]*)*)/gm,
  );
  return {
    path,
    title: /^# (.*)/.exec(text)?.[1] ?? path,
    rules: [...items].map(([, number = "", planned, said = ""]) => ({
      number,
      planned: planned !== undefined,
      text: said.replaceAll(/\s*\n\s*/g, " ").trim(),
    })),
  };
}

/** The rules that a text names; `S1.7b` is another one than `S1.7`. */
export function numbersIn(text: string): string[] {
  return [...new Set(text.match(/(?<![\w.])S\d+\.\d+[a-z]?(?![\w])/g))];
}

export function compareNumbers(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
