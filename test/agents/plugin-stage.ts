// The real Claude Code with the plugin, in a project of its own, against a model whose words are ours.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { cli, root } from "../cli/program.ts";
import { patience } from "../patience.ts";
import { type DenyProxy, denyProxy } from "./model-api/deny-proxy.ts";
import { type ModelApi, type ModelRequest, type Say, modelApi } from "./model-api/model-api.ts";

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
  /** Empty but for git. */
  readonly project: string;
  readonly home: string;
  readonly env: Record<string, string>;
  /** One call of the program, without a conversation. */
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
  const conversation = (...words: string[]) => {
    const child = spawn(
      program,
      [
        ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
        ["--permission-mode", "acceptEdits", "--plugin-dir", join(root, "plugin"), ...words],
      ].flat(),
      { cwd: project, env, stdio: ["pipe", "pipe", "pipe"] },
    );
    begun.push(child);
    return turnsOf(child);
  };
  return {
    api,
    proxy,
    folder,
    project,
    home,
    env,
    claude: (...words) =>
      spawnSync(program, words, { cwd: project, env, encoding: "utf8", timeout: patience }),
    conversation,
    close: async () => {
      for (const child of begun) child.kill("SIGKILL");
      await api.close();
      await proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a model does, word by word: each `yield` is what it says, and gives what came of it. */
export type Course = Generator<Say, string, ModelRequest>;

/** `begin` is given the first request; after the last word of the course the turn ends. */
export function play(api: ModelApi, begin: (first: ModelRequest) => Course): void {
  let course: Course | undefined;
  api.play((request) => {
    course ??= begin(request);
    const { value, done } = course.next(request);
    return done === true ? { text: value ?? "It is over." } : value;
  });
}

/** What the program printed to a model that ran these one after another; refusals are told as well. */
export function* shell(...commands: string[]): Generator<Say, string[], ModelRequest> {
  const calls = commands.map((command) => ({
    name: "Bash",
    input: { command, description: "Holdfast" },
  }));
  const { results } = yield { text: "Next.", calls };
  return results.map(({ text }) => text);
}

// --- internal ---

const nobody = (): void => undefined;

function turnsOf(child: ReturnType<typeof spawn>): (text: string) => Promise<Line[]> {
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
  return (text) =>
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
