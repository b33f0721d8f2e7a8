// What one call of a program loads, as Node itself counts it: files with their bytes, and modules of Node's own beyond
// those that every program has.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "./program.ts";

export interface Loaded {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Full paths. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** By their names: `crypto`, `internal/streams/readable`. */
  readonly modules: readonly string[];
}

export interface Call {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
  /** Another program than ours. */
  readonly program?: string;
  /** What starts it instead, with its command line behind. */
  readonly by?: readonly string[];
}

export function loadedBy(words: readonly string[], call: Call = {}): Loaded {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-loaded-"));
  try {
    const [watch, log] = [join(folder, "watch.cjs"), join(folder, "log.json")];
    writeFileSync(watch, watching);
    const line = [...(call.by ?? []), process.execPath, "--require", watch, call.program ?? cli];
    const [file = "", ...rest] = line;
    const { status, stdout, stderr } = spawnSync(file, [...rest, ...words], {
      cwd: call.cwd,
      input: call.input ?? "",
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "", LANG: "C", HOLDFAST_LOADED: log, ...call.env },
    });
    const { files, modules } = JSON.parse(readFileSync(log, "utf8")) as Loaded;
    const bytes = files.reduce((sum, path) => sum + readFileSync(path).length, 0);
    return { code: status, out: stdout, err: stderr, files, bytes, modules };
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
