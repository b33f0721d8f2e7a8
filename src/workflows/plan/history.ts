// The history of plans (S3.6): the newest hundred stay, of these any older than thirty days as a
// summary; what leaves the file stays in the journal. Statistics cover all that ever ended, so they are
// carried on from those in the file, exactly: a score is a half or a whole, a duration counts in
// milliseconds, and both come back from the averages without loss. A plan that a person cancelled is
// listed and counted, but neither succeeded nor failed: rate and average leave it out.
import { type Message, msg } from "../../core/messages.ts";
import { type TaskHistory, maxHistory } from "../../formats/task-history.ts";

export type Ended = TaskHistory["tasks"][number];

export interface Kept {
  readonly history: TaskHistory;
  /** What left the file, or was cut to a summary. */
  readonly told: readonly Message[];
}

/** How a plan ended before it was taken up again: it is one plan, and counts once. */
export type Earlier = Pick<Ended, "result" | "duration_seconds"> & { readonly cancelled?: unknown };

/** `now` in milliseconds. A plan that was taken up again has one entry: its last end. */
export function withEnded(
  history: TaskHistory,
  entry: Ended,
  now: number,
  earlier: Earlier | null = null,
): Kept {
  const before = history.tasks.find(({ id }) => id === entry.id) ?? earlier ?? undefined;
  const statistics = counted(history, entry, before);
  const all = [...history.tasks.filter(({ id }) => id !== entry.id), entry];
  const newest = all.toSorted((a, b) => endOf(a) - endOf(b)).slice(-maxHistory);
  const stays = new Set(newest);
  const gone = all.filter((task) => !stays.has(task)).map(({ id }) => id);
  const short: string[] = [];
  const tasks = newest.map((task) => {
    if (now - endOf(task) <= summaryAfterMs || !hasDetails(task)) return task;
    short.push(task.id);
    const { artifacts: _a, metrics: _m, lessons: _l, ...summary } = task;
    return summary;
  });
  const told = [
    ...(gone.length > 0 ? [msg("plan.history.gone", { ids: gone.join(", ") })] : []),
    ...(short.length > 0 ? [msg("plan.history.short", { ids: short.join(", ") })] : []),
  ];
  return { history: { ...history, tasks, statistics }, told };
}

// --- internal ---

const summaryAfterMs = 30 * 24 * 3_600_000;
const scores = { success: 1, partial: 0.5, failure: 0 } as const;

type Statistics = TaskHistory["statistics"];

function counted({ tasks, statistics }: TaskHistory, entry: Ended, end?: Earlier): Statistics {
  const was = sumsOf(tasks, statistics);
  // A history that was lost meanwhile does not know it.
  const before = was.total === 0 ? undefined : end;
  const total = was.total + (before ? 0 : 1);
  const judged = was.judged + countOf(entry) - (before ? countOf(before) : 0);
  const score = was.score + scoreOf(entry) - (before ? scoreOf(before) : 0);
  const milliseconds = was.milliseconds + msOf(entry) - (before ? msOf(before) : 0);
  return {
    ...statistics,
    total_tasks: total,
    success_rate: judged === 0 ? 0 : Math.min(1, Math.max(0, score / judged)),
    avg_duration_seconds: judged === 0 ? 0 : Math.max(0, milliseconds / judged / 1_000),
    ...(judged < total || statistics["cancelled"] !== undefined
      ? { cancelled: total - judged }
      : {}),
  };
}

function sumsOf(tasks: readonly Ended[], statistics: Statistics) {
  const { total_tasks: total, success_rate: rate, avg_duration_seconds: average } = statistics;
  // Statistics that miss what is listed were never kept: those listed are all there is.
  if (total < tasks.length)
    return {
      total: tasks.length,
      judged: tasks.reduce((sum, task) => sum + countOf(task), 0),
      score: tasks.reduce((sum, task) => sum + scoreOf(task), 0),
      milliseconds: tasks.reduce((sum, task) => sum + msOf(task), 0),
    };
  const { cancelled } = statistics;
  const left = typeof cancelled === "number" && cancelled >= 0 ? Math.round(cancelled) : 0;
  const judged = Math.max(0, total - left);
  return {
    total,
    judged,
    score: Math.round(rate * judged * 2) / 2,
    milliseconds: Math.round(average * judged * 1_000),
  };
}

export function isCancelled({ cancelled }: Earlier): boolean {
  return cancelled === true;
}

function countOf(end: Earlier): number {
  return isCancelled(end) ? 0 : 1;
}

function scoreOf(end: Earlier): number {
  return countOf(end) * scores[end.result];
}

function msOf(end: Earlier): number {
  return countOf(end) * Math.round(end.duration_seconds * 1_000);
}

function endOf({ completed_at: at }: Ended): number {
  return Date.parse(at);
}

function hasDetails({ artifacts, metrics, lessons }: Ended): boolean {
  return artifacts !== undefined || metrics !== undefined || lessons !== undefined;
}
