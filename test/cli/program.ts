// Runs the built program as a shell does: own process, clean environment, a project of its own.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";

export const root = resolve(import.meta.dirname, "../..");
export const dist = resolve(root, "dist");
export const seeds = join(root, "test/fixtures/seeds");

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly locale?: string;
}

export function holdfast(words: readonly string[], options: Surroundings = {}): Ended {
  return called(cli, words, options);
}

/** Where nothing is on PATH, not even Node. */
export function holdfastByNode(words: readonly string[], options: Surroundings = {}): Ended {
  return called(process.execPath, [cli, ...words], options);
}

function called(file: string, words: readonly string[], options: Surroundings): Ended {
  const { status, stdout, stderr } = spawnSync(file, words, {
    ...surrounded(options),
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: status, out: stdout, err: stderr };
}

/** What is installed as `holdfast`. */
export const cli = resolve(dist, "cli.cjs");

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
}

/** Any program, while the test goes on; `argv` may begin with one that changes the user. */
export function start([file = "", ...words]: readonly string[], options: Surroundings): Running {
  const child = spawn(file, words, surrounded(options));
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text));
  const ended = new Promise<Ended>((end, failed) => {
    child.once("error", failed);
    child.once("close", (code) => end({ code, ...said }));
  });
  return { child, ended };
}

function surrounded({ cwd = root, env = {}, locale = "C" }: Surroundings) {
  return { cwd, env: { PATH: process.env["PATH"] ?? "", LANG: locale, ...env } };
}

export interface Place {
  /** Holds the other two. */
  readonly folder: string;
  /** Empty. */
  readonly project: string;
  /** Not made yet. */
  readonly home: string;
}

/** Before there is one. */
export const nowhere: Place = { folder: "", project: "", home: "" };

/** In a test or its beforeEach: removed when that test has ended. */
export function freshPlace(): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-cli-")));
  onTestFinished(() => {
    // What a test has shut can not be removed by who is not root.
    spawnSync("chmod", ["-R", "u+rwX", folder]);
    // What a killed program had started may write until it has ended, too.
    rmSync(folder, { recursive: true, force: true, maxRetries: 100, retryDelay: 20 });
  });
  const [project, home] = [join(folder, "project"), join(folder, "home")];
  mkdirSync(project);
  return { folder, project, home };
}

/** The sources' own examples, each where it belongs. */
export function seeded(project: string, which: "full" | "initial" = "full"): void {
  cpSync(join(seeds, which), project, { recursive: true });
}
