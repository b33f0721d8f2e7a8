// One step of a plan, from a session, a person or a run without a session: state, history and shared
// context, the plan's private part and the journal in one commit, under the files' locks.
import { Fault } from "../core/errors.ts";
import { formats } from "../formats/registry.ts";
import type { SharedContext } from "../formats/shared-context.ts";
import type { TaskHistory } from "../formats/task-history.ts";
import type { TaskState } from "../formats/task-state.ts";
import type { Applied, DocumentMap, Documents } from "../store/documents.ts";
import { applyPlan } from "../workflows/plan/apply.ts";
import type { PlanAccepted, PlanEvent, PlanRefused, PlanWorld } from "../workflows/plan/events.ts";
import { initialMemory } from "../workflows/plan/initial.ts";
import { headlessSession } from "../workflows/plan/orders.ts";
import type { Written } from "../workflows/plan/replay.ts";
import { runOf, stepRun } from "../workflows/plan/run.ts";
import { type PlanFiles, copyMemory, planFiles } from "./_plan-files.ts";
import { type PlanRows, allPlans, changeOf, planOf, readPlans, runsIn } from "./_plan-rows.ts";
import { type Owner, type SessionHolder, isLost } from "./_session-orchestrate-owner.ts";
import type { Context } from "./operation.ts";

export interface PlanStep {
  readonly event: PlanEvent;
  /** Who calls; null: nobody in a session. */
  readonly owner: Owner | null;
  /** Steps that no living session holds are open again, a person says so. */
  readonly resume?: boolean;
  /** Which agent works where no session does. */
  readonly agent?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now?: number;
}

export type PlanOutcome = PlanAccepted | PlanRefused;

export async function takePlanStep(
  context: Context,
  step: PlanStep,
  documents?: Documents,
): Promise<PlanOutcome> {
  for (let tries = 1; ; tries++) {
    try {
      return await once(context, step, documents ?? (await context.documents()));
    } catch (thrown) {
      // Somebody changed the task itself, which needs no lock of the documents: look again.
      const moved = thrown instanceof Fault && thrown.text.key.startsWith("store.stale");
      if (!moved || tries >= mostTries) throw thrown;
    }
  }
}

export function refusedPlan({ kind, why, hint }: PlanRefused): Fault {
  return new Fault(kind, why, hint ? { hint } : {});
}

// --- internal ---

const mostTries = 5;

/** Events with which a plan may start, end or be made anew: a copy is made before (S3.5). */
const copied: ReadonlySet<PlanEvent["on"]> = new Set([
  "begin",
  "answer",
  "no_answer",
  "edit",
  "cancel",
  "recover",
  "resume",
  "settle",
]);

async function once(context: Context, step: PlanStep, documents: Documents): Promise<PlanOutcome> {
  const { id: projectId } = await context.projectRow();
  const store = await context.store();
  const files = planFiles(context.project.root);
  const now = step.now ?? Date.now();
  const at = new Date(now).toISOString();
  // `wrote` is filled in by `apply`: the journal has what was written, not what was asked.
  const event: { -readonly [K in keyof Written]: Written[K] } = {
    trigger: step.event.on,
    at,
    wrote: {},
  };
  let [rows, given] = [new Map() as PlanRows, step.event];
  return documents.update<PlanOutcome>({
    files: [files.state, files.history, files.context],
    event,
    before: async () => {
      rows = await readPlans(store, projectId);
      if (copied.has(step.event.on)) await copyMemory(context, files.root);
      const { event: asked } = step;
      if (asked.on === "begin") {
        const taken = (await allPlans(store, projectId)).map((row) => planOf(row).plan);
        given = { ...asked, taken: [...asked.taken, ...taken] };
      }
      if (asked.on === "recover") {
        const row = (await allPlans(store, projectId)).find(
          (one) => planOf(one).plan === asked.run.plan,
        );
        if (row) rows = new Map([...rows, [asked.run.plan, row]]);
      }
    },
    apply: (found) => {
      const world = worldOf(found, files, rows, at);
      const { language } = context;
      const lost = lostIn(world, step, now);
      const done = applyPlan({ ...world, now, language, lost }, given);
      if (!done.ok) return { documents: new Map(), result: done };
      const agent = step.agent ?? "session";
      const change = changeOf(done, { rows, projectId, language, agent, at });
      const written = writtenBy(done, found, files);
      event.wrote = written.wrote;
      return { documents: written.documents, change, result: done };
    },
  });
}

function worldOf(found: DocumentMap, files: PlanFiles, rows: PlanRows, at: string): PlanWorld {
  const state = found.get(files.state.path) as TaskState | undefined;
  const history = found.get(files.history.path) as TaskHistory | undefined;
  const context = found.get(files.context.path) as SharedContext | undefined;
  return {
    state: state ?? initialMemory("task-state", "", at),
    history: history ?? initialMemory("task-history", "", at),
    context: context ?? initialMemory("shared-context", "", at),
    runs: runsIn(rows),
  };
}

/** Steps whose session is gone; where a person resumes, all that no living one holds. */
function lostIn({ state, runs }: PlanWorld, step: PlanStep, now: number): Set<number> {
  const { current_task: task } = state;
  if (!task || step.owner === null) return new Set();
  const { owner, resume, event } = step;
  // Who takes a plan over from a run without a session ends what that had begun.
  const takes = event.on === "resume" && event.driver === "session";
  const run = runs.get(task.id) ?? runOf(task);
  const busy = task.plan.steps.filter(({ status }) => status === "in_progress");
  return new Set(
    busy.flatMap(({ id }) => {
      const holder = stepRun(run, id).holder as SessionHolder | null;
      const unheld = holder === null || (takes && holder.session === headlessSession);
      return (unheld ? resume === true : isLost({ holder }, owner, now)) ? [id] : [];
    }),
  );
}

function writtenBy(
  { state, history, context }: PlanAccepted,
  found: DocumentMap,
  files: PlanFiles,
): Pick<Applied<unknown>, "documents"> & Pick<Written, "wrote"> {
  const wrote: Record<string, Record<string, unknown>> = {};
  const documents = new Map<string, unknown>();
  const fields = {
    state: ["current_task", "pending_tasks", "last_updated"],
    history: ["tasks", "statistics"],
    context: ["session", "last_updated"],
  } as const;
  for (const [name, value] of Object.entries({ state, history, context })) {
    const ref = files[name as keyof typeof fields];
    if (found.get(ref.path) === value) continue;
    documents.set(ref.path, value);
    const all: Readonly<Record<string, unknown>> = value;
    wrote[formats[ref.format].name] = Object.fromEntries(
      fields[name as keyof typeof fields].map((field) => [field, all[field]]),
    );
  }
  return { documents, wrote };
}
