// One step of an orchestrate run from a session: document, claims and journal in one commit, under the
// document's lock, so that of several sessions each unit is started by one (S2.11).
import { basename } from "node:path";
import { Fault } from "../core/errors.ts";
import type { OrchestrateState } from "../formats/orchestrate-state.ts";
import type { Change } from "../store/database/store.ts";
import type { Documents } from "../store/documents.ts";
import { applyEvent } from "../workflows/orchestrate/apply.ts";
import type { Accepted, OrchestrateEvent, RefusedEvent } from "../workflows/orchestrate/events.ts";
import { newsOf } from "../workflows/orchestrate/news.ts";
import { factsWithoutPlan, withPlan } from "../workflows/orchestrate/plan.ts";
import { type RunData, runOf } from "../workflows/orchestrate/private.ts";
import type { Decided } from "../workflows/orchestrate/replay.ts";
import { type Wishes, startState, wished } from "../workflows/orchestrate/start.ts";
import { changeOf } from "./_session-orchestrate-change.ts";
import type { Owner } from "./_session-orchestrate-owner.ts";
import { stateRef } from "./_session-orchestrate-read.ts";
import {
  type Rows,
  lostIn,
  noRows,
  readRows,
  runIn,
  unheldIn,
  unitOf,
} from "./_session-orchestrate-rows.ts";
import { slackAddress } from "./_session-orchestrate-read.ts";
import { type Looked, lacksPlan } from "./_session-orchestrate-sources.ts";
import type { Context } from "./operation.ts";

export interface Step {
  readonly event: OrchestrateEvent;
  readonly owner: Owner;
  /** A run is begun where there is none, or the one there is goes on: a person's word. */
  readonly begin?: Wishes & {
    readonly iterations?: number | undefined;
    readonly only?: number | null;
  };
  /** What nobody is known to work on is open again (S2.8). */
  readonly resume?: boolean;
  /** The state is made again before; a Fault refuses it. */
  readonly rebuild?: (state: OrchestrateState | undefined, rows: Rows) => OrchestrateState;
}

/** The state lacks what its plan has: that is to be looked at as a whole. */
export class Lacking extends Error {}

/** Undefined: there is no run, and none was to be begun. */
export async function takeStep(
  context: Context,
  step: Step,
  looked: Looked,
  documents?: Documents,
): Promise<Accepted | RefusedEvent | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await once(context, step, looked, documents ?? (await context.documents()));
    } catch (thrown) {
      // Somebody changed the task itself, which needs no lock of the document: look again.
      const moved = thrown instanceof Fault && thrown.text.key.startsWith("store.stale");
      if (!moved || tries >= mostTries) throw thrown;
    }
  }
}

// --- internal ---

const mostTries = 5;

async function once(
  context: Context,
  step: Step,
  looked: Looked,
  documents: Documents,
): Promise<Accepted | RefusedEvent | undefined> {
  const { id: projectId } = await context.projectRow();
  const store = await context.store();
  const ref = stateRef(context);
  const now = Date.now();
  const unit = "unit" in step.event ? step.event.unit : undefined;
  // `decided` is filled in by `apply`: the journal has what was decided, not what was asked.
  const event: { -readonly [K in keyof Decided]: Decided[K] } = {
    trigger: step.event.on,
    at: new Date(now).toISOString(),
    decided: [],
  };
  let rows = noRows;
  const done = await documents.update<Accepted | RefusedEvent | undefined>({
    files: [ref],
    event,
    before: async () => {
      const plan = looked.changed ? undefined : looked.row;
      rows = await readRows(store, projectId, unit, plan);
    },
    apply: (found) => {
      const file = found.get(ref.path) as OrchestrateState | undefined;
      if (looked.unread && file && lacksPlan(file, looked)) throw new Lacking();
      const result = stepOn(file, context, step, looked, rows, now);
      if (result === undefined || !result.ok) return { documents: new Map(), result };
      event.decided = result.decided;
      const { language } = context;
      const writing = { rows, looked, owner: step.owner, projectId, language, now };
      const change: Omit<Change, "next"> = changeOf(result, writing);
      const changed = result.state === file ? [] : ([[ref.path, result.state]] as const);
      return { documents: new Map<string, unknown>(changed), change, result };
    },
  });
  if (done?.ok) await tell(context, done, rows.task?.status !== "in_progress");
  return done;
}

/** Only where somebody wants to hear of it: its address stands in the file, or in the environment. */
async function tell(context: Context, done: Accepted, began: boolean): Promise<void> {
  const address = slackAddress(done.state, context.env) ?? "";
  const news = address === "" ? [] : newsOf(done, began);
  if (news.length === 0) return;
  const { tellSlack } = await import("./_session-orchestrate-slack.ts");
  const problem = await tellSlack(context, address, news);
  if (problem === null) return;
  const store = await context.store();
  const { task } = await readRows(store, (await context.projectRow()).id);
  const { noteInRun } = await import("./conduct/_note.ts");
  const what = { trigger: "news_not_sent", metadata: { to: hostOf(address), problem } };
  if (task !== undefined) await noteInRun(store, task.id, Date.now(), what);
}

/** What a person may read of a webhook's address: all but what makes it a secret. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "?";
}

function stepOn(
  file: OrchestrateState | undefined,
  context: Context,
  { event, owner, begin, resume, rebuild }: Step,
  looked: Looked,
  rows: Rows,
  clock: number,
): Accepted | RefusedEvent | undefined {
  const now = new Date(clock).toISOString();
  const { settings, facts } = looked.sources;
  const list = looked.problem ? undefined : looked.plan?.list;
  const fresh = (): OrchestrateState | undefined =>
    begin && list
      ? startState(list, basename(context.project.root), now, { mode: settings.mode ?? undefined })
      : undefined;
  const found = rebuild ? rebuild(file, rows) : (file ?? fresh());
  if (found === undefined) return undefined;
  // Counted before the plan's new units come in; a rebuilt state is counted again (S2.2).
  const kept = rebuild
    ? recounted(rows, found)
    : file === undefined
      ? runOf(found)
      : runIn(rows, file);
  const state = wished(list ? withPlan(found, list) : found, begin ?? {});
  const done = applyEvent(
    {
      state,
      run: begin ? wanted(kept, begin) : kept,
      facts: facts ?? factsWithoutPlan(state),
      rules: settings,
      unit: rows.unit && unitOf(rows.unit),
      lost: resume ? unheldIn(rows, state, owner, clock) : lostIn(rows, owner, clock),
      now,
    },
    event,
  );
  // In mode normal who says “go on” lets the phase begin in which it stands now (S2.1); to ask where it stands
  // says nothing of the kind.
  if (!done.ok || !begin || !(resume || rebuild || file === undefined)) return done;
  const agreed = Math.max(done.run.agreed, done.state.execution.current_phase);
  return { ...done, run: { ...done.run, agreed } };
}

/** What a person has said of the run stays; only what the file shows is counted again. */
function recounted(rows: Rows, found: OrchestrateState): RunData {
  const counted = runOf(found);
  if (rows.task?.status !== "in_progress") return counted;
  const { extra, timed } = counted;
  return { ...runIn(rows, found), extra, timed };
}

function wanted(run: RunData, { iterations, only }: NonNullable<Step["begin"]>): RunData {
  return {
    ...run,
    ...(iterations === undefined ? {} : { iterations }),
    ...(only === undefined || only === (run.only ?? null) ? {} : { only }),
  };
}
