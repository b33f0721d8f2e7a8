// Another program, run to its end: what it said, bounded, and how it ended.
import { spawn } from "node:child_process";

export interface ProgramPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Ended after this. */
  readonly milliseconds: number;
}

/** Enough to see what went wrong. */
const mostCharacters = 64 * 1024;

/** `absent`: there is no such program. */
export function runProgram(
  program: string,
  words: readonly string[],
  { env, cwd, milliseconds }: ProgramPlace,
): Promise<{ readonly code: number | null; readonly output: string } | "absent"> {
  return new Promise((done, fail) => {
    const child = spawn(program, words, {
      env,
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
    });
    // Our own: that of `spawn` goes on, and keeps us alive, where there is no such program.
    const late = setTimeout(() => child.kill("SIGKILL"), milliseconds);
    let output = "";
    const take = (text: string): void => {
      output = (output + text).slice(-mostCharacters);
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    child.once("error", (cause: NodeJS.ErrnoException) => {
      clearTimeout(late);
      if (cause.code === "ENOENT") done("absent");
      else fail(cause);
    });
    child.once("close", (code) => {
      clearTimeout(late);
      done({ code, output });
    });
  });
}
