import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { operations } from "../../src/app/operations.ts";
import { dist, holdfast, root } from "./program.ts";

describe("the program", () => {
  test("S7.2 an unknown word gets the closest command, in both languages, and exits 2", () => {
    const english = holdfast(["vlidate"]);
    expect(english).toEqual({
      code: 2,
      out: "",
      err: "✗ There is no command “vlidate”.\n  Did you mean “holdfast validate”?\n",
    });
    const korean = holdfast(["vlidate", "--lang", "ko"]);
    expect(korean).toEqual({
      code: 2,
      out: "",
      err: "✗ “vlidate” 명령은 없습니다.\n  혹시 “holdfast validate”인가요?\n",
    });
  });

  test("S7.2 one word that is close to a subcommand begins no plan and no request", () => {
    const cases = [
      ["plan", "pasue", "pause"],
      ["request", "stauts", "status"],
    ] as const;
    for (const [command, word, meant] of cases) {
      const english = holdfast([command, word]);
      expect(english).toMatchObject({ code: 2, out: "" });
      expect(english.err).toContain(`“${word}” is no subcommand of holdfast ${command}`);
      expect(english.err).toContain(`Did you mean “holdfast ${command} ${meant}”?`);
      const korean = holdfast([command, word, "--lang", "ko"]).err;
      expect(korean).toContain(`혹시 “holdfast ${command} ${meant}”인가요?`);
    }
  });

  test("S7.2 an unknown option, a missing value and a word too many are each told with a hint", () => {
    expect(holdfast(["validate", "--formt", "x"]).err).toContain("Did you mean “--format”?");
    expect(holdfast(["validate", "--format"])).toMatchObject({ code: 2 });
    expect(holdfast(["schema", "explored", "twice"])).toMatchObject({ code: 2 });
    expect(holdfast(["schema", "--lang", "fr"]).err).toContain("choose one of en, ko");
  });

  test("S7.2 with --json an error is JSON too: code, message, hint", () => {
    const ended = holdfast(["schema", "knowledg", "--json"], { locale: "ko_KR.UTF-8" });
    expect(ended.code).toBe(3);
    expect(JSON.parse(ended.out)).toEqual({
      error: {
        code: "not_found",
        message: "There is no format “knowledg”.",
        hint: "Did you mean “knowledge”?",
      },
    });
  });

  test("S7.2 every command has a help with an example, in both languages, without an open blank", () => {
    for (const lang of ["en", "ko"]) {
      const main = holdfast(["--help", "--lang", lang]).out;
      const names = [...main.matchAll(/^ {2}([a-z][a-z-]*) {2,}\S/gm)].map(
        (match) => match[1] ?? "",
      );
      expect(names).toEqual([
        "init",
        "status",
        "why",
        "units",
        "documents",
        "log",
        "recall",
        "metrics",
        "machines",
        "settings",
        "notify",
        "doctor",
        "agents",
        "validate",
        "schema",
        "next",
        "report",
        "orchestrate",
        "develop",
        "plan",
        "memory",
        "request",
        "contracts",
        "serve",
        "mcp",
        "hook",
      ]);
      for (const name of names) {
        const help = holdfast([name, "--help", "--lang", lang]).out;
        expect(help).toContain(`\n  holdfast ${name}`);
        expect(help).toMatch(/--json .*\n.*--cwd .*\n.*--lang .*\n.*--help/);
        expect(help).not.toMatch(/\{\w+\}/);
        expect(holdfast(["help", name, "--lang", lang]).out).toBe(help);
      }
    }
  });

  test("S7.2 a group has a help of its own, with each of its commands", () => {
    const words = Object.keys(operations).flatMap((name) => name.split("task ")[1] ?? []);
    expect(words.length).toBeGreaterThan(20);
    for (const lang of ["en", "ko"]) {
      const help = holdfast(["task", "--help", "--lang", lang]).out;
      const listed = [...help.matchAll(/^ {2}([a-z][a-z-]*) {2,}\S/gm)].map((match) => match[1]);
      expect(listed).toEqual(words);
      expect(holdfast(["help", "task", "--lang", lang]).out).toBe(help);
      expect(holdfast(["--help", "--lang", lang]).out).toMatch(/^ {2}task … /m);
    }
  });

  test("without words it shows its help; --version is that of the package", () => {
    expect(holdfast([]).out).toBe(holdfast(["--help"]).out);
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    expect(holdfast(["--version"]).out).toBe(`${version}\n`);
  });

  test("S5.5 each published schema is printed as it lies in the package, and an editor's validator takes it", () => {
    const names = readdirSync(join(dist, "schemas")).map((name) => name.replace(/\.json$/, ""));
    expect(names).toHaveLength(17);
    for (const name of names) {
      const printed = holdfast(["schema", name]).out;
      expect(printed).toBe(readFileSync(join(dist, "schemas", `${name}.json`), "utf8"));
      expect(() =>
        new Ajv({ strict: true, allowUnionTypes: true }).compile(JSON.parse(printed) as object),
      ).not.toThrow();
    }
  });

  test("a reader that goes away early is no error", () => {
    const piped = spawnSync(
      "bash",
      [
        "-c",
        `set -o pipefail; "${process.execPath}" "${join(dist, "cli.cjs")}" schema task-state | head -n 1`,
      ],
      { encoding: "utf8" },
    );
    expect(piped.stdout).toBe("{\n");
    expect(piped.stderr).toBe("");
  });
});
