// The row of a run that is carried out by itself: that it is, where it stands, why it waits, its end.
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { RunPlace, Task } from "../../engine/state.ts";
import type { Change, Store, TransitionRow } from "../../store/database/store.ts";
import type { RunStands } from "../../workflows/orders.ts";

/** Undefined: nobody is to carry it out; sessions may work through it. */
export function runOf({ data }: Task): RunPlace | undefined {
  return data.run;
}

export interface Wishes {
  /** Who works; without it as the run was begun. */
  readonly agent?: string | undefined;
  /** For the sample agent. */
  readonly script?: string | undefined;
}

/** From now on it is carried out by itself, by whoever serves this home. */
export function letRun(store: Store, taskId: string, wishes: Wishes, now: number): Promise<Task> {
  return change(store, taskId, now, ({ data }) => ({
    agent: wishes.agent ?? data.agent,
    script: wishes.script ?? data.script,
    run: { ...(data.run ?? begun), held: null, paused: false },
  }));
}

export async function placeRun(
  store: Store,
  taskId: string,
  place: RunStands | Required<Pick<RunPlace, "stilled">> | Required<Pick<RunPlace, "heldBy">>,
  now: number,
): Promise<void> {
  await change(store, taskId, now, ({ data }) => ({ run: { ...(data.run ?? begun), ...place } }));
}

/** A person stops it for now; whoever carries it tells its agents. */
export async function pauseRun(store: Store, taskId: string, now: number): Promise<void> {
  const status = "in_progress";
  const line = {
    timestamp: new Date(now).toISOString(),
    taskId,
    machine: "task",
    entityId: taskId,
  };
  const more = {
    transitions: [{ ...line, from: status, to: status, trigger: "pause", metadata: {} }],
  };
  await change(store, taskId, now, stoodStill, { more });
}

export async function holdRun(
  store: Store,
  taskId: string,
  why: string,
  question: string | null,
  now: number,
): Promise<void> {
  const heldAt = new Date(now).toISOString();
  const status = "in_progress";
  const line = { timestamp: heldAt, taskId, machine: "task", entityId: taskId };
  const more = {
    effects: [notice(taskId, "held", now)],
    transitions: [{ ...line, from: status, to: status, trigger: "held", metadata: { why } }],
  };
  const held = ({ data }: Task) => ({
    run: { ...(data.run ?? begun), held: why, heldAt, heldBy: question },
  });
  await change(store, taskId, now, held, { more });
}

/** Its workflow may have said so already, with its documents. */
export async function endRun(
  store: Store,
  taskId: string,
  result: "completed" | "failed",
  why: string,
  now: number,
): Promise<void> {
  const at = new Date(now).toISOString();
  const row = (await store.task(taskId)) as Task | undefined;
  if (row === undefined || row.status === "completed" || row.status === "failed") return;
  const { status: from } = row;
  const transition = {
    ...lineOf(row, at),
    from,
    to: result,
    trigger: "run_ended",
    metadata: { why },
  };
  await change(
    store,
    taskId,
    now,
    () =>
      result === "completed"
        ? { completedAt: at, progress: 100 }
        : { failedAt: at, failure: { reason: "fatal_error", message: why } },
    {
      status: result,
      more: { transitions: [transition], effects: [notice(taskId, result, now)] },
    },
  );
}

// --- internal ---

const stoodStill = ({ data }: Task) => ({ run: { ...(data.run ?? begun), paused: true } });

const begun: RunPlace = { phase: 1, phases: 1, name: null, paused: false, held: null };
const mostTries = 20;

/** People are told by whoever looks after the task next. */
function notice(taskId: string, what: string, at: number) {
  const key = `${taskId}:${at}:${what}`;
  return { key, taskId, name: "notify", data: { what, at }, createdAt: at };
}

/** The engine and sessions write the same row: read again until nobody came between. */
async function change(
  store: Store,
  taskId: string,
  now: number,
  data: (task: Task) => Partial<Task["data"]>,
  { status, more = {} }: { status?: "completed" | "failed"; more?: Change } = {},
): Promise<Task> {
  for (let tries = 1; ; tries++) {
    const row = (await store.task(taskId)) as Task | undefined;
    if (row === undefined) throw new Fault("not_found", msg("task.unknown", { id: taskId }));
    const next: Task = {
      ...row,
      status: status ?? row.status,
      data: { ...row.data, ...data(row) },
      updatedAt: new Date(now).toISOString(),
    };
    const outcome = await store.commit({ ...more, tasks: [next] });
    if (outcome.ok) return { ...next, rev: next.rev + 1 };
    if (tries === mostTries) throw new Fault("locked", outcome.what);
  }
}

function lineOf(
  { id }: Task,
  timestamp: string,
): Pick<TransitionRow, "timestamp" | "taskId" | "machine" | "entityId"> {
  return { timestamp, taskId: id, machine: "task", entityId: id };
}
