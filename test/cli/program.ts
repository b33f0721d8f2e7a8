// Runs the built program as a shell does: own process, clean environment.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");
export const dist = resolve(root, "dist");

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export function holdfast(
  words: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; locale?: string } = {},
): Ended {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [resolve(dist, "cli.js"), ...words],
    {
      cwd: options.cwd ?? root,
      env: { PATH: process.env["PATH"] ?? "", LANG: options.locale ?? "C", ...options.env },
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return { code: status, out: stdout, err: stderr };
}
