import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { importsOfJavaScript } from "./_javascript.ts";
import { lineOfFile, lineOfPackage, usesIn } from "./imports.ts";

const targets = (path: string, text: string): string[] =>
  (usesIn(path, text)?.imports ?? []).map(({ target }) => target);

const hits = (from: string, text: string, to: string): boolean => {
  const uses = usesIn(from, text);
  return uses !== undefined && lineOfFile(from, uses, to) !== undefined;
};

const line = (path: string, text: string, name: string) => {
  const uses = usesIn(path, text);
  return uses && lineOfPackage(uses, name);
};

describe("what a TypeScript or JavaScript file imports (S4.4, GATE-4)", () => {
  test("S4.4 every way to import is seen, over as many lines as it takes", () => {
    const text = `
import "./side.js";
import a from "./a";
import * as b from './b';
import c, {
  d as e, // from "./no"
  "f g" as h,
} from "./c";
import type { T } from "./types";
import { type U } from "./more-types";
export { x } from "./x";
export * from "./star";
export * as ns from "./ns";
export type { V } from "./v";
const y = await import("./dynamic");
const z = require("./required");
import old = require("./old");
type W = import("./in-type").W;
const t = await import(\`./template\`);
`;
    expect(targets("src/m.ts", text)).toEqual(
      "side.js a b c types more-types x star ns v dynamic required old in-type template"
        .split(" ")
        .map((name) => `./${name}`),
    );
  });

  test("S4.4 strings, comments, templates and patterns import nothing", () => {
    const text = `
// import a from "./1";
/* import b from "./2"; */
const c = 'import d from "./3"';
const e = \`import f from "./4" \${g('import("./5")')} import("./6") \${\`\${"./7"}\`}\`;
const h = /import("./8")/.test(i) / require / 2;
const j = { import: "./9", from: "./10" };
import.meta.url;
k.import("./11");
export const l = "./12";
export default "./13";
const m = <p>Don't import "./14"</p>;
`;
    expect(targets("src/m.tsx", text)).toEqual([]);
  });

  test("S4.4 what stands in a template's blank is code", () => {
    expect(targets("m.js", 'const a = `b ${await import("./c")} d`; import "./e";')).toEqual([
      "./c",
      "./e",
    ]);
  });

  test("S4.4 any text is read to its end, whatever is left open in it", () => {
    const pieces = [
      "import ",
      '"./a"',
      "'",
      "`",
      "${",
      "}",
      "/*",
      "*/",
      "//",
      "\n",
      "/",
      "(",
      "from ",
      "\\",
    ];
    assert(
      property(array(constantFrom(...pieces), { maxLength: 40 }), (parts) => {
        expect(Array.isArray(importsOfJavaScript(parts.join("")))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe("what a Python or Java file imports (S4.4, GATE-4)", () => {
  test("S4.4 Python: plain, from, relative, in brackets, on one line, and by a call", () => {
    const text = `
import os, app.db as db
from app.models import (
    User,  # from x import y
    Item as It,
)
from . import near
from ..pkg.mod import thing
if True: import late
x = 1; import after
text = """
import no
"""
raise Error("import no") from error
importlib.import_module("app.dynamic")
from a import \\
    b
`;
    const found = usesIn("app/m.py", text)?.imports.map(({ target, names }) => [target, ...names]);
    expect(found).toEqual([
      ["os"],
      ["app.db"],
      ["app.models", "User", "Item"],
      [".", "near"],
      ["..pkg.mod", "thing"],
      ["late"],
      ["after"],
      ["app.dynamic"],
      ["a", "b"],
    ]);
  });

  test("S4.4 Java: imports, static ones, whole packages and full names in the code", () => {
    const text = `package com.example.web;
// import com.example.no.A;
import com.example.service.AService;
import static com.example.util.Texts.join;
import com.example.model.*;
class A {
  String s = "import com.example.no.B;";
  String t = """
    import com.example.no.C;
    """;
  com.example.db.Row row;
}`;
    expect(targets("A.java", text)).toEqual([
      "com.example.service.AService",
      "com.example.util.Texts.join",
      "com.example.model.*",
      "com.example.db.Row",
    ]);
  });

  test("S4.4 of any other language it is said that it was not looked at", () => {
    expect(usesIn("main.go", 'import "x"')).toBeUndefined();
  });
});

describe("which file an import is of (S4.2b: entities stand for files)", () => {
  // oxfmt-ignore
  test.each([
    ["src/a/b.ts", 'import "../db/repo.js"',        "src/db/repo.ts",   true],
    ["src/a/b.ts", 'import "../db"',                "src/db/index.ts",  true],
    ["src/a/b.ts", 'import "./repo"',               "src/db/repo.ts",   false],
    ["src/a/b.ts", 'import "@/db/repo"',            "src/db/repo.ts",   true],
    ["src/a/b.ts", 'import "src/db/repo"',          "src/db/repo.ts",   true],
    ["src/a/b.ts", 'import "repo"',                 "src/db/repo.ts",   false],
    ["src/a/b.ts", 'import "../../../x/db/repo"',   "src/db/repo.ts",   false],
    ["app/web/v.py", "from ..db import repo",       "app/db/repo.py",   true],
    ["app/web/v.py", "from app.db.repo import get", "app/db/repo.py",   true],
    ["app/web/v.py", "import app.db.repo",          "src/app/db/repo.py", true],
    ["app/web/v.py", "from app import db",          "app/db/__init__.py", true],
    ["app/web/v.py", "import repo",                 "app/db/repo.py",   false],
    ["app/web/v.py", "import helper",               "app/web/helper.py", true],
    ["src/main/java/c/web/A.java", "import c.db.Repo;",        "src/main/java/c/db/Repo.java",  true],
    ["src/main/java/c/web/A.java", "import c.db.*; Repo r;",   "src/main/java/c/db/Repo.java",  true],
    ["src/main/java/c/web/A.java", "import c.db.*; Other r;",  "src/main/java/c/db/Repo.java",  false],
    ["src/main/java/c/web/A.java", "import static c.db.Repo.of;", "src/main/java/c/db/Repo.java", true],
    ["src/main/java/c/web/A.java", "class A { B b; }",         "src/main/java/c/web/B.java",    true],
    ["src/main/java/c/web/A.java", "import c.db.RepoTwo;",     "src/main/java/c/db/Repo.java",  false],
  ])("S4.4 %s: %s → %s is %s", (from, text, to, expected) => {
    expect(hits(from, text, to)).toBe(expected);
  });

  test("S4.4 what is no file of the design is a package by its name", () => {
    expect(line("a.ts", '\nimport x from "pg/lib"', "pg")).toBe(2);
    expect(line("a.ts", 'import x from "pgx"', "pg")).toBeUndefined();
    expect(line("a.py", "from django.db import models", "django")).toBe(1);
    expect(line("A.java", "import java.sql.Connection;", "java.sql")).toBe(1);
  });
});
