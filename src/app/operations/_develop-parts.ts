// The parts of `develop`: what begins a run, what a person decides, and what only looks.
import { join } from "node:path";
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import { applyEvent } from "../../workflows/develop/apply.ts";
import type { DevelopEvent } from "../../workflows/develop/events.ts";
import type { Checkpoint } from "../../workflows/develop/private.ts";
import { strategyFor } from "../../workflows/develop/strategy.ts";
import { isPhaseUnit, unknown } from "../../workflows/develop/claims.ts";
import { formats } from "../../formats/registry.ts";
import { type Choice, type Wanted, chooseDevelop, startDevelop } from "../develop.ts";
import { type Read, notBegun, readDevelop, refused, takeStep } from "../_develop-run.ts";
import { definitionsAt, rulesOf, sourcesOf } from "../_develop-sources.ts";
import { phaseTaskOf } from "../_develop-work.ts";
import { readSettings } from "../_settings.ts";
import { configuredAgent, recordedAgent } from "../agent-choice.ts";
import { answerTo } from "../conduct/answer.ts";
import { agentFor, fitProject } from "../conduct/fit.ts";
import { letRun } from "../conduct/row.ts";
import { develop, unitPrompt } from "../_session-develop.ts";
import { ownerOf } from "../_session-orchestrate-owner.ts";
import type { Context } from "../operation.ts";
import type { Developed, Input, Part } from "./develop.ts";

export const begin: Part = async (context, given) => {
  const wanted = { ...given, headless: given.inSession !== true };
  // First what a person has to decide: whoever runs it, that is asked before anything is written.
  const choice = await chooseDevelop(context, wanted);
  if (wanted.headless) return headless(context, given, { ...wanted, choice });
  const { id, says } = await startDevelop(context, wanted, ownerOf(given.session, context.env));
  return { ...(await whatIsNext(context, given, says)), task: id };
};

/** Holdfast's own agents work, and it is followed to its end. */
async function headless(
  context: Context,
  given: Input,
  { choice, ...wanted }: Wanted & { readonly choice: Choice },
): Promise<Developed> {
  await fitProject(context, given.resume === true);
  const before = choice === "resume" ? await readDevelop(context) : undefined;
  const agent = await agentFor(context, given.agent, before?.task);
  const { id, says } = await startDevelop(context, { ...wanted, agent });
  await letRun(await context.store(), id, { agent, script: given.script }, Date.now());
  const end = await context.carryOut(id);
  return { task: id, ...answerTo(end, { workflow: "develop", id }, says) };
}

export const approve: Part = async (context, given) => {
  const read = await readDevelop(context);
  if (read === undefined) throw notBegun();
  const waiting = await reviewOf(context, read);
  if (waiting !== undefined) {
    await (await context.tasks()).approve(waiting, {});
    return whatIsNext(context, given, [msg("develop.decided", { unit: read.state.phase })]);
  }
  const { proposed } = read.run;
  // What is approved is what lies there to be looked at, not what was reported before.
  if (read.state.phase === "DESIGN" && proposed !== null) {
    const { path } = read.sources;
    const now = await definitionsAt(context.project.root, path);
    if (!now.ok || JSON.stringify(now.checkpoints) !== JSON.stringify(proposed))
      throw new Fault("refused", msg("develop.design_changed", { path }), {
        hint: msg("develop.design_changed.hint"),
      });
  }
  const phase = await decided(context, { on: "approve" });
  return whatIsNext(context, given, [msg("develop.approved", { phase })]);
};

export const sendBack: Part = async (context, given) => {
  const { sendBack: feedback = "" } = given;
  const read = await readDevelop(context);
  const waiting = read && (await reviewOf(context, read));
  if (waiting !== undefined) {
    await (await context.tasks()).requestChanges(waiting, { feedback });
    return whatIsNext(context, given, [msg("develop.decided", { unit: read?.state.phase ?? "" })]);
  }
  const phase = await decided(context, { on: "send_back", feedback });
  return whatIsNext(context, given, [msg("develop.sent_back", { phase })]);
};

/** With the checkpoint's definition as a person has mended it, where the file lies in the tree. */
export const retry: Part = async (context, given) => {
  const { retry: id = "" } = given;
  const { path } = await sourcesOf(context.project.root);
  const found = await definitionsAt(context.project.root, path);
  const definition = found.ok ? found.checkpoints.find((one) => one.id === id) : undefined;
  await decided(context, { on: "retry", unit: id, ...(definition ? { definition } : {}) });
  return whatIsNext(context, given, [msg("develop.retried", { id })]);
};

export const skip: Part = async (context, given) => {
  const { skip: id = "" } = given;
  await decided(context, { on: "skip", unit: id });
  return whatIsNext(context, given, [msg("develop.skipped", { id })]);
};

export const unit: Part = async (context, { unit: id = "" }) => {
  const read = await readDevelop(context);
  if (read === undefined) throw notBegun();
  const record = read.state.checkpoints?.[id];
  if (record === undefined && !isPhaseUnit(id)) throw refused(unknown(id));
  const line = `${id}:${record?.status ?? read.state.phase}`;
  return { line, says: [], prompt: unitPrompt(context, read, id) };
};

export const dryRun: Part = async (context, { strategy }) => {
  const { root } = context.project;
  const read = await readDevelop(context);
  const sources = read?.sources ?? (await sourcesOf(root));
  const phase = read?.state.phase ?? "DESIGN";
  const found = await definitionsAt(root, sources.path);
  const checkpoints = read?.run.definitions ?? (found.ok ? found.checkpoints : null);
  const line = `DRY_RUN:${phase}`;
  if (checkpoints === null)
    return { line, says: [msg("develop.dry_run.undefined", { phase, path: sources.path })] };
  const settings = await readSettings(join(root, formats["project-settings"].path));
  const { means } = rulesOf(sources, context.env, {
    headless: read?.run.headless ?? true,
    agent: recordedAgent(read?.task) ?? configuredAgent({ settings }),
  });
  const wish = strategy ?? read?.run.wish ?? sources.strategy;
  const chosen = read?.state.strategy ?? strategyFor(checkpoints, wish, means);
  const passed = Object.entries(read?.state.checkpoints ?? {}).flatMap(([id, { status }]) =>
    status === "passed" ? [id] : [],
  );
  const count = checkpoints.length;
  return {
    line,
    says: [msg("develop.dry_run", { phase, count, strategy: chosen })],
    waves: wavesOf(checkpoints, passed),
  };
};

// --- internal ---

/** Without a session the phase's work is a task of its own, and the person's word is its review's. */
async function reviewOf(context: Context, read: Read): Promise<string | undefined> {
  const store = await context.existingStore();
  const child = store && (await phaseTaskOf(store, read));
  if (child?.status !== "review") return undefined;
  personOnly(context);
  return child.id;
}

function personOnly({ caller }: Context): void {
  if (caller !== null) throw new Fault("refused", msg("develop.person_only"));
}

/** Only a person's: an agent of a run of ours is refused. */
async function decided(context: Context, event: DevelopEvent): Promise<string> {
  personOnly(context);
  const owner = ownerOf(undefined, context.env);
  const done = await takeStep(context, owner, (situation) => applyEvent(situation, event));
  if (done === null) throw notBegun();
  if (!done.ok) throw refused(done);
  return done.state.phase;
}

async function whatIsNext(
  context: Context,
  { session }: Input,
  says: readonly Message[],
): Promise<Developed> {
  const next = await develop.next(context, { session });
  return { line: next.line, says: [...says, ...(next.says === null ? [] : [next.says])] };
}

function wavesOf(checkpoints: readonly Checkpoint[], passed: readonly string[]): string[][] {
  const done = new Set(passed);
  const left = checkpoints.filter(({ id }) => !done.has(id));
  const waves: string[][] = [];
  for (let open = left; open.length > 0; open = open.filter(({ id }) => !done.has(id))) {
    const wave = open.filter(({ dependencies }) => dependencies.every((id) => done.has(id)));
    if (wave.length === 0) break;
    for (const { id } of wave) done.add(id);
    waves.push(wave.map(({ id }) => id));
  }
  return waves;
}
