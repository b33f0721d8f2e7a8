// A run carried out by the program, as a person sees it: what it says, line by line, and how it ends
// when it is killed in the middle.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Codec, loadCodec } from "../../src/formats/codec.ts";
import { formatNames, formatOfPath } from "../../src/formats/registry.ts";
import { cli } from "../cli/program.ts";
import type { Repository } from "./repository.ts";

export interface Followed {
  readonly code: number | null;
  readonly lines: string[];
}

/** How the program is started, beside its words. */
export interface Started {
  readonly node?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** `look` is called at every moment; `kill` says at which line the program ends as a power cut ends it. */
export async function followed(
  { project, env }: Repository,
  words: readonly string[],
  look: () => void,
  kill: (line: string) => boolean = () => false,
  { node = [], env: more = {} }: Started = {},
): Promise<Followed> {
  const child = spawn(process.execPath, [...node, cli, ...words], {
    cwd: project,
    env: { PATH: process.env["PATH"] ?? "", ...env, ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((end) => child.once("close", end));
  const lines: string[] = [];
  const { now, stop } = watched(look);
  const read = (text: string): void => {
    for (const line of text.split("\n").filter((each) => each !== "")) {
      lines.push(line);
      now();
      if (kill(line)) child.kill("SIGKILL");
    }
  };
  child.stdout.setEncoding("utf8").on("data", read);
  child.stderr.setEncoding("utf8").on("data", read);
  const code = await ended;
  stop();
  return { code, lines };
}

/** Looks again and again, and `now`, until it is stopped, and then throws what it saw wrong first. */
export function watched(look: () => void): { readonly now: () => void; readonly stop: () => void } {
  const wrong: unknown[] = [];
  const now = (): void => {
    try {
      look();
    } catch (cause) {
      // Gone between the list and the look: a lock, a file that was replaced.
      if ((cause as { code?: string }).code !== "ENOENT") wrong.push(cause);
    }
  };
  const timer = setInterval(now, 20);
  const stop = (): void => {
    clearInterval(timer);
    if (wrong.length > 0) throw wrong[0];
  };
  return { now, stop };
}

/** The trees of S3.1 and S4.1: nothing else may lie there but what is ours beside a document. */
const trees: Readonly<Record<string, RegExp>> = {
  ".claude/memory": /^(?:(?:task-state|task-history|shared-context)|agents\/[\w-]+)\.json$/,
  ".claude/orchestrator":
    /^(?:sessions\/[0-9a-f]{8}\/(?:(?:session|state)\.json|contracts\/R\d+\/(?:(?:explored|task-breakdown)\.yaml|T\d+\/(?:(?:design-brief|design-contract)\.yaml|T\d+-S\d+\/(?:test-contract|test-result)\.yaml)))|knowledge\/[0-9a-f]{8}\/knowledge\.yaml)$/,
};
const beside =
  /\.(?:bak|lock)$|^(?:backup|quarantine)\/|(?:^|\/)\.[^/]+\.[0-9a-f]{16}\.(?:own|tmp|old)$/;

/** Every document below a folder of the project is read, and none may be refused. */
export async function reader(
  { project }: Pick<Repository, "project">,
  folder: string,
): Promise<{ look: () => void; seen: Set<string> }> {
  const codecs = new Map<string, Codec<unknown>>();
  for (const format of formatNames) codecs.set(format, (await loadCodec(format)) as Codec<unknown>);
  const seen = new Set<string>();
  /** The same bytes are as valid as they were. */
  const fine = new Map<string, Buffer>();
  const look = (): void => {
    const below = join(project, folder);
    if (!existsSync(below)) return;
    for (const entry of readdirSync(below, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const place = path.slice(below.length + 1);
      if (!entry.isFile() || beside.test(place)) continue;
      expect(place).toMatch(trees[folder] ?? /./);
      const format = formatOfPath(path.slice(project.length + 1));
      if (format === undefined) continue;
      const bytes = readFileSync(path);
      if (fine.get(path)?.equals(bytes) === true) continue;
      const result = codecs.get(format)?.read(bytes);
      expect({ path, findings: result?.ok ? [] : (result?.findings ?? format) }).toEqual({
        path,
        findings: [],
      });
      fine.set(path, bytes);
      seen.add(format);
    }
  };
  return { look, seen };
}
