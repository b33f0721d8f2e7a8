// A git that kills, at its n-th call: who called it, itself, or both.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { put } from "./project.ts";

/**
 * before: git goes on alone, a while later · after: it had just ended · during: it is killed as well ·
 * alone: git is killed, and who called it lives.
 */
export type Way = "before" | "after" | "during" | "alone";

const realGit = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();

/** Arms it in `<folder>/bin`; of those calls only that a pattern of sh names. */
export function arm(folder: string, step: number, way: Way, counted = "*"): void {
  // A file for each call: two that come at once, as the ends of a pipe do, have a number each.
  const calls = join(folder, "calls");
  rmSync(calls, { recursive: true, force: true });
  mkdirSync(calls);
  // A background process of sh reads nothing unless it is told to.
  const started = `'${realGit}' "$@" <&0 & sleep 0.00${step % 9}`;
  const kill: Record<Way, string> = {
    before: `kill -9 $PPID; sleep 0.3; exec '${realGit}' "$@"`,
    after: `'${realGit}' "$@"; kill -9 $PPID; exit`,
    during: `${started}; kill -9 $! $PPID; exit`,
    alone: `${started}; kill -9 $!; kill -9 $$`,
  };
  put(
    join(folder, "bin", "git"),
    `#!/bin/sh
n=0
case " $* " in ${counted})
  set -C; n=1
  until true > '${calls}'/$n; do n=$((n + 1)); done 2>/dev/null ;;
esac
[ $n -ne ${step} ] || { ${kill[way]}; }
exec '${realGit}' "$@"\n`,
    0o755,
  );
}

/** Did it come to that call? A git that is killed may be one whose failure is an answer. */
export function cameTo(folder: string, step: number): boolean {
  return existsSync(join(folder, "calls", String(step)));
}

/** A git as any other. */
export function disarm(folder: string): void {
  arm(folder, 0, "after");
}

/** A worker beside the tests, as one file that a process runs. */
export async function bundled(folder: string, name: string): Promise<string> {
  const made = await rolldown({
    input: join(import.meta.dirname, `${name}.ts`),
    platform: "node",
    external: /^(?![./]|[A-Za-z]:)/,
  });
  await made.write({ dir: folder, entryFileNames: `${name}.mjs`, codeSplitting: false });
  return join(folder, `${name}.mjs`);
}

/** Runs it with that git; was it killed? A fault of its own counts as such only where git was killed. */
export function runWorker(
  folder: string,
  program: string,
  words: readonly string[],
): { readonly killed: boolean; readonly failed: string } {
  const { signal, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    encoding: "utf8",
    env: { PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}` },
  });
  return { killed: signal === "SIGKILL", failed: stdout === "done\n" ? "" : stderr || "killed" };
}
