import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  cpSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { dist, freshPlace, holdfast, nowhere, seeded, seeds } from "./program.ts";

interface Report {
  valid: boolean;
  files: {
    path: string;
    format: string | null;
    status: string;
    findings: {
      level: string;
      pointer: string;
      message: string;
      line?: number;
      expected?: string;
      got?: string;
      code?: string;
    }[];
  }[];
}

const report = (words: readonly string[], cwd?: string): Report =>
  JSON.parse(holdfast(["validate", "--json", ...words], cwd ? { cwd } : {}).out) as Report;

/** Names, bytes and times of all files below a folder. */
function fingerprint(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map(
      (path) =>
        `${path} ${statSync(path).mtimeMs} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`,
    )
    .toSorted();
}

let { project } = nowhere;
beforeEach(() => {
  ({ project } = freshPlace());
});

/** Those of the built files that have this word in them. */
function holding(word: string, among: readonly (string | undefined)[]) {
  return among.filter((name = "") => readFileSync(join(dist, name), "utf8").includes(word));
}

describe("holdfast validate", () => {
  test("S6.1 the 17 whole-document examples of the sources pass, and nothing is written", () => {
    const before = fingerprint(seeds);
    const full = report([join(seeds, "full")]);
    const initial = report([join(seeds, "initial")]);
    expect(full.files.length + initial.files.length).toBe(17);
    expect([...full.files, ...initial.files].filter(({ status }) => status !== "valid")).toEqual(
      [],
    );
    expect(new Set([...full.files, ...initial.files].map(({ format }) => format)).size).toBe(15);
    expect(fingerprint(seeds)).toEqual(before);
  });

  test("S3.1 the sources' example of a plan that has just begun passes, too", () => {
    const { valid, files } = report([join(seeds, "new")]);
    expect([valid, files.map(({ format }) => format)]).toEqual([true, ["task-state"]]);
  });

  test("S2.2 a task in two lists exits 0 with a notice", () => {
    const ended = holdfast(["validate", join(seeds, "full/.claude/orchestrate-state.json")]);
    expect(ended.code).toBe(0);
    expect(ended.out).toContain(
      "notice 16:21 /tasks/in_progress/0: T1.3 stands in “ready” and again in “in_progress”",
    );
  });

  test("S5.5 a wrong field is named with file, line, pointer, expected and got; exit 2", () => {
    seeded(project);
    const file = join(project, ".claude/orchestrate-state.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"ultra-thin"', '"ultrathin"'));
    const ended = holdfast(["validate"], { cwd: project });
    expect(ended.code).toBe(2);
    expect(ended.out).toContain(
      'error 3:11 /mode: expected one of normal | ultra-thin | ralph, got a text "ultrathin"',
    );
    const [finding] = report([file]).files[0]?.findings ?? [];
    expect(finding).toMatchObject({
      level: "error",
      pointer: "/mode",
      line: 3,
      expected: "one of normal | ultra-thin | ralph",
      got: 'a text "ultrathin"',
    });
  });

  test("S7.2 a missing file exits 3, a folder without documents too, and each says what to do", () => {
    const missing = holdfast(["validate", "no-such/session.json"]);
    expect(missing.code).toBe(3);
    expect(missing.out).toContain("There is no file");
    const unknown = holdfast(["validate", "missing.md"], { cwd: project });
    expect(unknown).toMatchObject({ code: 3, out: expect.stringContaining("There is no file") });
    expect(unknown.out).not.toContain("--format");
    const empty = holdfast(["validate"], { cwd: project });
    expect(empty.code).toBe(3);
    expect(empty.err).toContain("--cwd");
  });

  test("a path of no known format asks for --format, and --format reads it", () => {
    cpSync(join(seeds, "full/.develop-workflow/state.yaml"), join(project, "draft.yaml"));
    const unknown = holdfast(["validate", "draft.yaml"], { cwd: project });
    expect(unknown.code).toBe(2);
    expect(unknown.out).toContain("--format");
    expect(
      holdfast(["validate", "--format", "develop-state", "draft.yaml"], { cwd: project }).code,
    ).toBe(0);
    const wrong = holdfast(["validate", "--format", "develop-stat", "draft.yaml"], {
      cwd: project,
    });
    expect(wrong.code).toBe(3);
    expect(wrong.err).toContain("Did you mean “develop-state”?");
  });

  test("S2.4 TASKS.md is checked too: line, code and id", () => {
    writeFileSync(
      join(project, "TASKS.md"),
      "# Plan\n\n- [ ] T1.1: One\n  - depends: T1.2\n- [ ] T1.2: Two\n  - depends: T1.1, T9.9\n",
    );
    const ended = holdfast(["validate"], { cwd: project });
    expect(ended.code).toBe(2);
    expect(ended.out).toContain("CIRCULAR_DEP");
    expect(ended.out).toMatch(/6:\d+ MISSING_DEP/);
    expect(ended.out).toContain("T9.9");
  });

  test("S5.4 links, pipes and folders are refused, never followed and never waited for", () => {
    mkdirSync(join(project, ".claude"));
    symlinkSync(
      join(seeds, "full/.claude/orchestrate-state.json"),
      join(project, ".claude/orchestrate-state.json"),
    );
    const pipe = join(project, "session.json");
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    const ended = holdfast(["validate", ".claude/orchestrate-state.json", "session.json"], {
      cwd: project,
    });
    expect(ended.code).toBe(2);
    expect(ended.out.match(/not a regular file/g)).toHaveLength(2);
  });

  test("S5.4 a file of 100 MB is refused by its size, unread", () => {
    const file = join(project, "state.json");
    const handle = openSync(file, "w");
    ftruncateSync(handle, 100 * 1024 * 1024);
    closeSync(handle);
    const ended = holdfast(["validate", file]);
    expect(ended.code).toBe(2);
    expect(ended.out).toContain("104857600 bytes are more than");
  });

  test("words of a file can not steer the terminal", () => {
    const file = join(project, "state.yaml");
    writeFileSync(file, 'phase: "\\u001b]0;owned\\u0007\\u001b[2J"\n');
    const ended = holdfast(["validate", file]);
    expect(ended.code).toBe(2);
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about
    expect(ended.out).not.toMatch(/[\u001b\u0007]/);
  });

  test("S7.4 Korean follows the locale or --lang; JSON does not change with it", () => {
    const words = ["validate", join(seeds, "full/.claude/orchestrate-state.json")];
    expect(holdfast(words, { locale: "ko_KR.UTF-8" }).out).toContain("알림 16:21");
    expect(holdfast([...words, "--lang", "ko"]).out).toContain("알림 16:21");
    expect(holdfast([...words, "--json"], { locale: "ko_KR.UTF-8" }).out).toBe(
      holdfast([...words, "--json"]).out,
    );
  });

  test("a JSON document is checked without loading YAML, and nothing that is built loads zod", () => {
    const env = { NODE_V8_COVERAGE: project };
    expect(
      holdfast(["validate", join(seeds, "full/.claude/orchestrate-state.json")], { env }).code,
    ).toBe(0);
    const coverage = readdirSync(project)
      .map((name) => readFileSync(join(project, name), "utf8"))
      .join("");
    const loaded = [...coverage.matchAll(/"url":"file:[^"]*\/dist\/([^"]+)"/g)].map(
      (match) => match[1],
    );
    const built = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.c?js$/.test(name),
    );
    expect(holding("parseJson", loaded)).not.toEqual([]);
    expect(holding("YAMLParseError", built)).not.toEqual([]);
    expect(holding("YAMLParseError", loaded)).toEqual([]);
    // The library of MCP brings its own, in a part that only the door for it loads.
    const mcp = holding("McpServer", built);
    expect(holding("ZodType", built).filter((name) => !mcp.includes(name))).toEqual([]);
    expect(holding("ZodType", loaded)).toEqual([]);
  });
});
