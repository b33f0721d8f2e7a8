// The project's own preparation of a new tree, `setup` in holdfast.yaml (S1.21d).
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { type Message, msg } from "../core/messages.ts";
import { createRedactor } from "../core/redact.ts";
import { asFault } from "../store/disk.ts";
import { setupTag } from "../git/workspace.ts";
import { type RunCommand, runCommand } from "./_command.ts";

export interface SetupOptions {
  readonly command: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where its output goes, bounded and redacted. */
  readonly log: string;
  readonly seconds?: number;
  readonly secrets?: readonly string[];
  readonly signal?: AbortSignal;
  readonly run?: RunCommand;
}

export type SetupOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly text: Message; readonly hint: Message; readonly output: string };

/** Run again after a crash it starts from the beginning: such commands are written for that. */
export async function runSetup(options: SetupOptions): Promise<SetupOutcome> {
  const { command, folder, env, log, secrets = [], run = runCommand } = options;
  const seconds = options.seconds ?? 1_800;
  // Nothing but a file of ours: a link planted there would let the command write elsewhere.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  const handle = opened(log, flags);
  let written = 0;
  try {
    const { ended, exitCode, output } = await run({
      command,
      cwd: folder,
      tag: setupTag(folder),
      env,
      seconds,
      maxOutput: tailBytes,
      redactor: createRedactor(secrets),
      keepServices: true,
      onOutput: (piece) => {
        const room = piece.subarray(0, Math.max(0, logBytes - written));
        if (room.length > 0) written += writeSync(handle, room);
      },
      ...(options.signal ? { signal: options.signal } : {}),
    });
    if (ended === "exit" && exitCode === 0) return { ok: true };
    const text =
      ended === "late"
        ? msg("workspace.setup.late", { seconds, log })
        : ended === "stopped"
          ? msg("workspace.setup.stopped", { log })
          : msg("workspace.setup.failed", { code: exitCode, log });
    return { ok: false, text, hint: msg("workspace.setup.hint", { command }), output };
  } finally {
    closeSync(handle);
  }
}

// --- internal ---

function opened(log: string, flags: number): number {
  try {
    return openSync(log, flags, 0o600);
  } catch (cause) {
    throw asFault(log, cause);
  }
}

const logBytes = 4 * 1024 * 1024;
const tailBytes = 16 * 1024;
