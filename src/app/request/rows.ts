// What the database keeps of requests beside their documents (DESIGN, "Data"): each is a task, the one
// that is at work in progress, those behind it pending.
import { type Language, msg, render } from "../../core/messages.ts";
import type { TaskData } from "../../engine/state.ts";
import type { Change, Store, TaskRow, TransitionRow } from "../../store/database/store.ts";
import type { Accepted } from "../../workflows/request/events.ts";
import type { RequestState } from "../../formats/request-state.ts";
import type { RequestRun } from "../../workflows/request/private.ts";
import { newRunData, newRunId, newRunRow } from "../_run-row.ts";

export const workflow = "request";

export type RequestTaskData = TaskData & { readonly session: RequestRun };
export interface RequestRow extends TaskRow {
  readonly data: RequestTaskData;
}

/** All there ever were here, in the order in which they were asked for. */
export async function requestRows(store: Store, projectId: string): Promise<RequestRow[]> {
  const rows = (await store.tasks({ projectId, workflow })) as RequestRow[];
  return rows.toSorted((a, b) => numberOf(a) - numberOf(b));
}

export function activeRow(rows: readonly RequestRow[]): RequestRow | undefined {
  return rows.findLast(({ status }) => status === "in_progress");
}

/** What state.json is about has come to its end: completed, or reset, which the file calls stopped. */
export function isOpen(state: RequestState | undefined, rows: readonly RequestRow[]): boolean {
  if (state === undefined || state.request.status === "completed") return false;
  return resetRun(state, rows) === undefined;
}

/** The private part of the request that state.json is about, where it was reset. */
export function resetRun(
  { request }: RequestState,
  rows: readonly RequestRow[],
): RequestRun | undefined {
  const own = rows.findLast(({ data }) => data.session.id === request.id)?.data.session;
  return own?.reset === true ? own : undefined;
}

export function waitingRows(rows: readonly RequestRow[]): RequestRow[] {
  return rows.filter(({ status }) => status === "pending");
}

export interface Owned {
  readonly projectId: string;
  readonly language: Language;
  readonly agent: string;
  readonly now: string;
}

export function newRow(run: RequestRun, begins: boolean, owned: Owned): RequestRow {
  const { projectId, language, agent, now } = owned;
  const title = run.text.split("\n")[0]?.slice(0, 200) ?? run.id;
  const data: RequestTaskData = {
    ...newRunData({ title, description: run.text, agent, language }),
    startedAt: begins ? now : null,
    session: run,
  };
  const status = begins ? "in_progress" : "pending";
  return { ...newRunRow({ id: newRunId(), projectId, workflow, status }, now), data };
}

/** The row and the journal of one step, for the commit of its documents. */
export function changeOf(row: RequestRow, done: Accepted, now: string): Omit<Change, "next"> {
  const { state, run } = done;
  const status = statusOf(state, run);
  const ended = status !== "in_progress";
  const failure = {
    reason: "cancelled" as const,
    message: render(run.language, msg("request.was_reset", { id: run.id })),
  };
  const data: RequestTaskData = {
    ...row.data,
    progress: status === "completed" ? 100 : progressOf(state),
    completedAt: status === "completed" ? now : null,
    failedAt: status === "failed" ? now : null,
    failure: status === "failed" ? failure : null,
    session: run,
  };
  const lines = done.journal.map(({ machine, id: entityId, from, to, trigger, metadata }) => {
    return { timestamp: now, taskId: row.id, machine, entityId, from, to, trigger, metadata };
  });
  return {
    tasks: [{ ...row, status, data, updatedAt: now }],
    transitions: [...lines, ...(ended ? [taskLine(row, status, now)] : [])],
  };
}

export function taskLine(
  { id, status: from }: RequestRow,
  to: string,
  timestamp: string,
): Omit<TransitionRow, "seq"> {
  const trigger = to === "in_progress" ? "start" : to === "completed" ? "phase_passed" : "cancel";
  return { timestamp, taskId: id, machine: "task", entityId: id, from, to, trigger, metadata: {} };
}

// --- internal ---

function numberOf({ data }: RequestRow): number {
  return Number(data.session.id.slice(1));
}

/** Reset, it has failed as a task; stopped, it may be resumed. */
function statusOf({ request }: RequestState, { reset }: RequestRun): string {
  if (reset === true) return "failed";
  return request.status === "completed" ? "completed" : "in_progress";
}

function progressOf({ tasks, task_order: order }: RequestState): number {
  if (order.length === 0) return 0;
  const done = order.map((id): number => {
    const entry = tasks[id];
    if (entry === undefined) return 0;
    if (entry.status === "completed") return 1;
    const { subtasks, subtask_order: all } = entry;
    const ready = all.filter((each) => subtasks[each]?.status === "completed").length;
    return all.length === 0 ? 0 : ready / all.length;
  });
  return Math.floor((done.reduce((sum, one) => sum + one, 0) / order.length) * 100);
}
