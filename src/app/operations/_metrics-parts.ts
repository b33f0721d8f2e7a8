// Where a task's time and money went, told from its journal and its spending rows.
//
// Time: an agent that is `running` works; one that waits for an answer, a value or a review, or was
// paused by a person, a spent budget or a refused account, waits for people; one at a limit or
// without a network waits for that. Each is a span between two lines of the journal.
//
// Money: a row says what a task spent on one universal day. A person's day may hold parts of two of
// those; the row is then shared out by the time that the task worked in each, which is exact
// whenever it worked on one of them alone.
import type { Spent } from "../../engine/state.ts";
import type { TransitionRow } from "../../store/database/store.ts";
import { type Calendar, dayMs, eachDay } from "./_metrics-days.ts";

export interface Figures {
  costUsd: number;
  tokens: number;
  workingMs: number;
  waitingMs: number;
  limitMs: number;
  retries: number;
}

export const noFigures = (): Figures => ({
  costUsd: 0,
  tokens: 0,
  workingMs: 0,
  waitingMs: 0,
  limitMs: 0,
  retries: 0,
});

export function added(to: Figures, more: Partial<Figures>): void {
  for (const name of Object.keys(more) as (keyof Figures)[]) to[name] += more[name] ?? 0;
}

type SpanKind = "workingMs" | "waitingMs" | "limitMs";

/** What a task's journal says, once and for all times that are over. */
export interface Story {
  readonly spans: readonly { readonly kind: SpanKind; readonly from: number; to: number }[];
  /** When something had to be done again. */
  readonly retries: readonly number[];
}

/** `until`: what is open lasts to this instant. */
export function storyOf(rows: readonly TransitionRow[], until: number): Story {
  const spans: { kind: SpanKind; from: number; to: number }[] = [];
  const retries: number[] = [];
  const open = new Map<string, { kind: SpanKind | null; from: number }>();
  const close = (agent: string, at: number): void => {
    const span = open.get(agent);
    open.delete(agent);
    if (span?.kind && at > span.from) spans.push({ kind: span.kind, from: span.from, to: at });
  };
  for (const { machine, entityId, from, to, trigger, timestamp } of rows) {
    if (machine !== "agent") continue;
    const at = Date.parse(timestamp);
    if (again.has(trigger)) retries.push(at);
    if (from === to && open.has(entityId)) continue;
    close(entityId, at);
    open.set(entityId, { kind: kindOf(to, trigger), from: at });
  }
  for (const agent of open.keys()) close(agent, until);
  return { spans, retries };
}

/** By day, of one task. */
export function figuresByDay(
  { spans, retries }: Story,
  spending: readonly { readonly day: string; readonly spent: Spent }[],
  calendar: Calendar,
): Map<string, Figures> {
  const days = new Map<string, Figures>();
  const on = (day: string): Figures => {
    const figures = days.get(day) ?? noFigures();
    days.set(day, figures);
    return figures;
  };
  for (const { kind, from, to } of spans)
    eachDay(from, to, calendar, (day, milliseconds) => added(on(day), { [kind]: milliseconds }));
  for (const at of retries) added(on(calendar.dayOf(at)), { retries: 1 });
  for (const { day, spent } of spending) {
    const { costUsd, tokens } = spent;
    for (const [local, share] of sharesOf(day, spans, calendar))
      added(on(local), { costUsd: costUsd * share, tokens: tokens * share });
  }
  return days;
}

// --- internal ---

const again: ReadonlySet<string> = new Set(["exited", "verification_failed", "request_changes"]);
/** What a pause was for, by what journaled it. */
const limits: ReadonlySet<string> = new Set(["RATE_LIMIT", "NETWORK", "DISK_LOW"]);

function kindOf(status: string, trigger: string): SpanKind | null {
  if (status === "running") return "workingMs";
  if (status === "paused") return limits.has(trigger) ? "limitMs" : "waitingMs";
  return status.startsWith("waiting_") ? "waitingMs" : null;
}

/** How much of a universal day's spending belongs to which of the person's days; together 1. */
function sharesOf(
  day: string,
  spans: Story["spans"],
  calendar: Calendar,
): ReadonlyMap<string, number> {
  const start = Date.parse(`${day}T00:00:00Z`);
  const end = start + dayMs;
  const worked = new Map<string, number>();
  let total = 0;
  for (const { kind, from, to } of spans) {
    if (kind !== "workingMs") continue;
    eachDay(Math.max(from, start), Math.min(to, end), calendar, (local, milliseconds) => {
      worked.set(local, (worked.get(local) ?? 0) + milliseconds);
      total += milliseconds;
    });
  }
  // Spent with no time on record: the middle of the day is as good a guess as any.
  if (total === 0) return new Map([[calendar.dayOf(start + dayMs / 2), 1]]);
  return new Map([...worked].map(([local, milliseconds]) => [local, milliseconds / total]));
}
