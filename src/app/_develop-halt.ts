// Halt, in a session (S0.5): Holdfast runs the commands itself, in the project's own tree and in the
// session's own environment, and only what came of them counts.
import { Fault } from "../core/errors.ts";
import { msg, render } from "../core/messages.ts";
import { ranCommand } from "../engine/ran.ts";
import { type Ran, type Verdict, compare } from "../workflows/develop/halt.ts";
import { type Checkpoint, type DevelopRun, unitIn } from "../workflows/develop/private.ts";
import { shellOf } from "./_own-shell.ts";
import type { Context } from "./operation.ts";

export async function halt(context: Context, checkpoint: Checkpoint): Promise<Verdict> {
  const { command, expected } = checkpoint.validation;
  return compare(expected, await ranBy(context, command, checkpoint.id));
}

/** The whole, before it is merged: every checkpoint again, then the project's own commands. */
export async function checkWhole(
  context: Context,
  unit: "FIX" | "MERGE",
  run: DevelopRun,
  commands: readonly string[],
): Promise<void> {
  const asked = (run.definitions ?? []).filter(({ id }) => !unitIn(run, id).skipped);
  const checks = [
    ...asked.map(({ id, validation }) => ({ id, ...validation })),
    ...commands.map((command) => ({ id: command, command, expected: "exit 0" })),
  ];
  for (const { id, command, expected } of checks) {
    const verdict = compare(expected, await ranBy(context, command, id));
    if (verdict.matched) continue;
    const why = `${id}: ${render(context.language, verdict.why)}`;
    throw new Fault("refused", msg("develop.check_failed", { unit, why }), {
      hint: msg("develop.check_failed.hint", { unit }),
    });
  }
}

// --- internal ---

async function ranBy(context: Context, command: string, unit: string): Promise<Ran> {
  const { root } = context.project;
  const ran = await ranCommand({
    command,
    folder: root,
    // Several sessions validate at once, in one folder.
    tag: `${root} ${unit}`,
    env: shellOf(context.env),
    signal: context.ended,
  });
  if (ran.stopped) throw new Fault("refused", msg("develop.halt.stopped", { unit }));
  return ran;
}
