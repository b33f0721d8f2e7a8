// What a task page shows beyond the flat view: phases, attempts, what people decided, what a person
// may do now, and what it waits for. Plain facts; each door has its own words for them.
import { asWord } from "../core/machine.ts";
import { taskActions, taskMachine } from "../core/machines/task.ts";
import type { Message } from "../core/messages.ts";
import { isPaused, placeOf } from "../engine/decide/facts.ts";
import { type Unfinished, isStuck, unfinishedOf } from "../engine/dependencies.ts";
import type { Kinds, TaskState } from "../engine/state.ts";
import type { Store } from "../store/database/store.ts";
import type { TaskType } from "../workflows/phases/phases.ts";
import { phaseNameOf } from "../workflows/phases/types.ts";

export const waitKinds = [
  "draft",
  "question",
  "dependency",
  "review",
  "paused",
  "disk",
  "tasks",
  "slot",
  "limit",
  "network",
  "check",
] as const;

export interface Wait {
  readonly kind: (typeof waitKinds)[number];
  /** Who can end it: a person, or time and the work of others. */
  readonly clears: "you" | "itself";
  readonly since: string | null;
  /** When it ends by itself, where that is known. */
  readonly until: string | null;
  /** What it waits for: questions, dependencies, reviews, tasks; for a slot the tasks ahead of it. */
  readonly ids: readonly string[];
}

/** What is known of the others: whom a task waits for, and when timers run out. */
export interface Around {
  /** Tasks it depends on that are not completed. */
  readonly unfinished: readonly Unfinished[];
  /** Tasks that wait for a slot and come first. */
  readonly ahead: readonly string[];
  /** By agent: when a limit or an outage is over. */
  readonly until: ReadonlyMap<string, number>;
  /** When the account its agent would use is open again; null: it is not at its limit. */
  readonly closedUntil: number | null;
  /** Somebody stands still for it: then nothing new starts either (S1.21c). */
  readonly diskLow: boolean;
}

/** Looks once for all tasks that are shown together. */
export async function surroundings(
  store: Store,
): Promise<(state: Pick<TaskState, "task">) => Promise<Around>> {
  const pending = await store.tasks({ status: "pending" });
  const timers = [
    ...(await store.timersNamed("unpark")),
    ...(await store.timersNamed("reconnect")),
  ];
  const parked = (await store.entities({ kind: "agent", status: "paused" })) as Kinds["agent"][];
  const dueOf = new Map(timers.map(({ key, dueAt }) => [key.split(":").at(-1) ?? "", dueAt]));
  return async ({ task }) => {
    const { dependsOn } = task.data;
    const place = pending.findIndex(({ id }) => id === task.id);
    const closed = parked.filter(
      ({ data }) => data.adapter === task.data.agent && data.holds.includes("limit"),
    );
    const dues = closed.map(({ id }) => dueOf.get(id) ?? 0);
    return {
      unfinished: await unfinishedOf(store, dependsOn),
      ahead: pending.slice(0, Math.max(0, place)).map(({ id }) => id),
      until: dueOf,
      closedUntil: dues.length === 0 ? null : Math.max(...dues),
      diskLow: parked.some(({ data }) => data.holds.includes("disk")),
    };
  };
}

export function waitsOf({ task, entities }: TaskState, around: Around): Wait[] {
  const { status, createdAt, queuedAt, data } = task;
  const asked = [...openOf("question", entities), ...openOf("dependency", entities)];
  const open: Wait[] = [
    ...asked.map(({ kind, id, data: { askedAt } }) => you(kind, askedAt, [id])),
    ...openOf("review", entities).map(({ id, data: review }) =>
      you("review", review.createdAt, [id]),
    ),
  ];
  if (status === "draft") return [you("draft", createdAt, [])];
  if (status === "pending") {
    const since = queuedAt === null ? null : new Date(queuedAt).toISOString();
    const { unfinished, ahead } = around;
    if (unfinished.length > 0) return waitsForTasks(since, unfinished);
    return [inLine(since, ahead, around)];
  }
  if (status !== "in_progress") return open;
  const checked = data.document?.stage === "check" ? [itself("check", null, [])] : [];
  return [
    ...open,
    ...[...entities.agent.values()].flatMap((agent) => heldBy(agent, around)),
    ...checked,
  ];
}

export function detailOf(state: TaskState, around: Around) {
  const { task, entities } = state;
  const { document } = task.data;
  const reached = document === null || task.data.startedAt === null ? 0 : document.phase;
  const over = task.status === "completed";
  return {
    phases: document === null ? [] : phasesOf(document.type, over ? Infinity : reached),
    attempts: [...entities.attempt.values()]
      .map(({ id, status, data }) => {
        const { phase, startedAt, endedAt, problem, accepted = false, took = null } = data;
        return { id, status, phase, startedAt, endedAt, problem, accepted, took };
      })
      .toSorted((x, y) => before(x.endedAt ?? x.startedAt, y.endedAt ?? y.startedAt)),
    decisions: decisionsOf(entities),
    answers: [...entities.question.values()]
      .filter(({ status }) => status !== "open")
      .map(({ id, status, data: { question, origin, answer, askedAt, answeredAt } }) => {
        return { id, status, origin, question, answer, askedAt, answeredAt };
      })
      .toSorted((x, y) => before(x.askedAt, y.askedAt)),
    actions: actionsOf(state),
    waits: waitsOf(state, around),
  };
}

/** What may be done now, by the words of routes and commands: what a refusal lists (S1.7). */
export function allowedActions(state: TaskState): string[] {
  return actionsOf(state).flatMap(({ name, allowed }) => (allowed ? name : []));
}

// --- internal ---

function phasesOf(type: TaskType, reached: number) {
  return type.phases.map((phase, index) => ({
    name: phaseNameOf(type, phase),
    review: phase.review,
    deliverables: phase.deliverables.map(({ path }) => path),
    verify: [...phase.verify],
    verifier: phase.verifier !== null,
    status: placed(index + 1, reached),
  }));
}

/** Rows come by their ids, which say nothing about time. */
function before(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

type Entities = TaskState["entities"];

function openOf<K extends "question" | "dependency" | "review">(
  kind: K,
  entities: Entities,
): { kind: K; id: string; data: Kinds[K]["data"] }[] {
  const rows = [...entities[kind].values()] as Kinds[K][];
  return rows.filter(({ status }) => status === "open").map(({ id, data }) => ({ kind, id, data }));
}

function you(kind: Wait["kind"], since: string | null, ids: readonly string[]): Wait {
  return { kind, clears: "you", since, until: null, ids };
}

function itself(kind: Wait["kind"], since: string | null, ids: readonly string[]): Wait {
  return { kind, clears: "itself", since, until: null, ids };
}

/** What failed or was deleted is a person's to put right; the others end by themselves (S1.7). */
function waitsForTasks(since: string | null, unfinished: readonly Unfinished[]): Wait[] {
  const [stuck, open] = [true, false].map((is) =>
    unfinished.flatMap((each) => (isStuck(each) === is ? each.id : [])),
  ) as [string[], string[]];
  return [
    ...(stuck.length > 0 ? [you("tasks", since, stuck)] : []),
    ...(open.length > 0 ? [itself("tasks", since, open)] : []),
  ];
}

/** For a slot; no slot helps while the disk is full or its account at its limit (S1.18). */
function inLine(since: string | null, ahead: readonly string[], around: Around): Wait {
  const { closedUntil, diskLow } = around;
  if (diskLow) return you("disk", since, []);
  if (closedUntil === null) return itself("slot", since, ahead);
  return { ...itself("limit", since, []), until: timeOf(closedUntil) };
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** A spent budget and a refused account ask a question of their own, which is told already. */
function heldBy({ id, status, data }: Kinds["agent"], around: Around): Wait[] {
  if (status === "completed" || status === "failed") return [];
  const over = timeOf(around.until.get(id) ?? null);
  const holds = data.holds.flatMap((hold): Wait[] => {
    if (hold === "person") return [you("paused", data.lastUpdate, [])];
    if (hold === "disk") return [you("disk", data.lastUpdate, [])];
    if (hold !== "limit" && hold !== "network") return [];
    return [{ ...itself(hold, data.lastUpdate, []), until: over }];
  });
  if (status !== "running" || data.slot) return holds;
  return [...holds, inLine(data.lastUpdate, [], around)];
}

function placed(phase: number, reached: number): "done" | "current" | "next" {
  if (phase < reached) return "done";
  return phase === reached ? "current" : "next";
}

function decisionsOf({ review }: Entities) {
  return [...review.values()]
    .map(({ id, status, data }) => {
      const { phase, createdAt, decidedAt, feedback, comments } = data;
      return { id, status, phase, createdAt, decidedAt, feedback, comments: [...comments] };
    })
    .toSorted((a, b) => before(a.createdAt, b.createdAt));
}

/** As its table sees it; what this state never takes is left out (S1.7). */
function actionsOf({ task, entities }: TaskState) {
  const { phase, phases: totalPhases, reviewed: reviewAsked, reworks } = placeOf(task);
  const { title, description } = task.data;
  const facts = {
    phase: phase ?? 1,
    totalPhases,
    reviewAsked,
    reworks,
    title,
    description,
    type: task.workflow,
    slotFree: true,
    unfinishedDependencies: [],
    holdBack: null,
    agentPaused: isPaused(task, [...entities.agent.values()]),
    artefactsHash: null,
    archived: task.archived,
  };
  const lines = taskMachine.explain(task.status, facts);
  return taskActions.flatMap((event) => {
    const line = lines.find((each) => each.event === event);
    const name = asWord(event);
    if (line === undefined || taskMachine.rowsFor(task.status, event).length === 0) return [];
    const reasons: readonly Message[] = line.allowed ? [] : line.reasons;
    return [{ name, allowed: line.allowed, reasons }];
  });
}
