// scripts/build/loader.cjs: which parts of a program are loaded, and when.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { root } from "./program.ts";

type Part = Record<string, unknown>;

interface Program {
  require(id: string): Part;
  readonly loaded: ReadonlyMap<string, unknown>;
}

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-loader-"));
  mkdirSync(join(folder, "chunks"));
  const part = `exports.one = 1; Object.defineProperty(exports, "fixed", { value: 2, enumerable: true });`;
  writeFileSync(join(folder, "chunks", "part.cjs"), part);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function programWith(place: { late?: boolean }): Program {
  const source = readFileSync(join(root, "scripts/build/loader.cjs"), "utf8");
  const make = runInThisContext(`(() => { ${source}; return programOf; })()`) as (
    ...given: unknown[]
  ) => Program;
  return make(createRequire(import.meta.url), {}, { folder, more: "none", ...place }, {});
}

test("a part is loaded when another asks for it", () => {
  const program = programWith({});
  const part = program.require("./part.cjs");
  expect([...program.loaded.keys()]).toEqual(["part.cjs"]);
  expect([part["one"], part["fixed"]]).toEqual([1, 2]);
});

test("or, where calls are short, when it is used; to await it is no use of it", async () => {
  const program = programWith({ late: true });
  const part = await Promise.resolve(program.require("./part.cjs"));
  expect([...program.loaded.keys()]).toEqual([]);
  expect(part["one"]).toBe(1);
  expect([...program.loaded.keys()]).toEqual(["part.cjs"]);
  // From then on it is the part itself.
  expect(program.require("./part.cjs")).toEqual({ one: 1, fixed: 2 });
});

// oxfmt-ignore
test.each<[string, (part: Part) => unknown, unknown]>([
  ["a field that it has", (part) => Object.hasOwn(part, "one"), true],
  ["one that can not be changed", (part) => Object.hasOwn(part, "fixed"), true],
  ["one that it has not", (part) => "none" in part || Object.hasOwn(part, "none") || "id" in part, false],
  ["its fields", (part) => Object.keys(part), ["one", "fixed"]],
  ["a copy", (part) => ({ ...part }), { one: 1, fixed: 2 }],
])("a part that is loaded late answers as it would itself: %s", (_, ask, answer) => {
  expect(ask(programWith({ late: true }).require("./part.cjs"))).toEqual(answer);
});
