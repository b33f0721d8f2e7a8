// What the database keeps of plans beside their files (DESIGN, "Data"): each plan is a task, and what its
// files have no field for is the task's private part.
import type { Language } from "../core/messages.ts";
import type { TaskData } from "../engine/state.ts";
import type { PlanTask } from "../formats/task-state.ts";
import type { Change, Store, TaskRow, TransitionRow } from "../store/database/store.ts";
import type { PlanAccepted } from "../workflows/plan/events.ts";
import type { PlanRun } from "../workflows/plan/run.ts";
import { newRunData, newRunId, newRunRow } from "./_run-row.ts";

export const workflow = "plan";

export type PlanTaskData = TaskData & { readonly session: PlanRun };
/** By the plan's id. */
export type PlanRows = ReadonlyMap<string, TaskRow>;

/** Plans that are under way or wait. */
export async function readPlans(store: Store, projectId: string): Promise<PlanRows> {
  const statuses = ["in_progress", "pending"];
  const rows = await store.tasks({ projectId, workflow, statuses });
  return new Map(rows.map((row) => [planOf(row).plan, row]));
}

/** Every plan there ever was, the newest first. */
export async function allPlans(store: Store, projectId: string): Promise<TaskRow[]> {
  const rows = await store.tasks({ projectId, workflow });
  return rows.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}

export function planOf({ data }: TaskRow): PlanRun {
  return (data as PlanTaskData).session;
}

export function runsIn(rows: PlanRows): Map<string, PlanRun> {
  return new Map([...rows].map(([id, row]) => [id, planOf(row)]));
}

export interface Writing {
  readonly rows: PlanRows;
  readonly projectId: string;
  readonly language: Language;
  /** Which agent works where no session does. */
  readonly agent: string;
  readonly at: string;
}

/** What one step writes beside the documents, for the same commit. */
export function changeOf(done: PlanAccepted, writing: Writing): Omit<Change, "next"> {
  const { rows, at } = writing;
  const { current_task: current, pending_tasks: pending } = done.state;
  const open = [...(current ? [current] : []), ...pending];
  const ended = new Map(done.ended.map((end) => [end.task.id, end]));
  const written = new Map<string, TaskRow>();
  for (const task of open) {
    const run = done.runs.get(task.id);
    const row = run && rowOf(task, run, rows.get(task.id), writing);
    if (row) written.set(task.id, row);
  }
  for (const { task, run } of ended.values())
    written.set(task.id, endedRow(task, run, rows.get(task.id), writing));
  // The files know nothing of them any more: somebody put an older version back.
  const known = new Set([...open.map(({ id }) => id), ...ended.keys()]);
  for (const [id, row] of rows)
    if (!known.has(id)) written.set(id, { ...row, status: "failed", updatedAt: at });
  const idOf = (plan: string): string => (written.get(plan) ?? rows.get(plan))?.id ?? plan;
  return {
    ...(written.size > 0 ? { tasks: [...written.values()] } : {}),
    transitions: [
      ...[...written].flatMap(([plan, row]) => taskMoves(row, rows.get(plan), at)),
      ...done.journal.map(({ machine, plan, id, from, to, trigger, metadata }) => ({
        timestamp: at,
        taskId: idOf(plan),
        machine,
        entityId: id,
        from,
        to,
        trigger,
        metadata,
      })),
    ],
  };
}

// --- internal ---

/** Undefined: nothing of it has changed. */
function rowOf(
  task: PlanTask,
  run: PlanRun,
  before: TaskRow | undefined,
  writing: Writing,
): TaskRow | undefined {
  const status = task.status === "pending" ? "pending" : "in_progress";
  const { at } = writing;
  const had = before?.data as PlanTaskData | undefined;
  const { steps } = task.plan;
  const done = steps.filter((step) => step.status === "completed").length;
  const data: PlanTaskData = {
    ...(had ?? newData(task, run, writing)),
    title: task.name,
    progress: steps.length === 0 ? 0 : Math.floor((done / steps.length) * 100),
    startedAt: status === "pending" ? null : (had?.startedAt ?? at),
    completedAt: null,
    failedAt: null,
    failure: null,
    session: run,
  };
  if (before?.status === status && JSON.stringify(had) === JSON.stringify(data)) return undefined;
  return { ...(before ?? newRow(writing)), status, data, updatedAt: at };
}

function endedRow(
  task: PlanTask,
  run: PlanRun,
  before: TaskRow | undefined,
  writing: Writing,
): TaskRow {
  const row = rowOf(task, run, before, writing) ?? before ?? newRow(writing);
  const { at } = writing;
  const data = { ...(row.data as PlanTaskData), session: run };
  if (task.status === "completed")
    return { ...row, status: "completed", data: { ...data, completedAt: at, progress: 100 } };
  const reason = task.status === "cancelled" ? "cancelled" : "fatal_error";
  const failure = { reason, message: run.why ?? run.result ?? "" } as const;
  return { ...row, status: "failed", data: { ...data, failedAt: at, failure } };
}

function newRow({ projectId, at }: Writing): TaskRow {
  return newRunRow({ id: newRunId(), projectId, workflow, status: "pending" }, at);
}

function newData(task: PlanTask, run: PlanRun, { language, agent }: Writing): PlanTaskData {
  const { name: title, plan } = task;
  const data = newRunData({ title, description: plan.goal, agent, language });
  return { ...data, session: run };
}

/** As the task's own machine calls it. */
function taskMoves(
  { id, status }: TaskRow,
  before: TaskRow | undefined,
  timestamp: string,
): Omit<TransitionRow, "seq">[] {
  const from = before?.status ?? "draft";
  if (from === status) return [];
  const move = (was: string, to: string, trigger: string) => ({
    timestamp,
    taskId: id,
    machine: "task",
    entityId: id,
    from: was,
    to,
    trigger,
    metadata: {},
  });
  const submitted = from === "draft" ? [move("draft", "pending", "submit")] : [];
  if (status === "pending") return submitted;
  const waiting = from === "draft" || from === "pending";
  const begun = waiting ? [move("pending", "in_progress", "start")] : [];
  if (status === "completed")
    return [...submitted, ...begun, move("in_progress", "completed", "phase_passed")];
  if (status === "failed") {
    const was = waiting ? "pending" : "in_progress";
    return [...submitted, move(was, "failed", waiting ? "cancel" : "fatal_error")];
  }
  return from === "failed" ? [move("failed", "in_progress", "retry")] : [...submitted, ...begun];
}
