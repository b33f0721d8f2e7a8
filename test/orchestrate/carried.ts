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

/** `look` is called at every line; `kill` says at which the program ends as a power cut ends it. */
export async function followed(
  { project, env }: Repository,
  words: readonly string[],
  look: () => void,
  kill: (line: string) => boolean = () => false,
): Promise<Followed> {
  const child = spawn(process.execPath, [cli, ...words], {
    cwd: project,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((end) => child.once("close", end));
  const lines: string[] = [];
  const read = (text: string): void => {
    for (const line of text.split("\n").filter((each) => each !== "")) {
      lines.push(line);
      look();
      if (kill(line)) child.kill("SIGKILL");
    }
  };
  child.stdout.setEncoding("utf8").on("data", read);
  child.stderr.setEncoding("utf8").on("data", read);
  return { code: await ended, lines };
}

/** Every document below a folder of the project is read, and none may be refused. */
export async function reader(
  { project }: Pick<Repository, "project">,
  folder: string,
): Promise<{ look: () => void; seen: Set<string> }> {
  const codecs = new Map<string, Codec<unknown>>();
  for (const format of formatNames) codecs.set(format, (await loadCodec(format)) as Codec<unknown>);
  const seen = new Set<string>();
  const look = (): void => {
    const below = join(project, folder);
    if (!existsSync(below)) return;
    for (const entry of readdirSync(below, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const format = formatOfPath(path.slice(project.length + 1));
      if (!entry.isFile() || format === undefined || /\.(?:bak|lock|tmp)$/.test(path)) continue;
      const codec = codecs.get(format);
      const result = codec?.read(readFileSync(path));
      expect({ path, findings: result?.ok ? [] : (result?.findings ?? format) }).toEqual({
        path,
        findings: [],
      });
      seen.add(format);
    }
  };
  return { look, seen };
}
