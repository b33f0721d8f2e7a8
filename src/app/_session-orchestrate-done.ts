// DONE is a claim (S2.11): where the task or the project names a command, Holdfast runs it itself, and
// the last unit of a phase has to pass the commands of the phase as well (S2.6). A refused report
// changes nothing: the unit stays with its session, which mends what failed and reports again.
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import type { Accepted, RefusedEvent } from "../workflows/orchestrate/events.ts";
import type { Owner } from "./_session-orchestrate-owner.ts";
import type { TakeStep } from "./_session-orchestrate.ts";
import { sourcesIn, unitOf } from "./_session-orchestrate-rows.ts";
import { readRun } from "./_session-orchestrate-read.ts";
import { type Sources, lookAtSources } from "./_session-orchestrate-sources.ts";
import type { Context } from "./operation.ts";

export async function reportDone(
  context: Context,
  unit: string,
  owner: Owner,
  step: TakeStep,
): Promise<Accepted | RefusedEvent> {
  const { rows } = await readRun(context, unit);
  const looked = await lookAtSources(context.project.root, sourcesIn(rows));
  const { sources } = looked;
  const { session } = owner;
  // Nobody waits for a command whose result would be refused.
  const mine = rows.unit && unitOf(rows.unit).holder?.session === session;
  const passed = new Set<string>();
  if (mine) await passAll(context, unit, unitCommands(sources, unit), passed);
  const check = passed.size > 0 ? "passed" : "none";
  const event = { on: "done", unit, session, check } as const;
  const done = await step(context, { event: { ...event, gate: false }, owner }, looked);
  if (done.ok || done.kind !== "gate") return done;
  await passAll(context, unit, phaseCommands(sources), passed);
  return step(context, { event: { ...event, gate: true }, owner }, looked);
}

// --- internal ---

/** The task's own check, else what says for the project whether it works. */
export function unitCommands({ facts, settings }: Sources, unit: string): string[] {
  const own = facts !== null && Object.hasOwn(facts.checks, unit) ? facts.checks[unit] : undefined;
  return [own ?? settings.test ?? []].flat();
}

export function phaseCommands({ settings }: Sources): string[] {
  return [settings.test ?? [], settings.build ?? []].flat();
}

async function passAll(
  context: Context,
  unit: string,
  commands: readonly string[],
  passed: Set<string>,
): Promise<void> {
  const verify = commands.filter((command) => !passed.has(command));
  if (verify.length === 0) return;
  const { feedbackOf, verifyPhase } = await import("../engine/verify.ts");
  const { root } = context.project;
  const found = await verifyPhase({
    folder: root,
    phase: { deliverables: [], verify },
    // It is the session's own machine and the session's own shell.
    env: environmentOf(context),
    signal: context.ended,
    // Several sessions check at once, in one folder.
    tag: `${root} ${unit}`,
  });
  if (found.stopped) throw new Fault("refused", msg("orchestrate.check_stopped", { id: unit }));
  if (!found.passed)
    throw new Fault(
      "refused",
      msg("orchestrate.check_failed", {
        id: unit,
        feedback: feedbackOf(found.findings, context.language),
      }),
      { hint: msg("orchestrate.check_failed.hint", { id: unit }) },
    );
  for (const command of verify) passed.add(command);
}

function environmentOf({ env }: Context): Record<string, string> {
  const given = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(given);
}
