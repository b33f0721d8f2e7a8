// The plugin in the real Claude Code: it loads, it tells where the work stands before and after a
// compaction, and its gate holds. The model's words are ours, all else is as a user has it.
import { chmodSync, cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { holdfast, root, seeds } from "../cli/program.ts";
import type { ModelRequest } from "./model-api/model-api.ts";
import { type PluginStage, pluginStage } from "./plugin-stage.ts";

const draft = ["task", "create", "--type", "custom", "--agent", "sample"];

for (const { version, path } of inject("claude"))
  describe.skipIf(path === null)(`Claude Code ${version}: the plugin`, () => {
    const program = path ?? "";
    let stage: PluginStage;
    beforeEach(async () => {
      stage = await pluginStage(program);
      cpSync(join(seeds, "full"), stage.project, { recursive: true });
    });
    afterEach(() => stage.close());

    test("S6.4 it is valid by the strictest rule, installs from its marketplace, and init says how", () => {
      const { claude, folder, project, env } = stage;
      for (const place of [join(root, "plugin"), root]) {
        const { status, stdout, stderr } = claude("plugin", "validate", "--strict", place);
        expect({ status, out: stdout + stderr }).toMatchObject({
          status: 0,
          out: expect.stringContaining("Validation passed"),
        });
      }
      const bin = join(folder, "bin", "claude");
      writeFileSync(bin, `#!/bin/sh\nexec ${program} "$@"\n`);
      chmodSync(bin, 0o755);
      const init = holdfast(["init", "--plugin", "--json"], { cwd: project, env });
      expect(JSON.parse(init.out)).toMatchObject({ plugin: { installed: true } });
      expect(claude("plugin", "list").stdout).toContain("holdfast@holdfast");
      // A second time it is there already, and that is no error.
      const again = holdfast(["init", "--plugin", "--json"], { cwd: project, env });
      expect(JSON.parse(again.out)).toMatchObject({ plugin: { installed: true } });
    });

    test("S6.4 a session is told where it was, has the tools, and can not write a state file", async () => {
      const { api, proxy, project, conversation } = stage;
      rmSync(join(project, ".claude/orchestrate-state.json"));
      const file = join(project, ".claude/orchestrate-state.json");
      api.play(({ results }) =>
        results.length === 0
          ? {
              text: "I write it.",
              calls: [{ name: "Write", input: { file_path: file, content: "{}" } }],
            }
          : { text: "It was refused." },
      );
      const lines = await conversation()("Go on.");
      const init = lines.find(({ subtype }) => subtype === "init");
      expect(init?.["plugin_errors"] ?? []).toEqual([]);
      expect(init?.["mcp_servers"]).toContainEqual(
        expect.objectContaining({ name: "plugin:holdfast:holdfast", status: "connected" }),
      );
      expect(init?.["tools"]).toContain("mcp__plugin_holdfast_holdfast__state");
      expect(init?.["skills"] ?? init?.["slash_commands"]).toEqual(
        expect.arrayContaining([expect.stringContaining("holdfast:develop")]),
      );
      const [first, second] = api.requests as [ModelRequest, ModelRequest];
      expect(first.conversation).toContain("Holdfast keeps the work of this project");
      expect(first.conversation).toContain("cp-2: in_progress (iter 1/3)");
      expect(second.results[0]).toMatchObject({
        isError: true,
        text: expect.stringContaining("Holdfast alone writes it"),
      });
      expect(proxy.refused).toEqual([]);
    });

    test("S1.18 a subscription's limit in a person's own session parks our agents until its reset", async () => {
      const { api, project, home, env, conversation } = stage;
      holdfast([...draft, "--title", "T", "--description", "D"], {
        cwd: project,
        env,
      });
      delete env["ANTHROPIC_API_KEY"];
      env["CLAUDE_CODE_OAUTH_TOKEN"] = "dummy";
      const reset = Math.floor(Date.now() / 1_000) + 3_700;
      const headers = {
        "anthropic-ratelimit-unified-status": "rejected",
        "anthropic-ratelimit-unified-reset": String(reset),
        "anthropic-ratelimit-unified-representative-claim": "five_hour",
      };
      api.play(() => ({ status: 429, headers }));
      await conversation()("Go on.");
      const store = await openSqlite(join(home, "holdfast.db"));
      // The hook goes on behind the end of the turn.
      const due = async () => (await store.timersNamed("gate")).map(({ dueAt }) => dueAt)[0] ?? 0;
      await expect.poll(due).toBeGreaterThan(0);
      // The sentence cuts the seconds off: not before the reset, and not a minute after it.
      const late = (await due()) - reset * 1_000;
      await store.close();
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThanOrEqual(60_000);
    });

    test("S0.10 after a forced compaction the first request tells again where it was", async () => {
      const { api, project, env, conversation } = stage;
      // The project is known, so that the journal can tell of it.
      holdfast([...draft, "--title", "T", "--description", "D"], {
        cwd: project,
        env,
      });
      api.play(({ said }) =>
        /create a detailed summary/i.test(said)
          ? { text: "<summary>We worked on it.</summary>" }
          : {
              text: "Done.",
              usage: { input: said.includes("Fill") ? 150_000 : 1_000, output: 10 },
            },
      );
      const turn = conversation();
      // Of a conversation of one turn there is nothing to forget.
      for (const text of ["One.", "Two.", "Three.", "Fill the context."]) await turn(text);
      const lines = await turn("And now?");
      expect(lines.some(({ subtype }) => subtype === "compact_boundary")).toBe(true);
      const after = api.requests.findLast(({ said }) => said.includes("And now?"));
      expect(after?.conversation).toContain("We worked on it.");
      expect(after?.conversation).toContain("cp-2: in_progress (iter 1/3)");
      expect(after?.conversation).toContain("read the code and tests of what is in progress again");
      const { out } = holdfast(["log", "--json"], { cwd: project, env });
      expect(out).toContain('"trigger":"PreCompact"');
    });
  });
