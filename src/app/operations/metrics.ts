// `metrics`: where time and money went, by day and by task, and against the days before (S1.21,
// S1.21c). What is over does not change: the story of an ended task is kept, the others are read anew.
import { z } from "zod";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { Spent } from "../../engine/state.ts";
import type { Store, TaskRow } from "../../store/database/store.ts";
import type { Operation } from "../operation.ts";
import { type Calendar, calendarOf, shifted } from "./_metrics-days.ts";
import {
  type Figures,
  type Story,
  added,
  figuresByDay,
  noFigures,
  storyOf,
} from "./_metrics-parts.ts";
import { namedProject } from "./_project.ts";

const figures = () =>
  z.object({
    costUsd: z.number(),
    tokens: z.number(),
    workingMs: z.number(),
    waitingMs: z.number(),
    limitMs: z.number(),
    retries: z.number(),
  });

export const input = () =>
  z.strictObject({
    days: z.int().min(1).max(92).optional(),
    zone: z.string().min(1).max(64).optional(),
    project: z.string().min(1).optional(),
  });

export const output = () =>
  z.object({
    zone: z.string(),
    from: z.string(),
    to: z.string(),
    totals: figures(),
    /** Of as many days before. */
    before: figures(),
    days: z.array(figures().extend({ day: z.string() })),
    agents: z.array(figures().extend({ agent: z.string() })),
    /** Most expensive first, then longest. */
    tasks: z.array(
      figures().extend({
        id: z.string(),
        title: z.string(),
        status: z.string(),
        agent: z.string(),
        projectId: z.string(),
      }),
    ),
    /** Tasks that have a part in it; those beyond the list are in the sums. */
    taskCount: z.int(),
    /** Older tasks that were not looked at. */
    left: z.int(),
  });

export type Metrics = z.infer<ReturnType<typeof output>>;

/** A look stays a look: no more tasks than this are gone through, newest first. */
const mostTasks = 5_000;
const mostListed = 100;
const atOnce = 25;

export const operation: Operation<z.infer<ReturnType<typeof input>>, Metrics> = {
  name: "metrics",
  fields: {
    days: msg("op.metrics.days"),
    zone: msg("op.metrics.zone"),
    project: msg("op.units.project"),
  },
  run: async (context, { days = 14, zone = ownZone(), project }) => {
    const calendar = known(zone);
    const store = await context.existingStore();
    const projectId = project === undefined ? undefined : (await namedProject(context, project)).id;
    const now = Date.now();
    const key = JSON.stringify([calendar.dayOf(now), days, zone, projectId]);
    const version = (await store?.version()) ?? 0;
    const kept = answers.get(key);
    // Nothing was written since: only what is at work has grown, by seconds.
    if (kept?.store === store && kept?.version === version && now - kept.at < freshMs)
      return kept.answer;
    const answer = await reckoned(store, { days, zone, projectId, calendar, now });
    if (answers.size > mostAnswers) answers.clear();
    answers.set(key, { store, version, at: now, answer });
    return answer;
  },
};

// --- internal ---

const answers = new Map<
  string,
  {
    readonly store: Store | undefined;
    readonly version: number;
    readonly at: number;
    readonly answer: Metrics;
  }
>();
const freshMs = 15_000;
const mostAnswers = 50;

interface Asked {
  readonly days: number;
  readonly zone: string;
  readonly projectId: string | undefined;
  readonly calendar: Calendar;
  readonly now: number;
}

async function reckoned(
  store: Store | undefined,
  { days, zone, projectId, calendar, now }: Asked,
): Promise<Metrics> {
  const to = calendar.dayOf(now);
  const range = { from: shifted(to, 1 - days), to, before: shifted(to, 1 - 2 * days) };
  const { rows, left } = await tasksSince(store, calendar.startOf(range.before), projectId);
  const spending = await spendingIn(store, range.before);
  const sums = sumsFor(range, days);
  let looked = 0;
  for (const row of rows) {
    const story = await storyIn(store, row, now);
    sums.add(row, figuresByDay(story, spending.get(row.id) ?? [], calendar));
    // The database answers at once: without a pause nobody else would be served meanwhile.
    if (++looked % atOnce === 0) await new Promise((turn) => setImmediate(turn));
  }
  return { zone, from: range.from, to, ...sums.told(), left };
}

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

function known(zone: string): Calendar {
  try {
    return calendarOf(zone);
  } catch {
    throw new Fault("invalid_input", msg("metrics.zone", { zone }), {
      hint: msg("metrics.zone.hint"),
    });
  }
}

async function tasksSince(
  store: Store | undefined,
  since: number,
  projectId: string | undefined,
): Promise<{ rows: readonly TaskRow[]; left: number }> {
  const all = (await store?.tasks(projectId === undefined ? {} : { projectId })) ?? [];
  const rows = all
    .filter(({ status, updatedAt }) => !isOver(status) || Date.parse(updatedAt) >= since)
    .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  // Always in the same order, whatever is written to them: sums of fractions depend on it.
  const looked = rows.slice(0, mostTasks).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { rows: looked, left: rows.length - looked.length };
}

type Spending = Map<string, { day: string; spent: Spent }[]>;

async function spendingIn(store: Store | undefined, since: string): Promise<Spending> {
  const found: Spending = new Map();
  // A person's day begins on the universal day before or after it.
  const first = shifted(since, -1);
  for (const { taskId, status: day, data } of (await store?.entities({ kind: "spending" })) ?? []) {
    if (day < first) continue;
    const own = found.get(taskId) ?? [];
    own.push({ day, spent: data as Spent });
    found.set(taskId, own);
  }
  return found;
}

/** Of tasks that are over, by id and revision; the oldest makes room. */
const stories = new WeakMap<Store, Map<string, { readonly rev: number; readonly story: Story }>>();

async function storyIn(
  store: Store | undefined,
  { id, rev, status }: TaskRow,
  now: number,
): Promise<Story> {
  if (store === undefined) return { spans: [], retries: [] };
  const own = stories.get(store) ?? new Map<string, { rev: number; story: Story }>();
  stories.set(store, own);
  const kept = own.get(id);
  if (kept?.rev === rev && isOver(status)) return kept.story;
  const story = storyOf(await store.transitions({ taskId: id, machine: "agent" }), now);
  if (isOver(status)) {
    own.set(id, { rev, story });
    const [oldest] = own.keys();
    if (own.size > mostTasks && oldest !== undefined) own.delete(oldest);
  }
  return story;
}

function isOver(status: string): boolean {
  return status === "completed" || status === "failed";
}

interface Range {
  readonly before: string;
  readonly from: string;
  readonly to: string;
}

function sumsFor({ before, from, to }: Range, count: number) {
  const totals = noFigures();
  const earlier = noFigures();
  const days = new Map(
    Array.from({ length: count }, (_, place) => [shifted(from, place), noFigures()]),
  );
  const agents = new Map<string, Figures>();
  const tasks: Metrics["tasks"] = [];
  return {
    add: (row: TaskRow, byDay: ReadonlyMap<string, Figures>): void => {
      const own = noFigures();
      for (const [day, some] of byDay) {
        if (day >= before && day < from) added(earlier, some);
        if (day < from || day > to) continue;
        for (const sum of [own, totals, days.get(day)]) if (sum) added(sum, some);
      }
      if (Object.values(own).every((value) => value === 0)) return;
      const { title, agent } = row.data as { title: string; agent: string };
      const ofAgent = agents.get(agent) ?? noFigures();
      agents.set(agent, ofAgent);
      added(ofAgent, own);
      const { id, status, projectId } = row;
      tasks.push({ id, title, status, agent, projectId, ...own });
    },
    told: () => ({
      totals,
      before: earlier,
      days: [...days].map(([day, some]) => ({ day, ...some })),
      agents: [...agents]
        .map(([agent, some]) => ({ agent, ...some }))
        .toSorted((a, b) => b.costUsd - a.costUsd || b.workingMs - a.workingMs),
      tasks: tasks
        .toSorted((a, b) => b.costUsd - a.costUsd || b.workingMs - a.workingMs)
        .slice(0, mostListed),
      taskCount: tasks.length,
    }),
  };
}
