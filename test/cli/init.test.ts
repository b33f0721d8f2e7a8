import { readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { ignoreLines } from "../../src/app/operations/init.ts";
import { type Ended, freshPlace, holdfast, nowhere } from "./program.ts";

let { project, home } = nowhere;
beforeEach(() => {
  ({ project, home } = freshPlace());
});

const init = (...words: string[]): Ended =>
  holdfast(["init", ...words], { cwd: project, env: { HOLDFAST_HOME: home } });
const read = (name: string): string => readFileSync(join(project, name), "utf8");

describe("holdfast init", () => {
  test("S7.5 makes holdfast.yaml, valid as it is and with every setting switched on", () => {
    for (const lang of ["en", "ko"]) {
      rmSync(join(project, "holdfast.yaml"), { force: true });
      expect(init("--lang", lang)).toMatchObject({ code: 0, err: "" });
      // It names commands that are run: nobody else may write it.
      expect(statSync(join(project, "holdfast.yaml")).mode & 0o022).toBe(0);
      expect(holdfast(["validate"], { cwd: project }).code).toBe(0);
      // A comment of prose has a capital letter, a quote or Korean after the mark.
      const on = read("holdfast.yaml").replaceAll(/^# ((?: {2,})?[a-z_]+:.*)$/gm, "$1");
      const all = on.replaceAll(/^# {3}( *[a-z_]+:.*)$/gm, "  $1");
      writeFileSync(join(project, "holdfast.yaml"), all);
      expect(all).not.toMatch(/^# +[a-z_]+: /m);
      expect(holdfast(["validate"], { cwd: project })).toMatchObject({ code: 0 });
    }
  });

  test("S0.10 it shows the lines for .gitignore, and touches that file only with --gitignore", () => {
    const { out } = init();
    expect(out).toContain("    .develop-workflow/\n");
    expect(readdirSync(project)).toEqual(["holdfast.yaml"]);
    expect(init("--gitignore").out).toContain("Added Holdfast's working files to .gitignore.");
    expect(read(".gitignore")).toBe(["# Holdfast", ...ignoreLines, ""].join("\n"));
  });

  test("run again it changes nothing, and says so", () => {
    init("--gitignore");
    writeFileSync(join(project, "holdfast.yaml"), "version: 1 # mine\n");
    const before = [read("holdfast.yaml"), read(".gitignore")];
    const again = init("--gitignore");
    expect(again.code).toBe(0);
    expect(again.out).toContain("holdfast.yaml is there already and was left as it is.");
    expect(again.out).toContain(".gitignore has all the lines it needs.");
    expect([read("holdfast.yaml"), read(".gitignore")]).toEqual(before);
    expect(readdirSync(project).toSorted()).toEqual([".gitignore", "holdfast.yaml"]);
    const wire = JSON.parse(init("--json").out) as object;
    expect(wire).toMatchObject({
      settings: { made: false },
      gitignore: { lines: [], added: false },
    });
  });

  test("lines that are there in another spelling are not added, and the file's line ends stay", () => {
    writeFileSync(join(project, ".gitignore"), "node_modules\r\n/.develop-workflow");
    init("--gitignore");
    const rest = ignoreLines.filter((line) => line !== ".develop-workflow/");
    expect(read(".gitignore")).toBe(
      ["node_modules", "/.develop-workflow", "", "# Holdfast", ...rest, ""].join("\r\n"),
    );
  });

  test("S5.4 a .gitignore that is a link is refused before anything is made", () => {
    writeFileSync(join(project, "elsewhere"), "");
    symlinkSync("elsewhere", join(project, ".gitignore"));
    expect(init("--gitignore")).toMatchObject({ code: 4 });
    expect(readdirSync(project).toSorted()).toEqual([".gitignore", "elsewhere"]);
  });
});
