// What is said about tasks: what was wanted, asked, answered, reviewed, what a check found; and the
// journal. Values that were provided for a task are blanked before anything is kept (S6.6).
import type { Redactor } from "../../core/redact.ts";
import { type Kinds, markerTokens, stateOf } from "../../engine/state.ts";
import type { EntityRow, TaskRow, TransitionRow } from "../../store/database/store.ts";
import { type Part, entry, plainly } from "./_entry.ts";

/** The kinds of entities that have something to say. */
export const spokenKinds = ["question", "dependency", "review", "attempt"] as const;

export function entriesOfTask(task: TaskRow, rows: readonly EntityRow[]): Part[] {
  const state = stateOf(task, rows);
  const { question, dependency, review, attempt } = state.entities;
  // Runs that sessions drive keep other data; what both have is enough here.
  const data = state.task.data as Partial<typeof state.task.data>;
  const title = typeof data.title === "string" && data.title !== "" ? data.title : task.workflow;
  return [
    entry("task", "task", task.createdAt, title, data.description, data.failure?.message),
    ...Array.from(question.values(), (row) => ofQuestion(row, title)),
    ...Array.from(dependency.values(), ({ id, data: { name, description, askedAt } }) =>
      entry(id, "question", askedAt, title, name, description),
    ),
    ...Array.from(review.values())
      .filter(({ data: { feedback, comments } }) => Boolean(feedback) || comments.length > 0)
      .map((row) => ofReview(row, title)),
    ...Array.from(attempt.values())
      .filter(({ data: { problem } }) => problem !== null)
      .map(({ id, data: { step, problem, endedAt, startedAt } }) =>
        entry(id, "task", endedAt ?? startedAt, title, step, problem),
      ),
  ];
}

/** `path`: how the project names a file. */
export function entryOfTransition(row: TransitionRow, path: (file: string) => string): Part {
  const { seq, timestamp, machine, from, to, trigger, metadata } = row;
  const about = machine === "document" ? path(row.entityId) : row.entityId;
  const title = `${machine} ${about} ${from} → ${to}`;
  return entry(String(seq), "journal", timestamp, title, trigger, plainly(metadata));
}

/** Whoever reads a marker's token could forge one: it is as secret as a value. */
export function tokensOf(task: TaskRow, rows: readonly EntityRow[]): string[] {
  return markerTokens(stateOf(task, rows));
}

export function withoutSecrets(part: Part, redactor: Redactor): Part {
  if (!redactor.active) return part;
  return { ...part, title: redactor.text(part.title), text: redactor.text(part.text) };
}

// --- internal ---

function ofQuestion({ id, data }: Kinds["question"], title: string): Part {
  const { question, options, answer, parts, askedAt, answeredAt } = data;
  return entry(id, "question", answeredAt ?? askedAt, title, question, options, parts, answer);
}

function ofReview({ id, status, data }: Kinds["review"], title: string): Part {
  const { feedback, comments, createdAt, decidedAt } = data;
  const said = comments.map(({ path, line, text }) => `${path}:${line ?? ""} ${text}`);
  return entry(id, "review", decidedAt ?? createdAt, title, status, feedback, said);
}
