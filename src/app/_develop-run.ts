// A develop run on the disk: state.yaml, its task and the journal, changed in one commit under the
// file's lock. Sessions, people and a headless run all come through here.
import { join } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import type { DevelopState } from "../formats/develop-state.ts";
import { formats } from "../formats/registry.ts";
import type { TaskRow } from "../store/database/store.ts";
import type { DocumentRef } from "../store/documents.ts";
import { oursOf } from "../workflows/develop/apply.ts";
import type { Accepted, RefusedEvent, Situation } from "../workflows/develop/events.ts";
import { type DevelopRun, newRun } from "../workflows/develop/private.ts";
import { type Sources, definitionsAt, rulesOf, sourcesOf } from "./_develop-sources.ts";
import { changeOf, rowOf, runIn } from "./_develop-rows.ts";
import { recordedAgent } from "./agent-choice.ts";
import { type Owner, isLost } from "./_session-orchestrate-owner.ts";
import type { Context } from "./operation.ts";

export interface Read {
  readonly state: DevelopState;
  readonly task: TaskRow | undefined;
  readonly run: DevelopRun;
  readonly sources: Sources;
}

/** Undefined: there is no file, so no run. */
export async function readDevelop(context: Context): Promise<Read | undefined> {
  const { root } = context.project;
  const store = await context.existingStore();
  const state = store === undefined ? await lookAt(context) : await readState(context);
  if (state === undefined) return undefined;
  const sources = await sourcesOf(root);
  const task = store && (await rowOf(store, (await context.projectRow()).id));
  return { state, task, run: await runFor(context, task, state, sources), sources };
}

export function situationOf(
  context: Context,
  { state, run, sources, task }: Read,
  owner: Owner | null,
  now: number,
): Situation {
  const agent = recordedAgent(task) ?? null;
  const rules = rulesOf(sources, context.env, { headless: run.headless, agent });
  return { state, run, rules, lost: lostIn(run, owner, now), now: new Date(now).toISOString() };
}

/** `id`: the run's task. */
export type Stepped = (Accepted & { readonly id: string }) | RefusedEvent | null;

export type Decide = (situation: Situation) => Accepted | RefusedEvent | null;

/** Null: `decide` had nothing to change. `taskId`: of this run and no other. */
export async function takeStep(
  context: Context,
  owner: Owner | null,
  decide: Decide,
  taskId?: string,
): Promise<Stepped> {
  for (let tries = 1; ; tries++) {
    try {
      return await once(context, owner, decide, taskId);
    } catch (thrown) {
      // A lease was renewed meanwhile, which needs no lock of the file: look again.
      const moved = thrown instanceof Fault && thrown.text.key.startsWith("store.stale");
      if (!moved || tries >= mostTries) throw thrown;
    }
  }
}

export function stateRef({ project }: Context): DocumentRef {
  return { path: join(project.root, formats["develop-state"].path), format: "develop-state" };
}

export function notBegun(): Fault {
  return new Fault("not_found", msg("develop.not_begun"), { hint: msg("develop.not_begun.hint") });
}

export function refused({ kind, why, hint }: RefusedEvent): Fault {
  return new Fault(kind, why, hint ? { hint } : {});
}

// --- internal ---

const mostTries = 5;

async function once(
  context: Context,
  owner: Owner | null,
  decide: Decide,
  taskId: string | undefined,
): Promise<Stepped> {
  const read = await readDevelop(context);
  if (read === undefined) throw notBegun();
  const { id: projectId } = await context.projectRow();
  const store = await context.store();
  const ref = stateRef(context);
  const now = Date.now();
  const { language } = context;
  let task = read.task;
  // Filled in by `apply`: the journal has what was decided, for who has to decide it again (S5.3).
  const event: { develop?: unknown } = {};
  return (await context.documents()).update<Stepped>({
    files: [ref],
    event,
    before: async () => {
      task = await rowOf(store, projectId);
    },
    apply: (found) => {
      const state = found.get(ref.path) as DevelopState | undefined;
      if (state === undefined) throw notBegun();
      const none = { documents: new Map<string, unknown>(), result: null };
      if (taskId !== undefined && task?.id !== taskId) return none;
      const run = runIn(task) ?? read.run;
      const whole = { ...run, definitions: run.definitions ?? read.run.definitions };
      const done = decide(situationOf(context, { ...read, task, state, run: whole }, owner, now));
      if (done === null || !done.ok) return { ...none, result: done };
      // A row that is missing is made for sessions; who carries the run out names its agent (`letRun`).
      const writing = { task, projectId, language, agent: "session", now };
      const { id, change } = changeOf(done, writing);
      event.develop = oursOf(done.state);
      const changed = done.state === state ? [] : ([[ref.path, done.state]] as const);
      return { documents: new Map<string, unknown>(changed), change, result: { ...done, id } };
    },
  });
}

/** A file that somebody else wrote, or whose home was lost: the design's own file tells the rest. */
async function runFor(
  context: Context,
  task: TaskRow | undefined,
  state: DevelopState,
  { path }: Sources,
): Promise<DevelopRun> {
  const run = runIn(task) ?? newRun();
  if (run.definitions !== null || state.phase === "DESIGN") return run;
  const found = await definitionsAt(context.project.root, path);
  return found.ok ? { ...run, definitions: found.checkpoints } : run;
}

function lostIn({ units }: DevelopRun, owner: Owner | null, now: number): Set<string> {
  if (owner === null) return new Set();
  const held = Object.entries(units) as [string, Parameters<typeof isLost>[0]][];
  return new Set(held.flatMap(([id, unit]) => (isLost(unit, owner, now) ? [id] : [])));
}

async function readState(context: Context): Promise<DevelopState | undefined> {
  return (await (await context.documents()).read(stateRef(context))) as DevelopState | undefined;
}

/** Where Holdfast never ran: the file as it lies there. */
async function lookAt(context: Context): Promise<DevelopState | undefined> {
  const { lookAround } = await import("./operations/_look.ts");
  const looked = lookAround(context.project.root);
  const state = await looked.at(formats["develop-state"].path, "develop-state");
  const [problem] = looked.problems;
  if (problem !== undefined)
    throw new Fault(problem.code, problem.message, problem.hint ? { hint: problem.hint } : {});
  return state;
}
