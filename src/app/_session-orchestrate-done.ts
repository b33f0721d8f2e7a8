// DONE is a claim (S2.11): where the task or the project names a command, Holdfast runs it itself, and
// the last unit of a phase has to pass the commands of the phase as well (S2.6). A refused report
// changes nothing: the unit stays with its session, which mends what failed and reports again.
import { Fault } from "../core/errors.ts";
import { msg, render } from "../core/messages.ts";
import type { OrderOutcome } from "../workflows/orders.ts";
import type { Accepted, OrchestrateEvent, RefusedEvent } from "../workflows/orchestrate/events.ts";
import type { Owner } from "./_session-orchestrate-owner.ts";
import type { TakeStep } from "./_session-orchestrate.ts";
import { sourcesIn, unitOf } from "./_session-orchestrate-rows.ts";
import { readRun, rowsOf } from "./_session-orchestrate-read.ts";
import { type Looked, type Sources, lookAtSources } from "./_session-orchestrate-sources.ts";
import { shellOf } from "./_own-shell.ts";
import { mayClone } from "./_session-orchestrate-branches.ts";
import type { Claimed, UnitTree } from "./_session-orchestrate-tree.ts";
import type { Place } from "./conduct/carry.ts";
import type { Context } from "./operation.ts";

export async function reportDone(
  context: Context,
  unit: string,
  owner: Owner,
  step: TakeStep,
): Promise<Accepted | RefusedEvent> {
  const rows = await rowsOf(context, unit);
  const sources = await lookAtSources(context.project.root, sourcesIn(rows));
  const looked = { ...sources, row: rows.plan };
  const { session } = owner;
  const event = { on: "done", unit, session, check: "none", gate: false } as const;
  const held = rows.unit && unitOf(rows.unit);
  // Nobody waits for a command whose result would be refused.
  if (held?.holder?.session !== session || rows.task === undefined)
    return step(context, { event, owner }, looked);
  const claimed = { run: rows.task.id, unit, epoch: held.epoch };
  const { root } = context.project;
  // Nor for one on a state that can not be read.
  if (mayClone(root, looked.sources) || unitCommands(looked.sources, unit).length > 0)
    await readRun(context);
  const trees = mayClone(root, looked.sources)
    ? await import("./_session-orchestrate-tree.ts")
    : undefined;
  trees?.requireClone(context, claimed);
  const tree = (await trees?.openUnitTree(context, looked, claimed)) ?? {
    folder: root,
    clone: null,
  };
  const passed = new Set<string>();
  await passAll(context, unit, tree.folder, unitCommands(looked.sources, unit), passed);
  const handed = await trees?.handIn(context, tree, claimed);
  if (handed?.kind === "conflict") {
    // To be done once more, on top of what the others did (S2.6).
    const { reason } = handed;
    const fail = { on: "fail", unit, session, reason, conflict: true } as const;
    const failed = await step(context, { event: fail, owner });
    if (failed.ok) await trees?.closeUnitTree(context, claimed, null);
    return failed;
  }
  const check = passed.size > 0 ? "passed" : "none";
  let done = await step(context, { event: { ...event, check }, owner }, looked);
  if (!done.ok && done.kind === "gate") {
    const landed = await gateOf(context, looked, tree, claimed, passed);
    const whole = {
      ...event,
      check,
      gate: true,
      ...(landed === undefined ? {} : { landed }),
    } as const;
    done = await step(context, { event: whole, owner }, looked);
  }
  if (done.ok && handed !== undefined) await trees?.closeUnitTree(context, claimed, handed.taken);
  if (done.ok && done.allDone) await trees?.closeRun(context, claimed.run);
  return done;
}

/**
 * A phase that a person completed by hand passes the same gate as any other, and is merged (S2.8). No unit is
 * left to whose session a failure could go: it is told to who resumes the run.
 */
export async function closePhase(
  context: Context,
  looked: Looked,
  phase: number,
  step: (event: OrchestrateEvent) => Promise<Accepted | RefusedEvent>,
): Promise<void> {
  const rows = await rowsOf(context);
  const run = rows.task?.id ?? "";
  const { root } = context.project;
  const trees = mayClone(root, looked.sources)
    ? await import("./_session-orchestrate-tree.ts")
    : undefined;
  const where = await trees?.phaseBranch(root, looked, phase, run);
  const key = `land-${phase}-whole`;
  const outcome =
    where === undefined
      ? await tested(context, looked.sources, phase)
      : await landPhase(context, looked.sources, { run, phase, key, opens: true, ...where });
  if (outcome === undefined) throw stopped(`phase ${phase}`);
  if (outcome.kind === "not_landed")
    throw new Fault("refused", msg("orchestrate.gate_failed", { phase, reason: outcome.reason }));
  const done = await step({ on: "landed", phase, commit: outcome.commit });
  if (done.ok && done.allDone) await trees?.closeRun(context, run);
}

// --- internal ---

/** Where all work in the project's own tree there is nothing to merge. */
async function tested(
  context: Context,
  sources: Sources,
  phase: number,
): Promise<{ kind: "landed"; commit: null } | { kind: "not_landed"; reason: string } | undefined> {
  const { root } = context.project;
  const found = await verified(context, `phase ${phase}`, root, phaseCommands(sources));
  if (found === "stopped") return undefined;
  return found === undefined
    ? { kind: "landed", commit: null }
    : { kind: "not_landed", reason: found.feedback };
}

/** The task's own check, else what says for the project whether it works. */
export function unitCommands({ facts, settings }: Sources, unit: string): string[] {
  const own = facts !== null && Object.hasOwn(facts.checks, unit) ? facts.checks[unit] : undefined;
  return [own ?? settings.test ?? []].flat();
}

export function phaseCommands({ settings }: Sources): string[] {
  return [settings.test ?? [], settings.build ?? []].flat();
}

/** The whole phase is tested and, where it has a branch, merged: the commit of that. */
async function gateOf(
  context: Context,
  { sources }: Looked,
  { folder, clone }: UnitTree,
  { run, unit }: Claimed,
  passed: Set<string>,
): Promise<string | undefined> {
  if (clone === null) {
    await passAll(context, unit, folder, phaseCommands(sources), passed);
    return undefined;
  }
  const { branch, phase } = clone;
  const key = `land-${phase}-${unit}`;
  const outcome = await landPhase(context, sources, { run, phase, branch, key });
  if (outcome === undefined) throw stopped(unit);
  if (outcome.kind === "landed") return outcome.commit;
  throw failedCheck(unit, outcome.reason);
}

interface LandedPhase {
  readonly run: string;
  readonly phase: number;
  readonly branch: string | null;
  readonly key: string;
  readonly opens?: true;
}

/** Undefined: we are to end. */
async function landPhase(
  context: Context,
  sources: Sources,
  { run, phase, branch, key, opens }: LandedPhase,
): Promise<Extract<OrderOutcome, { kind: "landed" | "not_landed" }> | undefined> {
  const { land } = await import("./conduct/carry.ts");
  const { heldFault } = await import("./conduct/held.ts");
  const text = msg("conduct.merge_message", { phase, branch: branch ?? "" });
  const outcome = await land(await placeHere(context, run), {
    kind: "land",
    key,
    branch: { name: branch },
    commands: phaseCommands(sources),
    message: render(context.language, text),
    ...(opens ? { opens } : {}),
  });
  if (outcome?.kind === "held") throw heldFault(outcome);
  return outcome as Extract<OrderOutcome, { kind: "landed" | "not_landed" }> | undefined;
}

async function placeHere(context: Context, run: string): Promise<Place> {
  const store = await context.store();
  const { createSettings } = await import("./_settings.ts");
  return {
    run,
    store,
    home: context.home.path,
    root: context.project.root,
    env: context.env,
    language: context.language,
    settings: await createSettings(store).of((await context.projectRow()).id),
    now: Date.now,
    signal: context.ended,
  };
}

async function passAll(
  context: Context,
  unit: string,
  folder: string,
  commands: readonly string[],
  passed: Set<string>,
): Promise<void> {
  const verify = commands.filter((command) => !passed.has(command));
  const found = await verified(context, unit, folder, verify);
  if (found === "stopped") throw stopped(unit);
  if (found !== undefined) throw failedCheck(unit, found.feedback);
  for (const command of verify) passed.add(command);
}

/** Undefined: all passed. */
async function verified(
  context: Context,
  unit: string,
  folder: string,
  verify: readonly string[],
): Promise<{ readonly feedback: string } | "stopped" | undefined> {
  if (verify.length === 0) return undefined;
  const { feedbackOf, verifyPhase } = await import("../engine/verify.ts");
  const found = await verifyPhase({
    folder,
    phase: { deliverables: [], verify },
    env: shellOf(context.env),
    signal: context.ended,
    // Several sessions check at once, in one folder.
    tag: `${folder} ${unit}`,
  });
  if (found.stopped) return "stopped";
  return found.passed ? undefined : { feedback: feedbackOf(found.findings, context.language) };
}

function stopped(id: string): Fault {
  return new Fault("refused", msg("orchestrate.check_stopped", { id }));
}

function failedCheck(id: string, feedback: string): Fault {
  return new Fault("refused", msg("orchestrate.check_failed", { id, feedback }), {
    hint: msg("orchestrate.check_failed.hint", { id }),
  });
}
