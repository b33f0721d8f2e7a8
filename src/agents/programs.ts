// Where the programs of agents lie on this machine, and which version they are.
//
// Nothing of theirs is read or run but `--version`, in an environment with an empty home: no login,
// no settings, no conversation of the user's is touched.
import { execFile } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";

export const agentPrograms = ["claude", "codex", "gemini", "opencode"] as const;
export type AgentProgram = (typeof agentPrograms)[number];

type Variables = Readonly<Record<string, string | undefined>>;

/** HOLDFAST_CLAUDE (an absolute path) if it is set, else the first on PATH, else where installers put it. */
export function findProgram(name: string, env: Variables): string | undefined {
  const given = env[settingOf(name)];
  if (given !== undefined && given !== "")
    return isAbsolute(given) && isProgram(given) ? given : undefined;
  const folders = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  const home = env["HOME"];
  // A server that a desktop started has not the PATH of a terminal.
  const usual =
    home === undefined ? [] : [join(home, ".local", "bin"), join(home, ".claude", "local")];
  return [...folders, ...usual].map((folder) => join(folder, name)).find(isProgram);
}

/**
 * Could a process be started by this name? What a path leads to from the workspace is known only there.
 */
export function isThere(program: string, env: Variables): boolean {
  if (isAbsolute(program)) return isProgram(program);
  if (program.includes("/")) return true;
  const folders = (env["PATH"] ?? "").split(delimiter);
  return folders.some((folder) => !isAbsolute(folder) || isProgram(join(folder, program)));
}

/** The variable that says where it lies. */
export function settingOf(name: string): string {
  return `HOLDFAST_${name.toUpperCase()}`;
}

export type Version =
  | { readonly version: string }
  /** What it printed instead, or that it printed nothing in time. */
  | { readonly problem: string };

export function versionOf(path: string, env: Variables): Promise<Version> {
  const home = mkdtempSync(join(tmpdir(), "holdfast-version-"));
  const options = {
    cwd: home,
    // Programs from npm are scripts that look for node.
    env: { PATH: env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", TMPDIR: home },
    timeout: 10_000,
    killSignal: "SIGKILL",
    maxBuffer: 64 * 1024,
    encoding: "utf8",
  } as const;
  return new Promise((done) => {
    const child = execFile(path, ["--version"], options, (error, stdout, stderr) => {
      rmSync(home, { recursive: true, force: true });
      const [, version] = /(\d+\.\d+\.\d+[\w.+-]*)/.exec(stdout) ?? [];
      if (version !== undefined && error === null) return done({ version });
      const said = (stderr || stdout || (error?.message ?? "")).trim().split("\n")[0] ?? "";
      done({ problem: said.slice(0, 200) });
    });
    child.stdin?.end();
  });
}

// --- internal ---

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
