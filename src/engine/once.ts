// A command that the engine runs itself and whose output counts as much as its end: the tests of a
// request (S4.4). In a folder of a person's own, with the environment they gave.
import { stripVTControlCharacters } from "node:util";
import { createRedactor } from "../core/redact.ts";
import { runCommand } from "./_command.ts";

export interface Once {
  readonly command: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of this kind of command in this folder: only one at a time has it. */
  readonly tag: string;
  readonly signal?: AbortSignal;
}

/** `code` is null where it did not end by itself. */
export async function runOnce(once: Once): Promise<{ code: number | null; output: string }> {
  const { command, folder, env, tag, signal } = once;
  const given = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const { ended, exitCode, output } = await runCommand({
    command,
    cwd: folder,
    tag: `once:${tag}`,
    env: Object.fromEntries(given),
    seconds: mostSeconds,
    maxOutput: mostOutput,
    redactor: createRedactor([]),
    ...(signal ? { signal } : {}),
  });
  return { code: ended === "exit" ? exitCode : null, output: stripVTControlCharacters(output) };
}

// --- internal ---

const mostSeconds = 1_200;
/** The end of it: there the counts stand. */
const mostOutput = 256 * 1024;
