// What one call of a program loads and starts, counted without a clock: files with their bytes, modules of Node's own
// beyond those that every program has, and processes of git.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { patience } from "../patience.ts";

export interface Loaded {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Full paths. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** By their names: `crypto`, `internal/streams/readable`. */
  readonly modules: readonly string[];
  /** The words of each. */
  readonly gits: readonly string[];
}

export interface Call {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
  /** What starts it, with its command line behind. */
  readonly by?: readonly string[];
}

export function loadedBy(program: string, words: readonly string[], call: Call = {}): Loaded {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-loaded-"));
  try {
    const [watch, log] = [join(folder, "watch.cjs"), join(folder, "log.json")];
    writeFileSync(watch, watching);
    const { path, gits } = countingGit(folder);
    const line = [...(call.by ?? []), process.execPath, "--require", watch, program, ...words];
    const [file = "", ...rest] = line;
    const { status, stdout, stderr } = spawnSync(file, rest, {
      cwd: call.cwd,
      input: call.input ?? "",
      encoding: "utf8",
      env: { LANG: "C", ...call.env, PATH: path, HOLDFAST_LOADED: log },
    });
    const { files, modules } = JSON.parse(readFileSync(log, "utf8")) as Loaded;
    const bytes = files.reduce((sum, each) => sum + readFileSync(each).length, 0);
    return { code: status, out: stdout, err: stderr, files, bytes, modules, gits: gits() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Processes of git that a custom task takes on a server, from when it is created until it is completed. */
export async function gitsOfTask(
  program: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-task-"));
  const { path, gits } = countingGit(folder);
  const options = { cwd, env: { LANG: "C", ...env, PATH: path }, encoding: "utf8" } as const;
  const said = (...words: string[]): { readonly id: string; readonly status: string } => {
    const line = [program, "task", ...words, "--json"];
    const { status, stdout, stderr } = spawnSync(process.execPath, line, options);
    if (status !== 0) throw new Error(`${words.join(" ")}: ${stdout}${stderr}`);
    return JSON.parse(stdout) as { id: string; status: string };
  };
  const script = join(folder, "script.txt");
  writeFileSync(script, 'write made.txt "made"\ndone\n');
  const about = ["--type", "custom", "--title", "T", "--description", "D", "--submit"];
  const { id } = said("create", ...about, "--agent", "sample", "--script", script);
  const server = spawn(process.execPath, [program, "serve", "--port", "0"], {
    ...options,
    stdio: "ignore",
  });
  const ended = new Promise((done) => server.once("close", done));
  try {
    for (const began = Date.now(); ;) {
      const { status } = said("show", id);
      if (status === "completed") break;
      if (status === "failed" || Date.now() - began > patience) throw new Error(`it is ${status}`);
      await new Promise((turn) => setTimeout(turn, 100));
    }
    // Its result becomes a branch of the project after that: the last thing that is done with git.
    const branch = join(cwd, ".git/refs/heads/holdfast", id);
    for (const began = Date.now(); !existsSync(branch);) {
      if (Date.now() - began > patience) throw new Error("it has no branch");
      await new Promise((turn) => setTimeout(turn, 50));
    }
    return gits();
  } finally {
    server.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

// --- internal ---

/** Required before the program, so that all it finds loaded already is not the program's doing. */
const watching = `
const { writeFileSync } = require("node:fs");
const before = new Set(process.moduleLoadList);
process.once("exit", () => {
  const files = Object.keys(require.cache).filter((file) => file !== __filename);
  const modules = process.moduleLoadList
    .filter((name) => !before.has(name) && name.startsWith("NativeModule "))
    .map((name) => name.slice("NativeModule ".length));
  writeFileSync(process.env.HOLDFAST_LOADED, JSON.stringify({ files, modules }));
});
`;

/** A `git` before the others on PATH, which notes each call; what git itself starts is git's. */
function countingGit(folder: string): { path: string; gits: () => string[] } {
  const [bin, log] = [join(folder, "bin"), join(folder, "gits")];
  const path = process.env["PATH"] ?? "";
  mkdirSync(bin);
  const script = `#!/bin/sh\necho "$*" >> '${log}'\nPATH='${path}' exec git "$@"\n`;
  writeFileSync(join(bin, "git"), script, { mode: 0o755 });
  return {
    path: `${bin}:${path}`,
    gits: () => (existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : []),
  };
}
