// A project in which a person talks to the real Claude Code with the plugin loaded. The model's words are
// the test's, all else is as a user has it.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { cli, root } from "../cli/program.ts";
import { type DenyProxy, denyProxy } from "./model-api/deny-proxy.ts";
import { type ModelApi, modelApi } from "./model-api/model-api.ts";

export interface Line {
  readonly type: string;
  readonly subtype?: string;
  readonly [field: string]: unknown;
}

export interface PluginStage {
  readonly api: ModelApi;
  readonly proxy: DenyProxy;
  /** Holds the others. */
  readonly folder: string;
  readonly project: string;
  readonly home: string;
  readonly env: Record<string, string>;
  /** The program by itself. */
  readonly claude: (...words: string[]) => {
    status: number | null;
    stdout: string;
    stderr: string;
  };
  /** A conversation with the plugin loaded; each call is one turn, and gives its lines. */
  readonly conversation: (...words: string[]) => (text: string) => Promise<Line[]>;
  readonly close: () => Promise<void>;
}

export async function pluginStage(program: string): Promise<PluginStage> {
  const api = await modelApi();
  const proxy = await denyProxy();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-plugin-")));
  const [project, home, bin] = [join(folder, "project"), join(folder, "home"), join(folder, "bin")];
  for (const each of [project, bin]) mkdirSync(each);
  writeFileSync(join(bin, "holdfast"), `#!/bin/sh\nexec ${process.execPath} ${cli} "$@"\n`);
  chmodSync(join(bin, "holdfast"), 0o755);
  const env = {
    PATH: [bin, process.env["PATH"]].join(delimiter),
    HOME: folder,
    LANG: "C",
    HOLDFAST_HOME: home,
    CLAUDE_CONFIG_DIR: join(folder, "claude"),
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: "dummy",
    HTTPS_PROXY: proxy.url,
    HTTP_PROXY: proxy.url,
    NO_PROXY: "127.0.0.1,localhost",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000",
  };
  spawnSync("git", ["init", "-q", "-b", "main"], { cwd: project, env });
  const begun: ChildProcess[] = [];
  return {
    api,
    proxy,
    folder,
    project,
    home,
    env,
    claude: (...words) =>
      spawnSync(program, words, { cwd: project, env, encoding: "utf8", timeout: 60_000 }),
    conversation: (...words) => {
      const args = [
        ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
        ["--permission-mode", "acceptEdits", "--plugin-dir", join(root, "plugin"), ...words],
      ].flat();
      const child = spawn(program, args, { cwd: project, env, stdio: ["pipe", "pipe", "pipe"] });
      begun.push(child);
      return turnsOf(child);
    },
    close: async () => {
      for (const child of begun) child.kill("SIGKILL");
      await api.close();
      await proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// --- internal ---

const nobody = (): void => undefined;

function turnsOf(child: ChildProcess): (text: string) => Promise<Line[]> {
  const said: string[] = [];
  child.stderr?.setEncoding("utf8").on("data", (text: string) => said.push(text));
  let rest = "";
  let lines: Line[] = [];
  let over: (lines: Line[]) => void = nobody;
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const line = JSON.parse(part) as Line;
      lines.push(line);
      if (line.type === "result") over(lines);
    }
  });
  return (text: string): Promise<Line[]> =>
    new Promise((done, fail) => {
      lines = [];
      over = done;
      child.once("exit", (code) => fail(new Error(`ended with ${code}: ${said.join("")}`)));
      const content = [{ type: "text", text }];
      child.stdin?.write(
        `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`,
      );
    });
}
