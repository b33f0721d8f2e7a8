// The titles of tests, read from their source: nothing is run. A blank of a template counts as “…”.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";

/** What the tests of one file are called; `line` counts from 1. */
export interface TestFile {
  readonly path: string;
  readonly titles: readonly Title[];
}

export interface Title {
  readonly text: string;
  readonly line: number;
}

/** Every file of tests below the folders, and the tables that such files take their titles from. */
export function readTestFiles(root: string, folders: readonly string[]): TestFile[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((path) => /\.tsx?$/.test(path) && (path.startsWith("test/") || path.includes(".test.")))
    .toSorted()
    .map((path) => ({ path, titles: titlesIn(path, readFileSync(join(root, path), "utf8")) }));
}

/** A title is the first argument of `test`, `it` or `describe`, however called, or a text that begins with a rule. */
export function titlesIn(path: string, source: string): Title[] {
  const found: Title[] = [];
  visit(parseSync(path, source).program, (node) => {
    const text = textOf(node);
    if (text !== null && /^S\d+\.\d/.test(text))
      found.push({ text, line: lineOf(source, node.start) });
    if (node.type !== "CallExpression" || !Array.isArray(node["arguments"])) return;
    const [first] = node["arguments"] as Node[];
    const title = first && textOf(first);
    if (
      first &&
      typeof title === "string" &&
      !/^S\d+\.\d/.test(title) &&
      isTest(node["callee"] as Node)
    )
      found.push({ text: title, line: lineOf(source, first.start) });
  });
  return found.toSorted((a, b) => a.line - b.line);
}

// --- internal ---

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

function visit(value: unknown, on: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) visit(each, on);
  else if (typeof value === "object" && value !== null) {
    if ("type" in value && "start" in value) on(value as Node);
    for (const each of Object.values(value)) visit(each, on);
  }
}

function textOf(node: Node): string | null {
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : null;
  if (node.type !== "TemplateLiteral") return null;
  const parts = node["quasis"] as { value: { cooked: string } }[];
  return parts.map(({ value }) => value.cooked).join("…");
}

/** `test(…)`, `test.skipIf(…)(…)`, `describe.each(…)(…)`, `describeClaude(…)`. */
function isTest(callee: Node): boolean {
  if (callee.type === "Identifier")
    return /^(test|it|describe)([A-Z]|$)/.test(callee["name"] as string);
  const inner = callee["object"] ?? callee["callee"] ?? callee["tag"];
  return inner !== undefined && isTest(inner as Node);
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}
