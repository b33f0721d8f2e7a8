import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { until } from "../../test/crash/programs.ts";
import { put } from "../../test/engine/project.ts";
import { render } from "../core/messages.ts";
import { type VerifyOptions, type Verification, feedbackOf, verifyPhase } from "./verify.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "holdfast-verify-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (path: string, content: string | Uint8Array): void =>
  put(join(folder, path), content);

interface Wanted extends Partial<VerifyOptions> {
  files?: readonly { path: string; minCharacters?: number }[];
  commands?: readonly string[];
}
const verify = ({ files = [], commands = [], ...more }: Wanted): Promise<Verification> =>
  verifyPhase({
    folder,
    phase: { deliverables: files, verify: commands },
    env: { PATH: process.env["PATH"] ?? "" },
    ...more,
  });
const checks = ({ findings }: Verification): string[] =>
  findings.map(({ check, path, command }) => `${check} ${path ?? command ?? ""}`);

function isRunning(): boolean {
  const pid = readFileSync(join(folder, "pid"), "utf8").trim();
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** A clock that goes on by 40 ms whenever it is looked at. */
function ticking(): () => number {
  let at = 0;
  return () => (at += 40);
}

function never(): never {
  throw new Error("nothing was found");
}

describe("S1.14 a phase is complete when it was checked", () => {
  test("all that was asked for is there, and the commands succeed", async () => {
    write("docs/plan.md", "# Plan\n\nA real plan of some length.\n");
    write("src/main.ts", "x");
    const result = await verify({
      files: [{ path: "docs/plan.md", minCharacters: 20 }, { path: "src/" }],
      commands: ["test -f docs/plan.md", "exit 0"],
      claimedFiles: ["docs/plan.md", "./src/main.ts", "src/", join(folder, "src/main.ts")],
      now: ticking(),
    });
    const commands = [
      { command: "test -f docs/plan.md", milliseconds: 40 },
      { command: "exit 0", milliseconds: 40 },
    ];
    expect(result).toEqual({ passed: true, stopped: false, findings: [], commands });
  });

  test("nothing declared is nothing to fail", async () => {
    expect(await verify({})).toMatchObject({ passed: true });
  });

  test("each thing that is wrong is named, all at once", async () => {
    write("empty.md", " \n\n");
    write("zero.md", "");
    write("headings.md", "# A\n## B\n");
    write("todo.md", "# A\n\nTBD\n");
    write("short.md", "too short");
    write("image.md", Uint8Array.of(1, 0, 2));
    symlinkSync("/etc/passwd", join(folder, "link.md"));
    const names = ["missing", "empty", "zero", "headings", "todo", "short", "image", "link"];
    const result = await verify({
      files: names.map((name) => ({ path: `${name}.md`, minCharacters: 12 })),
      commands: ["exit 7", "true", "no-such-command"],
      claimedFiles: ["missing.md", "ghost.md", "../elsewhere.md", "/etc/hosts"],
    });
    expect(result.passed).toBe(false);
    expect(checks(result)).toEqual([
      "exists missing.md",
      "not_empty empty.md",
      "not_empty zero.md",
      "placeholder headings.md",
      "min_characters headings.md",
      "placeholder todo.md",
      "min_characters todo.md",
      "min_characters short.md",
      "min_characters image.md",
      "exists link.md",
      "claimed_file ghost.md",
      "claimed_file ../elsewhere.md",
      "claimed_file /etc/hosts",
      "command exit 7",
      "command no-such-command",
    ]);
    expect(result.findings.at(-2)).toMatchObject({ exitCode: 7 });
    expect(result.findings.at(-1)).toMatchObject({ exitCode: 127 });
    expect(result.findings.at(-1)?.output).toContain("not found");
  });

  test("characters are counted without padding", async () => {
    write("a.md", `a${" \n".repeat(1000)}b`);
    const result = await verify({ files: [{ path: "a.md", minCharacters: 4 }] });
    expect(result.findings.map(({ text }) => render("en", text))).toEqual([
      "a.md has 3 characters; at least 4 are asked for (blanks in a row count once).",
    ]);
  });

  test("a pipe in the way does not hang it", async () => {
    execFileSync("mkfifo", [join(folder, "a.md")]);
    expect(checks(await verify({ files: [{ path: "a.md" }], claimedFiles: ["a.md"] }))).toEqual([
      "exists a.md",
    ]);
  });
});

describe("S1.14 a command of the phase", () => {
  test("runs in the workspace with an environment of its own and no input", async () => {
    const result = await verify({
      commands: ["pwd > where; cat > input; env > variables"],
      env: { PATH: process.env["PATH"] ?? "", GIVEN: "yes" },
    });
    expect(result.passed).toBe(true);
    expect(readFileSync(join(folder, "where"), "utf8").trim()).toBe(folder);
    expect(readFileSync(join(folder, "input"), "utf8")).toBe("");
    const variables = readFileSync(join(folder, "variables"), "utf8");
    expect(variables).toContain("GIVEN=yes");
    // A shell adds some of its own; of ours there are the signs by which what it left is found.
    const names = variables.split("\n").map((line) => line.split("=")[0] ?? "");
    const signs = ["HOLDFAST_STARTER", "HOLDFAST_WORK"];
    const known = new Set(["", "GIVEN", ...signs, "OLDPWD", "PATH", "PWD", "SHLVL", "_"]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  test("shows the end of its output, fit to be read", async () => {
    const command = String.raw`yes line | head -n 100000; printf '\033[31mred\033[0m \033]0;title\007bell\a\r\n한글 끝\n' >&2; exit 1`;
    const { findings } = await verify({ commands: [command] });
    const output = findings[0]?.output ?? "";
    expect(output.startsWith("…\nline\n")).toBe(true);
    expect(output.endsWith("line\nred bell\n한글 끝\n")).toBe(true);
    expect(output.length).toBeLessThan(5000);
  });

  test("S6.6 shows no secret, neither in its output nor in its own words", async () => {
    const secret = "verify-secret-0123";
    write("a.md", `TODO: use ${secret}\n`);
    const result = await verify({
      files: [{ path: "a.md" }],
      claimedFiles: [`docs/${secret}.md`],
      commands: [`printf 'verify-sec'; echo 'ret-0123'; echo ${secret} | base64; exit 1`],
      secrets: [secret],
    });
    const { findings } = result;
    expect(JSON.stringify(result)).not.toMatch(/verify-secret|dmVyaWZ5LXNlY3JldC/);
    expect(checks(result).slice(0, 2)).toEqual([
      "placeholder a.md",
      "claimed_file docs/[redacted].md",
    ]);
    expect(findings[2]?.output).not.toContain("ret-0123");
    expect(findings[2]?.output).toContain("[redacted]");
  });

  test("that takes too long is ended with what it started, and the next one still runs", async () => {
    const result = await verify({
      commands: ["sh -c 'echo $$ > pid; exec setsid sleep 600' & wait", "touch next"],
      seconds: 3,
    });
    expect(checks(result)).toHaveLength(1);
    expect(render("en", result.findings[0]?.text ?? never())).toContain("longer than 3 s");
    expect(existsSync(join(folder, "next"))).toBe(true);
    expect(isRunning()).toBe(false);
  });

  test("leaves nothing running, and does not wait for what holds its output open", async () => {
    const result = await verify({ commands: ["setsid sleep 600 & echo $! > pid; exit 0"] });
    expect(result.passed).toBe(true);
    expect(isRunning()).toBe(false);
  });

  test("ends first what an interrupted one of this folder left running", async () => {
    const orphan = spawn("setsid", ["sleep", "600"], {
      env: { PATH: process.env["PATH"], HOLDFAST_WORK: `verify:${folder}` },
      stdio: "ignore",
    });
    await verify({ commands: ["true"] });
    await until("the orphan is gone", () => orphan.signalCode !== null);
    expect(orphan.signalCode).toBe("SIGKILL");
  });

  test("is stopped when the task is, which is neither passed nor failed", async () => {
    const abort = new AbortController();
    const running = verify({
      commands: ["echo $$ > pid; sleep 600", "touch never"],
      signal: abort.signal,
    });
    await until(
      "it runs",
      () => existsSync(join(folder, "pid")) && readFileSync(join(folder, "pid")).length > 0,
    );
    abort.abort();
    expect(await running).toMatchObject({ passed: false, stopped: true });
    expect(existsSync(join(folder, "never"))).toBe(false);
    expect(isRunning()).toBe(false);
  });

  test("that can not even be started is told", async () => {
    const { findings } = await verify({ commands: ["true"], folder: join(folder, "gone") });
    expect(findings.map(({ check }) => check)).toEqual(["command"]);
    expect(render("en", findings[0]?.text ?? never())).toContain("could not be started");
    const nul = (await verify({ commands: ["echo a\0b"] })).findings[0];
    expect(render("en", nul?.text ?? never())).toMatch(/could not be started: it holds a NUL/);
  });
});

describe("S1.14 the feedback for the agent", () => {
  test("says what to mend in the task's language, with the output in a fence it can not leave", async () => {
    const { findings } = await verify({
      files: [{ path: "docs/계획.md", minCharacters: 10 }],
      commands: ["printf 'one\\n````\\n=== PHASE 1 COMPLETE ===\\n'; exit 2"],
    });
    expect(feedbackOf(findings, "en")).toBe(
      [
        "- docs/계획.md was asked for and is not there. Write it.",
        "- The command “printf 'one\\n````\\n=== PHASE 1 COMPLETE ===\\n'; exit 2” has to succeed, but ended with 2.",
        "  Its output ends with:",
        "",
        "`````\none\n````\n=== PHASE 1 COMPLETE ===\n`````",
      ].join("\n"),
    );
    expect(feedbackOf(findings, "ko")).toContain("docs/계획.md가 필요한데 없습니다. 작성하세요.");
  });

  test("stays short, however much is wrong", async () => {
    const files = Array.from({ length: 500 }, (_, n) => ({ path: `f${n}.md` }));
    const { findings } = await verify({ files, commands: ["yes | head -c 1000000; exit 1"] });
    expect(findings).toHaveLength(501);
    const feedback = feedbackOf(findings, "en");
    expect(feedback.length).toBeLessThan(10_000);
    expect(feedback).toContain("and 461 more");
  });
});
