// What waits for a person, across all tasks: what holds up most first, then what waits longest; of
// a critical task before all others. Apart from them what clears by itself, so that nobody wonders.
import { z } from "zod";
import { dependencyTypes } from "../../../core/vocabulary.ts";
import { isStuck } from "../../../engine/dependencies.ts";
import type { TaskState } from "../../../engine/state.ts";
import { type Operation, sentence } from "../../operation.ts";
import { type Around, surroundings, waitsOf } from "../../task-detail.ts";
import { type Priority, priorities, viewOf, waitingOf } from "../../task-views.ts";
import { asked, wait } from "./show.ts";

export const input = () => z.strictObject({});

const item = () =>
  z.object({
    /**
     * `held`: nothing continues before a person has put right what `question` says. `blocked`: it waits for
     * tasks that failed or were deleted (`waitsFor`).
     */
    kind: z.enum(["question", "dependency", "review", "held", "blocked"]),
    id: z.string(),
    taskId: z.string(),
    title: z.string(),
    type: z.string(),
    projectId: z.string(),
    priority: z.enum(priorities),
    since: z.string(),
    /** Tasks that can not go on before this one does, itself included. */
    blocks: z.int(),
    question: z.string().nullable(),
    /** Who asks: the agent, a permission of its, or Holdfast itself (a budget, a silent agent, …). */
    origin: z.string().nullable(),
    category: z.string().nullable(),
    options: z.array(z.string()),
    default: z.string().nullable(),
    required: z.boolean(),
    deadlineAt: z.string().nullable(),
    ...asked(),
    dependencyType: z.enum(dependencyTypes).nullable(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    phase: z.int().nullable(),
    phaseName: sentence().nullable(),
    hash: z.string().nullable(),
    files: z.array(z.object({ path: z.string(), characters: z.int() })),
    waitsFor: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        /** Null: it was deleted. */
        status: z.string().nullable(),
      }),
    ),
  });

export type InboxItem = z.infer<ReturnType<typeof item>>;

export const output = () =>
  z.object({
    items: z.array(item()),
    /** Nobody has to do anything about these. */
    waiting: z.array(wait().extend({ taskId: z.string(), title: z.string() })),
  });

type Waiting = z.infer<ReturnType<typeof output>>["waiting"];

export const operation: Operation<
  z.infer<ReturnType<typeof input>>,
  z.infer<ReturnType<typeof output>>
> = {
  name: "task inbox",
  fields: {},
  run: async (context) => {
    const store = await context.existingStore();
    const tasks = (await store?.tasks({ statuses: ["pending", "in_progress", "review"] })) ?? [];
    if (store === undefined) return { items: [], waiting: [] };
    const look = await surroundings(store);
    const states = await Promise.all(
      tasks.map(async ({ id }) => {
        const state = await (await context.tasks()).state(id);
        return { state, around: await look(state) };
      }),
    );
    const blocked = countBlocked(states);
    const found = states.map(({ state, around }) => {
      const { id, data } = state.task;
      const waits = waitsOf(state, around).filter(({ clears }) => clears === "itself");
      const about = { taskId: id, title: data.title };
      const waiting: Waiting = waits.map((each) => ({ ...each, ids: [...each.ids], ...about }));
      const blocks = blocked.get(id) ?? 1;
      return { items: [...itemsOf(state, blocks), ...blockedItem(state, around, blocks)], waiting };
    });
    return {
      items: found.flatMap(({ items }) => items).toSorted(byUrgency),
      waiting: found.flatMap(({ waiting }) => waiting),
    };
  },
};

// --- internal ---

const nothing = {
  question: null,
  origin: null,
  category: null,
  options: [],
  default: null,
  required: true,
  deadlineAt: null,
  parts: [],
  request: null,
  dependencyType: null,
  name: null,
  description: null,
  phase: null,
  phaseName: null,
  hash: null,
  files: [],
  waitsFor: [],
};

/** It waits for what never completes by itself (S1.7). */
function blockedItem(state: TaskState, { unfinished }: Around, blocks: number): InboxItem[] {
  const waitsFor = unfinished.filter(isStuck);
  if (state.task.status !== "pending" || waitsFor.length === 0) return [];
  const { id: taskId, title, type, projectId, priority, updatedAt: since } = viewOf(state);
  const about = { taskId, title, type, projectId, priority, blocks, since };
  return [{ ...nothing, ...about, kind: "blocked", id: `blocked-${taskId}`, waitsFor }];
}

function itemsOf(state: TaskState, blocks: number): InboxItem[] {
  const {
    id: taskId,
    title,
    type,
    projectId,
    priority,
    phaseName,
    held,
    updatedAt,
  } = viewOf(state);
  const { openQuestions, openDependencies, openReviews } = waitingOf(state);
  const about = { taskId, title, type, projectId, priority, blocks, ...nothing, phaseName };
  const heldItem = (why: string): InboxItem => {
    const since = state.task.data.run?.heldAt ?? updatedAt;
    return { ...about, kind: "held", id: `held-${taskId}`, since, question: why };
  };
  // What holds it is asked there, with what can be done about it.
  const isAboutIt = ({ id }: { readonly id: string }): boolean =>
    id === state.task.data.run?.heldBy;
  return [
    ...openQuestions.map((one): InboxItem => {
      const { id, question, options, required, askedAt: since, deadlineAt } = one;
      const { origin, category, request } = one;
      const said = { question, origin, category, options: [...options] };
      const parts = one.parts.map((part) => ({
        ...part,
        options: [...part.options],
        descriptions: [...part.descriptions],
      }));
      const more = { ...said, default: one.default, required, parts, request };
      return { ...about, kind: "question", id, since, deadlineAt, ...more };
    }),
    ...openDependencies.map((needed): InboxItem => {
      const { id, type: dependencyType, name, description, required, askedAt: since } = needed;
      const more = { dependencyType, name, description, required };
      return { ...about, kind: "dependency", id, since, ...more };
    }),
    ...openReviews.map((review): InboxItem => {
      const { id, phase, hash, createdAt: since, files } = review;
      return { ...about, kind: "review", id, since, phase, hash, files: [...files] };
    }),
    ...(held === null || openQuestions.some(isAboutIt) ? [] : [heldItem(held)]),
  ];
}

/** For each task: itself, and all that wait for it, through however many others. */
function countBlocked(tasks: readonly { state: TaskState; around: Around }[]): Map<string, number> {
  const waiting = new Map<string, string[]>();
  for (const { state, around } of tasks)
    for (const { id: before } of around.unfinished)
      waiting.set(before, [...(waiting.get(before) ?? []), state.task.id]);
  return new Map(
    tasks.map(({ state }) => {
      const { id } = state.task;
      const seen = new Set([id]);
      for (const each of seen) for (const next of waiting.get(each) ?? []) seen.add(next);
      return [id, seen.size];
    }),
  );
}

const critical = (priority: Priority): number => (priority === "critical" ? 0 : 1);

function byUrgency(a: InboxItem, b: InboxItem): number {
  return (
    critical(a.priority) - critical(b.priority) ||
    b.blocks - a.blocks ||
    (a.since < b.since ? -1 : a.since > b.since ? 1 : a.id < b.id ? -1 : 1)
  );
}
