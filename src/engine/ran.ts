// A command that the engine runs itself, and what came of it: its exit code and the end of its output,
// fit to be compared and shown. Halt of `develop` (S0.5) rests on it.
import { stripVTControlCharacters } from "node:util";
import { createRedactor } from "../core/redact.ts";
import { runCommand } from "./_command.ts";

export interface RanCommand {
  readonly command: string;
  readonly folder: string;
  /** Where several run at once in one folder. */
  readonly tag: string;
  /** All that it sees. */
  readonly env: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly seconds?: number;
  readonly signal?: AbortSignal;
}

export type CommandRan =
  | { readonly stopped: true }
  /** `code` null: it did not end in time, or could not be started. */
  | { readonly stopped: false; readonly code: number | null; readonly output: string };

export async function ranCommand(run: RanCommand): Promise<CommandRan> {
  const { folder, tag, secrets = [], seconds = usualSeconds, signal, ...rest } = run;
  const { ended, exitCode, output } = await runCommand({
    ...rest,
    cwd: folder,
    tag: `run:${tag}`,
    seconds,
    maxOutput: outputBytes,
    redactor: createRedactor(secrets),
    ...(signal ? { signal } : {}),
  });
  if (ended === "stopped" || signal?.aborted === true) return { stopped: true };
  const plain = stripVTControlCharacters(output).replace(/\r+\n?/g, "\n");
  return { stopped: false, code: ended === "exit" ? exitCode : null, output: plain };
}

// --- internal ---

const usualSeconds = 1_200;
/** What is expected may stand above a long report. */
const outputBytes = 256 * 1024;
