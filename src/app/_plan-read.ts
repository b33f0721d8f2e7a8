// A plan as it stands, for who asks: the file, and what the database knows beside it. Takes a lock only
// where the file is not as it was published.
import { join } from "node:path";
import { readdir } from "node:fs/promises";
import { Fault } from "../core/errors.ts";
import type { Message } from "../core/messages.ts";
import { formats } from "../formats/registry.ts";
import type { TaskHistory } from "../formats/task-history.ts";
import type { PlanTask, TaskState } from "../formats/task-state.ts";
import type { Store } from "../store/database/store.ts";
import { realDisk } from "../store/disk.ts";
import type { DocumentRef } from "../store/documents.ts";
import { readRegularFile } from "../store/files.ts";
import type { Asking } from "../workflows/plan/prompts.ts";
import { reconcile } from "../workflows/plan/reconcile.ts";
import { type PlanRun, runOf } from "../workflows/plan/run.ts";
import { planFiles, remembered } from "./_plan-files.ts";
import { type PlanRows, readPlans, runsIn } from "./_plan-rows.ts";
import { takePlanStep } from "./_plan-step.ts";
import type { Context } from "./operation.ts";

export interface PlanNow {
  /** Undefined: nothing of a plan was ever there. */
  readonly state: TaskState | undefined;
  readonly task: PlanTask | undefined;
  /** Of the current one. */
  readonly run: PlanRun | undefined;
  readonly rows: PlanRows;
  /** Undefined where Holdfast never ran. */
  readonly store: Store | undefined;
  /** What does not fit the history, and was put right; for who only looks, will be (S3.7). */
  readonly told: readonly Message[];
}

/** `looks`: nothing is made or put right by it. */
export async function readPlan(context: Context, looks = false): Promise<PlanNow> {
  const { state: file, history } = planFiles(context.project.root);
  // Who goes on with a plan that is there needs all that can be known of it.
  const needed = !looks && realDisk.stamp(file.path) !== null;
  const store = needed ? await context.store() : await context.existingStore();
  if (store === undefined) {
    const { state, told } = fitting(...(await lookAtFiles(context)));
    const task = state?.current_task ?? undefined;
    return { state, task, run: task && runOf(task), rows: new Map(), store, told };
  }
  const { id } = await context.projectRow();
  const documents = await context.documents();
  const read = <T>(ref: DocumentRef): Promise<T | undefined> =>
    (looks ? documents.look(ref) : documents.read(ref)) as Promise<T | undefined>;
  const found = await read<TaskState>(file);
  const fits = fitting(found, found && (await read<TaskHistory>(history)));
  const settles = !looks && fits.told.length > 0;
  if (settles) await takePlanStep(context, { event: { on: "settle" }, owner: null }, documents);
  const state = settles ? await read<TaskState>(file) : fits.state;
  const rows = await readPlans(store, id);
  const task = state?.current_task ?? undefined;
  const run = task && (runsIn(rows).get(task.id) ?? runOf(task));
  return { state, task, run, rows, store, told: fits.told };
}

/** All that prompts are made from; memory that is missing is made (S3.1). */
export async function askingOf(context: Context, task: PlanTask, run: PlanRun): Promise<Asking> {
  const { root } = context.project;
  const open = task.plan.steps.filter(({ status }) => status !== "completed");
  // Who plans, judges and closes has a memory, too: under the name that the plan gives it.
  const names = [task.orchestrator ?? "", ...open.map(({ agent }) => agent)];
  const documents = await context.documents();
  const { context: shared, history, agents } = await remembered(documents, root, names);
  const roles = await ownPrompts(root);
  return { task, run, context: shared, history, agents, roles, language: context.language };
}

// --- internal ---

const longestPrompt = 200_000;

/** A project's own words for a role: `.holdfast/prompts/plan/<role>.md`. */
async function ownPrompts(root: string): Promise<Map<string, string>> {
  const folder = join(root, ".holdfast", "prompts", "plan");
  const names = await readdir(folder).catch(() => []);
  const roles = new Map<string, string>();
  for (const name of names) {
    const [, role] = /^(.+)\.md$/.exec(name) ?? [];
    if (role === undefined) continue;
    const bytes = await readRegularFile(join(folder, name), longestPrompt);
    roles.set(role, new TextDecoder().decode(bytes));
  }
  return roles;
}

/** The state as it should be, by the history. */
function fitting(
  state: TaskState | undefined,
  history: TaskHistory | undefined,
): Pick<PlanNow, "state" | "told"> {
  if (state === undefined || history === undefined) return { state, told: [] };
  const made = reconcile(state, history, state.last_updated);
  return { state: made.state, told: made.done };
}

async function lookAtFiles(
  context: Context,
): Promise<[TaskState | undefined, TaskHistory | undefined]> {
  const { lookAround } = await import("./operations/_look.ts");
  const looked = lookAround(context.project.root);
  const state = await looked.at(formats["task-state"].path, "task-state");
  const history = await looked.at(formats["task-history"].path, "task-history");
  const [problem] = looked.problems;
  if (problem === undefined) return [state, history];
  const { code, message, hint } = problem;
  throw new Fault(code, message, hint ? { hint } : {});
}
