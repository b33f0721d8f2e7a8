// What one call of a program loads and starts, counted without a clock: files with their bytes, modules of Node's own
// beyond those that every program has, and processes of git.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
