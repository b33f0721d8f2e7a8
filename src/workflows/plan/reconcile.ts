// The current plan against the history (S3.7): a task that has ended is neither current nor
// waiting, and no two tasks have one id.
import { nextDayId, parseDayId } from "../../core/ids.ts";
import { type Message, msg } from "../../core/messages.ts";
import type { TaskHistory } from "../../formats/task-history.ts";
import type { PlanTask, TaskState } from "../../formats/task-state.ts";

export interface Reconciled {
  readonly state: TaskState;
  /** What was put right; nothing where the two agree. */
  readonly done: readonly Message[];
  /** Tasks that the history knows as ended, with what it says of them. */
  readonly ended: readonly { readonly task: PlanTask; readonly record: Ended }[];
}

/** The history is what happened, so it stays as it is; the state gives way. */
export function reconcile(state: TaskState, history: TaskHistory, now: string): Reconciled {
  const ended = new Map(history.tasks.map((task) => [task.id, task]));
  const taken = new Set([...ended.keys(), ...idsOf(state)]);
  const done: Message[] = [];
  const over: { task: PlanTask; record: Ended }[] = [];
  const judge = (task: PlanTask, gone: (id: string) => Message): PlanTask | undefined => {
    const record = ended.get(task.id);
    if (!record || isTakenUpAgain(task, record)) return task;
    const { id } = task;
    if (record.name === task.name) {
      done.push(gone(id));
      over.push({ task, record });
      return undefined;
    }
    const to = freeId(id, taken);
    if (to === undefined) return task;
    done.push(msg("reconcile.renamed", { id, to }));
    return { ...task, id: to };
  };
  const { current_task: current, pending_tasks: pending } = state;
  const next: TaskState = {
    ...state,
    current_task:
      (current && judge(current, (id) => msg("reconcile.current_ended", { id }))) ?? null,
    pending_tasks: pending.flatMap(
      (task) => judge(task, (id) => msg("reconcile.pending_ended", { id })) ?? [],
    ),
  };
  if (done.length === 0) return { state, done, ended: over };
  return { state: { ...next, last_updated: now }, done, ended: over };
}

/** An id of the same day that nobody has; it is taken from then on. */
export function freeId(id: string, taken: Set<string>): string | undefined {
  const parsed = parseDayId(id);
  if (!parsed) return undefined;
  const free = nextDayId(parsed.kind, parsed.day, taken);
  taken.add(free);
  return free;
}

// --- internal ---

type Ended = TaskHistory["tasks"][number];

function idsOf({ current_task: current, pending_tasks: pending }: TaskState): string[] {
  return [...(current ? [current] : []), ...pending].map(({ id }) => id);
}

/** A failed task that is recovered is current again, and its earlier end stays in the history. */
function isTakenUpAgain({ name, started_at: started, updated_at: updated }: PlanTask, end: Ended) {
  const last = Date.parse(updated ?? started ?? "");
  return name === end.name && last > Date.parse(end.completed_at);
}
