// The user's own configuration of git is respected (S1.21d, S2.6): what their git says is clean is clean,
// what they ignore stays out, what they store is stored as their `git add` would.
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Bench, bench, put } from "../../test/engine/project.ts";
import { refusedFiles } from "./claim.ts";
import { filesAt, takeTree } from "./snapshot.ts";
import { bringUnit, fetchUnit } from "./unit.ts";
import { checkProject, fetchResult } from "./workspace.ts";

let b: Bench;
beforeEach(() => {
  b = bench();
  vi.stubEnv("HOME", b.folder);
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  b.remove();
});

/** As the user runs it: with what they configured for all repositories. */
function theirs(...args: string[]): string {
  const env = {
    PATH: process.env["PATH"],
    HOME: b.folder,
    GIT_CONFIG_NOSYSTEM: "1",
    ...Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((who) => [
        [`GIT_${who}_NAME`, "Person"],
        [`GIT_${who}_EMAIL`, "person@example.org"],
      ]),
    ),
  };
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: b.root, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}

const everywhere = (text: string): void => put(join(b.folder, ".gitconfig"), text);
const inTree = (path: string): string => readFileSync(join(b.root, path), "latin1");

/** Files as the user's own git stores them, and then has them in their tree. */
function project(files: Readonly<Record<string, string | Uint8Array>>): void {
  mkdirSync(b.root, { recursive: true });
  theirs("init", "-q", "-b", "main");
  for (const [path, content] of Object.entries(files)) put(join(b.root, path), content);
  theirs("add", "-A");
  theirs("commit", "-q", "-m", "begin");
  for (const path of Object.keys(files)) rmSync(join(b.root, path));
  theirs("checkout", "-q", "-f", "HEAD");
}

/** A filter that turns letters round, as one that keeps something else than it shows. */
function filter(name = "rot"): string {
  const file = join(b.folder, `filter-${name}`);
  const seen = join(b.folder, "filter-ran");
  put(file, `#!/bin/sh\n: > '${seen}'\ntr a-z n-za-m\n`, 0o755);
  return `[filter "${name}"]\n\tclean = ${file}\n\tsmudge = ${file}\n\trequired = true\n`;
}
const filterRan = (): boolean => existsSync(join(b.folder, "filter-ran"));
const forgetFilter = (): void => rmSync(join(b.folder, "filter-ran"), { force: true });

describe("S1.21d a tree is clean where the user's own git says so", () => {
  const settled: readonly (readonly [string, () => void])[] = [
    ["core.autocrlf for all", () => (everywhere("[core]\n\tautocrlf = true\n"), project(text))],
    ["core.eol and text=auto", () => (everywhere("[core]\n\teol = crlf\n"), project(auto))],
    [
      "attributes for all",
      () => (put(join(b.folder, ".config/git/attributes"), "*.txt eol=crlf\n"), project(text)),
    ],
    [
      "attributes in a file they name",
      () => (
        put(join(b.folder, "mine"), "*.txt eol=crlf\n"),
        everywhere("[core]\n\tattributesFile = ~/mine\n"),
        project(text)
      ),
    ],
    [
      "another encoding",
      () =>
        project({
          ".gitattributes": "*.txt working-tree-encoding=UTF-16\n",
          "a.txt": Buffer.from("\ufeff가나\n", "utf16le"),
        }),
    ],
    ["a filter for all", () => (everywhere(filter()), project(filtered))],
    [
      "no modes",
      () => (
        project(text),
        theirs("config", "core.fileMode", "false"),
        chmodSync(join(b.root, "a.txt"), 0o755)
      ),
    ],
  ];
  const text = { "a.txt": "one\ntwo\n" };
  const auto = { ...text, ".gitattributes": "* text=auto\n" };
  const filtered = { ".gitattributes": "*.txt filter=rot\n", ...text };

  test.each(settled)("%s", async (_, make) => {
    make();
    forgetFilter();
    expect(await checkProject(b.root, { startsEmpty: false })).toMatchObject({ ok: true });
    expect(filterRan()).toBe(false);
    expect(theirs("status", "--porcelain")).toBe("");
    // A change of theirs is one for us.
    appendFileSync(join(b.root, "a.txt"), "three\n");
    utimesSync(join(b.root, "a.txt"), 1, 1);
    forgetFilter();
    expect(await checkProject(b.root, { startsEmpty: false })).toMatchObject({
      ok: false,
      reason: "dirty",
    });
    expect(filterRan()).toBe(false);
    expect(theirs("status", "--porcelain")).not.toBe("");
  });

  test("a filter, also after a git without it has written the index", async () => {
    everywhere(filter());
    project({ ...filtered, b: "b\n" });
    theirs("checkout", "-q", "-b", "side");
    put(join(b.root, "b"), "other\n");
    theirs("commit", "-q", "-a", "-m", "side");
    theirs("checkout", "-q", "main");
    // As a merge of ours does; `b.git` reads nothing of what is configured for all.
    b.git(["merge", "-q", "--ff-only", "side"]);
    expect(await checkProject(b.root, { startsEmpty: false })).toMatchObject({ ok: true });
    expect(theirs("status", "--porcelain")).toBe("");
  });

  test("the project's own setting wins over that for all", async () => {
    everywhere("[core]\n\tautocrlf = true\n");
    project(text);
    theirs("config", "core.autocrlf", "false");
    // Their git, asked anew, finds CRLF where LF is stored.
    utimesSync(join(b.root, "a.txt"), 1, 1);
    expect(inTree("a.txt")).toBe("one\r\ntwo\r\n");
    expect(theirs("status", "--porcelain")).toBe(" M a.txt\n");
    expect(await checkProject(b.root, { startsEmpty: false })).toMatchObject({ ok: false });
  });
});

const take = () => takeTree({ trees: b.places.trees, seq: 1, at: 0 });
const clone = (path: string): string => join(b.places.workspace, path);

describe("S2.6 what the user ignores stays out", () => {
  test("everywhere by the usual file, and in this repository by info/exclude", async () => {
    project({ "a.txt": "a\n" });
    put(join(b.folder, ".config/git/ignore"), "*.swp\n.idea/");
    appendFileSync(join(b.root, ".git/info/exclude"), "/local\r\n!kept.swp\n");
    await b.workspace();
    for (const path of ["b.swp", ".idea/x", "local", "kept.swp", "new.txt"]) put(clone(path), "x");
    const taken = await take();
    expect(await filesAt(b.places.trees, taken.commit)).toEqual(["a.txt", "kept.swp", "new.txt"]);
    expect(taken.leftOut).toEqual([]);
  });

  test("by a file they name", async () => {
    everywhere("[core]\n\texcludesFile = ~/mine\n");
    put(join(b.folder, "mine"), "*.swp\n");
    project({ "a.txt": "a\n" });
    await b.workspace();
    put(clone("b.swp"), "x");
    expect(await filesAt(b.places.trees, (await take()).commit)).toEqual(["a.txt"]);
  });
});

/** What is stored of the unit's work, and what their own `git add` would have stored. */
async function stored(files: Readonly<Record<string, string | Uint8Array>>) {
  const { base } = await b.workspace();
  for (const [path, content] of Object.entries(files)) put(clone(path), content);
  const snapshot = await take();
  const unit = { key: "T1-1", snapshot, base: base ?? "", subject: "unit", at: 0 };
  const repository = { root: b.root, run: "task_1" };
  await bringUnit(b.places, repository, unit);
  const made = await fetchUnit(repository, "T1-1", base ?? "");
  const result = { snapshot, base, message: "x", at: 0 };
  const fetched = await fetchResult(b.places, b.root, result);
  for (const [path, content] of Object.entries(files)) put(join(b.root, path), content);
  theirs("add", "-A");
  const tree = (name: string): string => theirs("rev-parse", `${name}^{tree}`).trim();
  return {
    unit: tree(made?.commit ?? ""),
    result: fetched.ok ? tree(fetched.commit) : "",
    theirs: theirs("write-tree").trim(),
  };
}

const samples: Readonly<Record<string, string | Uint8Array>> = {
  "dos.txt": "a\r\nb\r\n",
  "unix.txt": "a\nb\n",
  "mixed.txt": "a\r\nb\n",
  "old mac.txt": "a\rb\r\n",
  "binary.bin": Buffer.from([0, 13, 10, 1, 2, 3]),
  "odd.bin": Buffer.from([1, 2, 3, 13, 10, 26]),
  '한글 \n"q" 이름.txt': "가\r\n",
  "sub/x.c": "/* $Id: by hand $ */\r\n",
  "as-is.bat": "a\r\n",
};

describe("S2.6 what a unit made is stored as the user's own git would", () => {
  test.each([
    ["autocrlf", "[core]\n\tautocrlf = true\n", {}],
    ["autocrlf = input", "[core]\n\tautocrlf = input\n", {}],
    ["nothing configured", "", {}],
    ["text=auto", "", { ".gitattributes": "* text=auto\n*.bat -text\n*.c ident\n" }],
    ["eol", "", { ".gitattributes": "*.txt eol=crlf\n*.bin text\n*.c crlf\n" }],
    ["both", "[core]\n\tautocrlf = true\n", { "sub/.gitattributes": "* -text\n*.c ident\n" }],
  ])("%s", async (_, settings, files: Record<string, string>) => {
    project({ "a.txt": "a\n", ...files });
    everywhere(settings);
    const found = await stored(samples);
    expect(found).toEqual({ unit: found.theirs, result: found.theirs, theirs: found.theirs });
  });

  test("a file that was stored with CRLF keeps it", async () => {
    project({ "old.txt": "a\r\n", "a.txt": "a\n" });
    everywhere("[core]\n\tautocrlf = true\n");
    const found = await stored({ "old.txt": "a\r\nb\r\n", "a.txt": "a\r\nb\r\n" });
    expect(found).toEqual({ unit: found.theirs, result: found.theirs, theirs: found.theirs });
    expect(theirs("show", "refs/holdfast/task_1/unit/T1-1:old.txt")).toBe("a\r\nb\r\n");
    expect(theirs("show", "refs/holdfast/task_1/unit/T1-1:a.txt")).toBe("a\nb\n");
  });

  test("what was only given back with other line ends is no change", async () => {
    project({ ".gitattributes": "* text=auto\n", "a.txt": "a\n" });
    const found = await stored({ "a.txt": "a\r\n" });
    expect(found.unit).toBe(theirs("rev-parse", "HEAD^{tree}").trim());
  });
});

const refused = async () => refusedFiles(b.places.trees, b.root, await take());
const utf16 = (words: string): Buffer => Buffer.from(`\ufeff${words}`, "utf16le");

describe("S2.6 what can not be stored so is refused by name", () => {
  test("a file of a filter, if the unit changed or added it", async () => {
    everywhere(filter());
    project({ ".gitattributes": "*.dat filter=rot\n", "a.dat": "one\n", "b.dat": "two\n" });
    expect(inTree("a.dat")).toBe("one\n");
    await b.workspace();
    // A clone holds what is stored.
    expect(readFileSync(clone("a.dat"), "utf8")).toBe("bar\n");
    put(clone("x.txt"), "x\n");
    forgetFilter();
    expect(await refused()).toEqual([]);
    rmSync(clone("b.dat"));
    put(clone("a.dat"), "other\n");
    put(clone("한글 새.dat"), "new\n");
    const taken = await takeTree({ trees: b.places.trees, seq: 2, at: 0 });
    expect(await refusedFiles(b.places.trees, b.root, taken)).toEqual([
      { path: "a.dat", why: "filter" },
      { path: "한글 새.dat", why: "filter" },
    ]);
    expect(filterRan()).toBe(false);
    // As the files of a task that began from nothing: there is no project to hand them to.
    expect(await refusedFiles(b.places.trees, null, taken)).toEqual([]);
  });

  test("text in the encoding of the user's tree, where UTF-8 is stored", async () => {
    project({ ".gitattributes": "*.txt working-tree-encoding=UTF-16\n", "a.txt": utf16("하나\n") });
    await b.workspace();
    expect(readFileSync(clone("a.txt"), "utf8")).toBe("하나\n");
    put(clone("a.txt"), "둘\n");
    put(clone("b.txt"), utf16("셋\n"));
    put(clone("c.txt"), Buffer.from("four", "utf16le"));
    expect(await refused()).toEqual([
      { path: "b.txt", why: "encoding" },
      { path: "c.txt", why: "encoding" },
    ]);
  });
});
