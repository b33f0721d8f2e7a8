// Where a task's time went: on the machine, or waiting for a person.
import type { TaskDetail } from "../../data/api.ts";

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Spans in which it waited for a person, of one phase or of all, none counted twice. */
export function waitedMs(task: TaskDetail, now: number): number {
  return total(merged([...reviewSpans(task, now), ...askedSpans(task, now)]));
}

export interface PhaseTime {
  /** Milliseconds at work and waiting for people; null: not begun. */
  readonly worked: number;
  readonly waited: number;
}

/** A phase runs from where the one before it was settled to where it was itself. */
export function phaseTimes(task: TaskDetail, now: number): (PhaseTime | null)[] {
  if (task.startedAt === null) return task.phases.map(() => null);
  const over = Date.parse(task.completedAt ?? task.failedAt ?? new Date(now).toISOString());
  const waits = merged([...reviewSpans(task, now), ...askedSpans(task, now)]);
  let from = Date.parse(task.startedAt);
  return task.phases.map((phase, index) => {
    if (phase.status === "next") return null;
    const to = phase.status === "done" ? (settledAt(task, index + 1) ?? over) : over;
    const inside = waits.map((span) => ({
      from: Math.max(span.from, from),
      to: Math.min(span.to, to),
    }));
    const waited = total(inside.filter((span) => span.to > span.from));
    const worked = Math.max(0, to - from - waited);
    from = to;
    return { worked, waited };
  });
}

// --- internal ---

function settledAt({ decisions, attempts }: TaskDetail, phase: number): number | null {
  const approved = decisions.findLast(
    (decision) => decision.phase === phase && decision.status === "approved",
  );
  if (approved?.decidedAt) return Date.parse(approved.decidedAt);
  const passed = attempts.findLast((one) => one.phase === phase && one.status === "passed");
  return passed?.endedAt ? Date.parse(passed.endedAt) : null;
}

function reviewSpans({ decisions }: TaskDetail, now: number): Span[] {
  return decisions.map(({ createdAt, decidedAt, status }) => ({
    from: Date.parse(createdAt),
    to:
      decidedAt === null
        ? status === "open"
          ? now
          : Date.parse(createdAt)
        : Date.parse(decidedAt),
  }));
}

function askedSpans({ answers, openQuestions, openDependencies }: TaskDetail, now: number): Span[] {
  const answered = answers.flatMap(({ askedAt, answeredAt }) =>
    answeredAt === null ? [] : [{ from: Date.parse(askedAt), to: Date.parse(answeredAt) }],
  );
  const open = [...openQuestions, ...openDependencies].map(({ askedAt }) => ({
    from: Date.parse(askedAt),
    to: now,
  }));
  return [...answered, ...open];
}

function merged(spans: readonly Span[]): Span[] {
  const found: { from: number; to: number }[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else found.push({ ...span });
  }
  return found;
}

function total(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0);
}
