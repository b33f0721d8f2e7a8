// The plugin's files, as an agent's program reads them.
import {
  accessSync,
  constants,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { hookEvents } from "../../src/app/hooks.ts";
import { freshPlace, holdfast, nowhere, root, seeded } from "../cli/program.ts";

const plugin = join(root, "plugin");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const json = (path: string) => JSON.parse(read(path)) as never;

/** Of Claude Code 2.1.197, the oldest that Node 20 gets: one event it does not know ends all hooks. */
const knownTo197 =
  "PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged MessageDisplay".split(
    " ",
  );

interface Hooks {
  readonly hooks: Readonly<
    Record<
      string,
      { matcher?: string; hooks: { type: string; command: string; timeout: number }[] }[]
    >
  >;
}

const skills = ["auto-orchestrate", "develop", "holdfast", "plan", "request"];

describe("the plugin", () => {
  test("S6.4 its manifest, marketplace and MCP server name it, at the package's own version", () => {
    const { version } = json("package.json") as { version: string };
    expect(json("plugin/.claude-plugin/plugin.json")).toMatchObject({ name: "holdfast", version });
    expect(json(".claude-plugin/marketplace.json")).toMatchObject({
      name: "holdfast",
      plugins: [{ name: "holdfast", source: "./plugin", version }],
    });
    expect(json("plugin/.mcp.json")).toEqual({
      mcpServers: { holdfast: { command: "holdfast", args: ["mcp"] } },
    });
    const { files } = json("package.json") as { files: string[] };
    expect(files).toEqual(expect.arrayContaining(["plugin", ".claude-plugin"]));
    expect(read("plugin/LICENSE")).toBe(read("LICENSE"));
  });

  test("S6.4 every hook is one that 2.1.197 knows, and one that `holdfast hook` answers", () => {
    const { hooks } = json("plugin/hooks/hooks.json") as Hooks;
    expect(Object.keys(hooks).toSorted()).toEqual([...hookEvents].toSorted());
    for (const [event, entries] of Object.entries(hooks)) {
      expect(knownTo197).toContain(event);
      for (const { hooks: all } of entries)
        for (const { type, command, timeout } of all) {
          expect(type).toBe("command");
          expect(command).toBe(`sh "\${CLAUDE_PLUGIN_ROOT}/hooks/holdfast.sh" ${event}`);
          expect(timeout).toBeLessThanOrEqual(30);
        }
    }
    expect(hooks["SessionStart"]?.[0]?.matcher).toBe("startup|resume|clear|compact");
    accessSync(join(plugin, "hooks/holdfast.sh"), constants.R_OK);
  });

  test("S6.4 each skill says in English and Korean when it is for, and loops over next and report", () => {
    expect(readdirSync(join(plugin, "skills")).toSorted()).toEqual(skills);
    for (const name of skills) {
      const text = read(`plugin/skills/${name}/SKILL.md`);
      const [, front = "", body = ""] = /^---\n([^]+?)\n---\n([^]+)$/.exec(text) ?? [];
      const fields = Object.fromEntries(
        front.split("\n").map((line) => [line.split(":")[0], line.slice(line.indexOf(":") + 2)]),
      );
      expect(fields["name"]).toBe(name);
      expect(fields["description"]).toMatch(/Use when .*[가-힣]/);
      expect(fields["description"]?.length).toBeLessThan(1_024);
      expect(body).toContain("$ARGUMENTS");
      // Thin: what is long belongs into the program.
      expect(text.split("\n").length).toBeLessThan(60);
      if (name === "holdfast") continue;
      const workflow = name === "auto-orchestrate" ? "orchestrate" : name;
      expect(body).toContain(`holdfast next ${workflow}`);
      expect(body).toContain(`holdfast report ${workflow} DONE:`);
      for (const line of ["READY:", "WAIT", "ALL_DONE", "ERROR:"]) expect(body).toContain(line);
    }
  });

  test("S7.2 every command that the general skill names exists", () => {
    const named = [
      ...read("plugin/skills/holdfast/SKILL.md").matchAll(/`holdfast ((?:task )?[a-z]+)/g),
    ];
    expect(named.length).toBeGreaterThan(5);
    for (const [, words = ""] of named)
      expect(holdfast([...words.split(" "), "--help"]).code).toBe(0);
  });
});

describe("holdfast init and the plugin", () => {
  let { folder, project, home } = nowhere;
  beforeEach(() => {
    ({ folder, project, home } = freshPlace());
    symlinkSync(process.execPath, join(folder, "node"));
  });
  // Node, and no Claude Code.
  const init = (...words: string[]) =>
    holdfast(["init", ...words], { cwd: project, env: { HOLDFAST_HOME: home, PATH: folder } });
  const settings = (): string => readFileSync(join(project, ".claude/settings.json"), "utf8");

  test("S6.4 it prints the two commands, and runs nothing unless it is asked to", () => {
    const { code, out } = init();
    expect(code).toBe(0);
    expect(out).toContain(`    claude plugin marketplace add ${root}\n`);
    expect(out).toContain("    claude plugin install holdfast@holdfast\n");
    const without = init("--plugin");
    expect(without).toMatchObject({ code: 0, err: "" });
    expect(without.out).toContain("Claude Code was not found");
  });

  test("S6.4 a status line is set only on request, and never in the place of another", () => {
    init();
    expect(() => settings()).toThrow(/ENOENT/);
    expect(init("--status-line").code).toBe(0);
    const line = { type: "command", command: "holdfast status --line", padding: 0 };
    expect(JSON.parse(settings())).toEqual({ statusLine: line });
    const theirs =
      '{\n\t"model": "opus", "statusLine": { "type": "command", "command": "mine" }\n}\n';
    writeFileSync(join(project, ".claude/settings.json"), theirs);
    expect(init("--status-line").out).toContain("left as it is");
    expect(settings()).toBe(theirs);
    writeFileSync(join(project, ".claude/settings.json"), '{\n\t"model": "opus"\n}\n');
    init("--status-line");
    expect(JSON.parse(settings())).toEqual({ model: "opus", statusLine: line });
    expect(settings()).toContain('\n\t"model": "opus"\n}');
    writeFileSync(join(project, ".claude/settings.json"), "{ // mine\n}");
    expect(init("--status-line").out).toContain("left as it is");
    expect(settings()).toBe("{ // mine\n}");
  });

  test("S6.1 status --line says in a line what is under way, and nothing where nothing is", () => {
    const line = () =>
      holdfast(["status", "--line"], { cwd: project, env: { HOLDFAST_HOME: home } });
    expect(line()).toEqual({ code: 0, out: "", err: "" });
    seeded(project);
    expect(line().out).toBe(
      "develop IMPLEMENT cp-2 1/3 1/3 · orchestrate P1 5/45 · plan 0/1 · request R1 T1-S2\n",
    );
  });
});
