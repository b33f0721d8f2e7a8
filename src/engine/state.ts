// What the engine knows of one task: its row and its entities, typed. Everything here is plain data
// that JSON can hold; the rules that change it stand in decide/, the rows in the database.
//
// Words: an agent is one conversation in a role; a process is one OS process of it; an attempt is
// one try at a phase (GLOSSARY.md).
import type { Language } from "../core/messages.ts";
import type { AgentStatus, DependencyType, TaskStatus } from "../core/vocabulary.ts";
import type { EntityRow, TaskRow } from "../store/database/store.ts";
import type { Json } from "../core/events.ts";
import type { Asked } from "../agents/adapters/adapter.ts";
import type { OrderOrigin, RunPlace } from "./_state-run.ts";
import type { AgentData, ProcessData, ProcessStatus } from "./_state-agent.ts";
import type { PhasesDocument } from "../workflows/phases/phases.ts";

export interface Budget {
  readonly costUsd: number | null;
  readonly tokens: number | null;
  readonly minutes: number | null;
}

export interface Spent {
  readonly tokens: number;
  readonly costUsd: number;
  /** Time in which an agent held a slot. */
  readonly milliseconds: number;
}

export const failureReasons = [
  "cancelled",
  "fatal_error",
  "verification_failed",
  "attempts",
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** The private JSON of a task. Its status, priority and place in the queue are the row's own. */
export interface TaskData {
  readonly title: string;
  readonly description: string;
  /** Which agent works: a name of holdfast.yaml or an adapter's. */
  readonly agent: string;
  /** For the sample agent: what it plays. */
  readonly script: string | null;
  readonly language: Language;
  /** The workflow's document, made when the task is submitted. */
  readonly document: PhasesDocument | null;
  readonly progress: number;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly failedAt: string | null;
  readonly failure: { readonly reason: FailureReason; readonly message: string } | null;
  readonly dependsOn: readonly string[];
  /** Of a failed task, the oldest first: whoever depends on it follows them. */
  readonly retries?: readonly string[];
  readonly workspace: Workspace | null;
  readonly budget: Budget | null;
  readonly spent: Spent;
  /** The day on which a person let it work above the day's budget. */
  readonly overDay: string | null;
  /** What a check found while the agent was held: taken when it goes on. */
  readonly found: {
    readonly step: string;
    readonly result: CheckResult;
    /** By the verifier as well, where there is one. */
    readonly verified: boolean;
    /** A person accepted it where no verifier came to a verdict. */
    readonly accepted?: true | undefined;
  } | null;
  /** The claim that passed the checks and is judged by a verifier: the newest of its agents. */
  readonly verifying: {
    readonly step: string;
    readonly agent: string;
    readonly shown: Shown;
    readonly took?: CheckTook | undefined;
  } | null;
  /** The snapshot that was approved last or, where nobody is asked, passed its check: the result (S1.6). */
  readonly accepted?: string;
  /** What it still has on the disk after its end; null: nobody looked since. */
  readonly kept: Kept | null;
  /** Since when it is deleted: what it has on the disk goes, then its rows. */
  readonly deletedAt?: string | null;
  /** Counts effects, messages and snapshots: their keys must not repeat. */
  readonly counter: number;
  /** Of a run of a workflow with documents of its own: what it knows beside them. */
  readonly session?: unknown;
  /** Of such a run, while it is carried out by itself: where it stands, and whether it may go on. */
  readonly run?: RunPlace;
  /** Of a task that a run made for one of its orders. */
  readonly order?: OrderOrigin;
}

/** Nobody's agents are the engine's there: it lets such a task be. */
export function isInSession({ data }: Pick<TaskRow, "data">): boolean {
  return typeof data === "object" && data !== null && "session" in data;
}

/** Only the engine knows of it any more. */
export function isDeleted({ data }: Pick<TaskRow, "data">): boolean {
  return ((data as Partial<TaskData>).deletedAt ?? null) !== null;
}

/** Output, snapshots and trees of an ended task, and until when they are kept (S1.21c). */
export interface Kept {
  readonly bytes: number;
  /** Told; null: not before long. */
  readonly removeAt: number | null;
  readonly why: RemovalReason | null;
  readonly removedAt: string | null;
}
export type RemovalReason = "age" | "size";

export interface Workspace {
  readonly folder: string;
  /** The commit it was cloned at; null: begun empty. */
  readonly base: string | null;
}

export type * from "./_state-agent.ts";
export type * from "./_state-run.ts";

const questionOrigins = [
  "agent",
  "permission",
  "budget",
  "silence",
  "overtime",
  "account",
  "workspace",
  "verifier",
  "run",
] as const;
export const questionStatuses = ["open", "answered", "withdrawn"] as const;
export interface QuestionData {
  readonly agentId: string;
  /** An agent's own, a permission it asks for, or one of ours: a spent budget, a silent agent, … */
  readonly origin: (typeof questionOrigins)[number];
  readonly category: string;
  readonly question: string;
  readonly options: readonly string[];
  readonly default: string | null;
  readonly required: boolean;
  readonly askedAt: string;
  readonly deadlineAt: string | null;
  readonly answer: string | null;
  readonly answeredAt: string | null;
  /** For a request: the agent's id of it. */
  readonly reference: string | null;
  /** Several questions in one, or one with more than its options: each is answered. */
  readonly parts: readonly Asked[];
  readonly request: AgentRequest | null;
}

/** What a process of an agent waits for. */
export interface AgentRequest {
  readonly process: string;
  /** Null: a question. */
  readonly tool: string | null;
  readonly input: Json | null;
  readonly secret: boolean;
  /** The agent went on with the verdict: it counts for nothing else. */
  readonly used: boolean;
}

export const dependencyStatuses = ["open", "provided", "withdrawn"] as const;
export interface DependencyData {
  readonly agentId: string;
  readonly type: DependencyType;
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly default: string | null;
  readonly askedAt: string;
  readonly providedAt: string | null;
  /** What was provided, where it is no secret. */
  readonly value?: string;
  /** What is sealed is a file's bytes in base64. */
  readonly encoded?: boolean;
}

export const reviewStatuses = ["open", "approved", "changes_requested", "withdrawn"] as const;
export interface ReviewComment {
  readonly path: string;
  readonly line: number | null;
  readonly text: string;
}
export interface ReviewData {
  readonly phase: number;
  readonly step: string;
  /** Of the artefacts as they were shown (S1.5). */
  readonly hash: string;
  /** Trees to compare: what was approved last, and what is shown. */
  readonly since: string | null;
  readonly tree: string;
  readonly files: readonly { readonly path: string; readonly characters: number }[];
  readonly createdAt: string;
  readonly reminders: number;
  readonly decidedAt: string | null;
  readonly feedback: string | null;
  readonly comments: readonly ReviewComment[];
}

/** What a review shows. */
export type Shown = Pick<ReviewData, "hash" | "since" | "tree" | "files">;

/** What the engine found when it looked at a claim. */
export type CheckResult = (
  | { readonly passed: true; readonly shown: Shown }
  | { readonly passed: false; readonly feedback: string }
) & { readonly took?: CheckTook | undefined };

/** How long a check took, and each command of it. */
export interface CheckTook {
  readonly milliseconds: number;
  readonly commands: readonly { readonly command: string; readonly milliseconds: number }[];
}

export const attemptStatuses = ["running", "passed", "failed"] as const;
export interface AttemptData {
  readonly phase: number;
  readonly step: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** What the check found, or how the agent ended. */
  readonly problem: string | null;
  /** Of the check; none where nothing was checked. */
  readonly took?: CheckTook | undefined;
  /** A person accepted it where no verifier came to a verdict. */
  readonly accepted?: true | undefined;
}

/** A row with its data typed. */
export type Task = Omit<TaskRow, "data" | "status"> & { status: TaskStatus; data: TaskData };
export type Entity<Status extends string, Data> = Omit<EntityRow, "data" | "status"> & {
  status: Status;
  data: Data;
};

/** Each kind of entity with its statuses and its data. */
export interface Kinds {
  agent: Entity<AgentStatus, AgentData>;
  process: Entity<ProcessStatus, ProcessData>;
  question: Entity<(typeof questionStatuses)[number], QuestionData>;
  dependency: Entity<(typeof dependencyStatuses)[number], DependencyData>;
  review: Entity<(typeof reviewStatuses)[number], ReviewData>;
  attempt: Entity<(typeof attemptStatuses)[number], AttemptData>;
  /** What a task spent on one day; its status is the day. */
  spending: Entity<string, Spent>;
}
export type Kind = keyof Kinds;
export const kinds: readonly Kind[] = [
  "agent",
  "process",
  "question",
  "dependency",
  "review",
  "attempt",
  "spending",
];

/** One task, whole. */
export interface TaskState {
  readonly task: Task;
  readonly entities: { readonly [K in Kind]: ReadonlyMap<string, Kinds[K]> };
}

/** Our own rows, written only through decide/: their shape is known where the kind is. */
export function stateOf(task: TaskRow, rows: readonly EntityRow[]): TaskState {
  // In one go over the rows: whoever starts after a kill does it for hundreds of tasks, with cold code.
  const entities: Record<Kind, Map<string, EntityRow>> = {
    agent: new Map(),
    process: new Map(),
    question: new Map(),
    dependency: new Map(),
    review: new Map(),
    attempt: new Map(),
    spending: new Map(),
  };
  for (const row of rows)
    if (Object.hasOwn(entities, row.kind)) entities[row.kind as Kind].set(row.id, row);
  return { task: task as Task, entities: entities as unknown as TaskState["entities"] };
}

/** The snapshot that is the result so far; null: nothing was approved yet. */
export function acceptedIn({ task, entities }: TaskState): string | null {
  const approved = [...entities.review.values()]
    .filter(({ status }) => status === "approved")
    .toSorted((a, b) => (a.data.createdAt < b.data.createdAt ? -1 : 1));
  // Tasks that ended before this was written down have their reviews.
  return task.data.accepted ?? approved.at(-1)?.data.tree ?? null;
}

/** Of a completed task, for whoever wants it as a ZIP; null: there is none yet, or none any more. */
export function resultOf(state: TaskState): string | null {
  const { status, data } = state.task;
  const isGone = data.workspace === null || (data.kept?.removedAt ?? null) !== null;
  // What a part of a run made is in the run.
  return status !== "completed" || isGone || data.order !== undefined ? null : acceptedIn(state);
}

/** Whoever reads one could forge a marker: they are blanked wherever output is shown. */
export function markerTokens({ entities }: TaskState): string[] {
  return [...entities.process.values()].flatMap(({ data }) => data.token ?? []);
}

/** What a task has before it begins. */
export const notBegun = {
  progress: 0,
  startedAt: null,
  completedAt: null,
  failedAt: null,
  failure: null,
  workspace: null,
  spent: { tokens: 0, costUsd: 0, milliseconds: 0 },
  overDay: null,
  found: null,
  verifying: null,
  kept: null,
  counter: 0,
} as const satisfies Partial<TaskData>;

export const noSpending: Spent = { tokens: 0, costUsd: 0, milliseconds: 0 };
