// What the database keeps of a develop run (DESIGN, "Data"): one task, whose `session` is all that
// state.yaml has no field for. Written in the same commit as the file.
import type { Language } from "../core/messages.ts";
import type { TaskData } from "../engine/state.ts";
import type { DevelopState } from "../formats/develop-state.ts";
import type { Change, Store, TaskRow, TransitionRow } from "../store/database/store.ts";
import type { Accepted, Journaled } from "../workflows/develop/events.ts";
import type { DevelopRun } from "../workflows/develop/private.ts";
import { newRunData, newRunId, newRunRow } from "./_run-row.ts";

export const workflow = "develop";

type Data = TaskData & { readonly session: DevelopRun };

/** The newest run that is not over: one that a person stopped, or cancelled, may go on. */
export async function rowOf(store: Store, projectId: string): Promise<TaskRow | undefined> {
  const statuses = ["in_progress", "failed"];
  const runs = await store.tasks({ projectId, workflow, statuses, archived: false });
  const [newest] = runs.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return runIn(newest)?.replaced === false ? newest : undefined;
}

/** Whoever ended the task, a report does not begin it again: a person resumes it. */
export function runIn(task: TaskRow | undefined): DevelopRun | undefined {
  const { session, failure } = (task?.data ?? {}) as Partial<Data>;
  if (session === undefined || task?.status !== "failed") return session;
  return { ...session, stopped: session.stopped ?? failure?.message ?? task.status };
}

export interface Writing {
  readonly task: TaskRow | undefined;
  readonly projectId: string;
  readonly language: Language;
  readonly agent: string;
  readonly now: number;
}

/** The row as it will be, and the change that makes it so. */
export function changeOf(
  { state, run, journal }: Pick<Accepted, "state" | "run" | "journal">,
  { task, projectId, language, agent, now }: Writing,
): { readonly id: string; readonly change: Omit<Change, "next"> } {
  const at = new Date(now).toISOString();
  const id = task?.id ?? newRunId();
  const status = statusOf(state, run);
  const had = task?.data as Data | undefined;
  const same = task?.status === status && JSON.stringify(had?.session) === JSON.stringify(run);
  if (same && journal.length === 0) return { id, change: {} };
  const data: Data = {
    ...(had ?? newData(state, at, language, agent)),
    progress: progressOf(state),
    completedAt: status === "completed" ? at : null,
    failedAt: status === "failed" ? at : null,
    failure: run.stopped === null ? null : { reason: "cancelled", message: run.stopped },
    session: run,
  };
  const row = {
    ...(task ?? newRunRow({ id, projectId, workflow, status: "in_progress" }, at)),
    status,
    data,
    updatedAt: at,
  };
  const moved = [...(task === undefined ? [began] : []), ...movedTo(task?.status, status)];
  const transitions = [...moved, ...journal].map((line) => transitionOf(line, id, at));
  return { id, change: { tasks: [row], transitions } };
}

/** A run that is begun anew ends the one before: its file is gone. */
export function givenUp(task: TaskRow, now: number): Omit<Change, "next"> {
  const at = new Date(now).toISOString();
  const data = task.data as Data;
  const failure = { reason: "cancelled", message: "restart" } as const;
  const session: DevelopRun = { ...data.session, replaced: true };
  const row = {
    ...task,
    status: "failed",
    updatedAt: at,
    data: { ...data, failure, failedAt: at, session },
  };
  const lines = movedTo(task.status, "failed").map((line) => transitionOf(line, task.id, at));
  return { tasks: [row], transitions: lines };
}

// --- internal ---

type Line = Omit<Journaled, "machine" | "trigger"> & {
  readonly machine: string;
  readonly trigger: string;
};

const began: Line = {
  machine: "task",
  id: "",
  from: "pending",
  to: "in_progress",
  trigger: "start",
  metadata: {},
};

function movedTo(from = "in_progress", to: string): Line[] {
  if (from === to) return [];
  const trigger = to === "completed" ? "phase_passed" : to === "failed" ? "cancel" : "resume";
  return [{ machine: "task", id: "", from, to, trigger, metadata: {} }];
}

function transitionOf(
  { id, ...line }: Line,
  task: string,
  timestamp: string,
): Omit<TransitionRow, "seq"> {
  return { ...line, timestamp, taskId: task, entityId: id === "" ? task : id };
}

function statusOf({ phase }: DevelopState, { stopped }: DevelopRun): string {
  if (stopped !== null) return "failed";
  return phase === "DONE" ? "completed" : "in_progress";
}

const phases = ["DESIGN", "REVIEW", "IMPLEMENT", "MERGE", "DONE"] as const;

/** A quarter for each phase; IMPLEMENT's by its checkpoints (S1.21b). */
function progressOf({ phase, checkpoints = {} }: DevelopState): number {
  const all = Object.values(checkpoints);
  const passed = all.filter(({ status }) => status === "passed").length;
  const part = phase === "IMPLEMENT" && all.length > 0 ? passed / all.length : 0;
  return Math.floor((phases.indexOf(phase) + part) * 25);
}

function newData(
  { feature }: DevelopState,
  at: string,
  language: Language,
  agent: string,
): TaskData {
  const run = { title: feature, description: feature, agent, language };
  return { ...newRunData(run), startedAt: at };
}
