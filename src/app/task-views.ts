// Tasks and agents as every door shows them: flat JSON, as the seed has it (S1.22).
import { type Message, msg } from "../core/messages.ts";
import { placeOf } from "../engine/decide/facts.ts";
import type { Kinds, QuestionData, TaskState } from "../engine/state.ts";
import type { SnapshotRow } from "../store/database/store.ts";
import { phaseNameOf } from "../workflows/phases/types.ts";

export const priorities = ["critical", "high", "normal", "low"] as const;
export type Priority = (typeof priorities)[number];

/** Flat, as the seed shows it (S1.22). */
export interface TaskView {
  readonly id: string;
  readonly status: string;
  readonly currentPhase: number | null;
  /** Of a draft those that its type has now; null: its type is not known any more. */
  readonly totalPhases: number | null;
  readonly phaseName: Message | null;
  readonly progress: number;
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly priority: Priority;
  readonly agent: string;
  readonly projectId: string;
  readonly dependsOn: readonly string[];
  readonly retryOf: string | null;
  /** The run that made it, and for which of its units. */
  readonly run: string | null;
  readonly unit: string | null;
  /** Of a run: why nothing is done before a person lets it go on. */
  readonly held: string | null;
  readonly archived: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly failedAt: string | null;
  readonly failure: { readonly reason: string; readonly message: string } | null;
  readonly tokens: number;
  readonly costUsd: number;
  readonly workspace: string | null;
  readonly agentStatus: string | null;
  readonly blockedBy: string | null;
  /** Why its agent stands still. */
  readonly holds: readonly string[];
  /** Ids of what waits for a person. */
  readonly questions: readonly string[];
  readonly dependencies: readonly string[];
  readonly reviews: readonly string[];
}

export interface AgentView {
  /** Null: it has not begun. */
  readonly id: string | null;
  readonly name: string;
  readonly status: string;
  readonly currentPhase: number | null;
  readonly currentStep: string | null;
  readonly progress: number;
  readonly tokensUsed: number;
  readonly cost: number;
  readonly blockedBy: string | null;
  readonly holds: readonly string[];
  readonly lastUpdate: string;
  readonly checkpoint: { readonly lastSaved: string | null; readonly autoSaveInterval: number };
}

export function viewOf({ task, entities }: TaskState): TaskView {
  const { data } = task;
  const { phase, phases } = placeOf(task);
  const agent = mainAgent(entities.agent);
  return {
    id: task.id,
    status: task.status,
    currentPhase: phase,
    totalPhases: data.document === null && data.run === undefined ? null : phases,
    phaseName: phaseIn(data, phase),
    progress: data.progress,
    type: task.workflow,
    title: data.title,
    description: data.description,
    priority: priorities[priorities.length - task.priority] ?? "normal",
    agent: data.agent,
    projectId: task.projectId,
    dependsOn: data.dependsOn,
    retryOf: task.retryOf,
    run: data.order?.task ?? null,
    unit: data.order?.unit ?? null,
    held: data.run?.held ?? null,
    archived: task.archived,
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
    startedAt: data.startedAt,
    completedAt: data.completedAt,
    failedAt: data.failedAt,
    failure: data.failure,
    tokens: data.spent.tokens,
    costUsd: data.spent.costUsd,
    workspace: data.workspace?.folder ?? null,
    agentStatus: agent?.status ?? null,
    blockedBy: agent?.data.blockedBy ?? null,
    holds: agent?.data.holds ?? [],
    questions: open(entities.question).map(({ id }) => id),
    dependencies: open(entities.dependency).map(({ id }) => id),
    reviews: open(entities.review).map(({ id }) => id),
  };
}

export function agentViewOf({ id, status, data }: Kinds["agent"]): AgentView {
  const { name, currentPhase, currentStep, progress, tokensUsed, cost } = data;
  const { blockedBy, holds, lastUpdate, checkpoint } = data;
  const shown = { id, name, status, currentPhase, currentStep, progress, tokensUsed, cost };
  return { ...shown, blockedBy, holds, lastUpdate, checkpoint };
}

/** Of a task that has not begun: nobody works, and nothing is wrong (S1.9). */
export function idleAgent({ updatedAt }: TaskState["task"], autoSaveInterval: number): AgentView {
  return {
    id: null,
    name: "main",
    status: "idle",
    currentPhase: null,
    currentStep: null,
    progress: 0,
    tokensUsed: 0,
    cost: 0,
    blockedBy: null,
    holds: [],
    lastUpdate: updatedAt,
    checkpoint: { lastSaved: null, autoSaveInterval },
  };
}

/** Of several the one that blocks most (S1.22): who waits for a person before who works. */
export function mainAgent(agents: ReadonlyMap<string, Kinds["agent"]>): Kinds["agent"] | undefined {
  return [...agents.values()].toSorted(
    (a, b) => rank(a) - rank(b) || (a.data.lastUpdate < b.data.lastUpdate ? 1 : -1),
  )[0];
}

/** What waits for a person, with all they need to decide. */
export function waitingOf({ entities }: TaskState) {
  return {
    openQuestions: open(entities.question).map(({ id, data }) => {
      const { origin, category, question, options, required, askedAt, deadlineAt } = data;
      const asked = { origin, category, question, options, default: data.default, required };
      const more = { parts: data.parts.map(partView), request: requestView(data) };
      return { id, ...asked, askedAt, deadlineAt, ...more };
    }),
    openDependencies: open(entities.dependency).map(({ id, data }) => {
      const { type, name, description, required, askedAt } = data;
      return { id, type, name, description, required, askedAt };
    }),
    openReviews: open(entities.review).map(({ id, data }) => {
      const { phase, hash, createdAt, files } = data;
      return { id, phase, hash, createdAt, files };
    }),
  };
}

/** One of several questions, or one with more to it than its options. */
export interface PartView {
  readonly question: string;
  readonly options: readonly string[];
  /** One for each option; "" where it has none. */
  readonly descriptions: readonly string[];
  /** More than one option may be chosen. */
  readonly several: boolean;
  /** Words of one's own are an answer too. */
  readonly free: boolean;
  readonly header: string | null;
}

/** What an agent asks a permission for: its tool, and the tool's input as JSON, without secrets. */
export interface RequestView {
  readonly tool: string;
  readonly input: string;
}

export interface SnapshotView {
  readonly id: string;
  readonly seq: number;
  readonly reason: string;
  readonly createdAt: string;
  readonly phase: number | null;
  readonly progress: number;
  readonly commit: string | null;
  readonly files: number;
}

export function snapshotView({ id, seq, reason, createdAt, data }: SnapshotRow): SnapshotView {
  const { task, tree } = data as SnapshotData;
  return {
    id,
    seq,
    reason,
    createdAt,
    phase: task.document?.phase ?? null,
    progress: task.progress,
    commit: tree?.commit ?? null,
    files: tree?.files ?? 0,
  };
}

/** The part of a snapshot that is shown. */
interface SnapshotData {
  readonly task: {
    readonly document: { readonly phase: number } | null;
    readonly progress: number;
  };
  readonly tree: { readonly commit: string; readonly files: number } | null;
}

// --- internal ---

function phaseIn({ run, document }: TaskState["task"]["data"], phase: number | null) {
  const name = run?.name ?? null;
  if (name !== null) return msg("type.own", { name });
  const definition = phase === null ? undefined : document?.type.phases[phase - 1];
  return document && definition ? phaseNameOf(document.type, definition) : null;
}

/** A whole file may be in it; what is decided on is at its beginning. */
const mostInput = 20_000;

function partView({
  question,
  options,
  several,
  ...more
}: QuestionData["parts"][number]): PartView {
  const { header = "", free = false, descriptions = [] } = more;
  const described = options.map((_, place) => descriptions[place] ?? "");
  return {
    question,
    options,
    descriptions: described,
    several,
    free: free || options.length === 0,
    header: header === "" ? null : header,
  };
}

function requestView({ request }: QuestionData): RequestView | null {
  if (request === null || request.tool === null) return null;
  const text = JSON.stringify(request.input, null, 2) ?? "";
  const input = text.length > mostInput ? `${text.slice(0, mostInput)}…` : text;
  return { tool: request.tool, input };
}

function open<T extends { status: string }>(rows: ReadonlyMap<string, T>): T[] {
  return [...rows.values()].filter(({ status }) => status === "open");
}

function rank(agent: Kinds["agent"]): number {
  if (agent.status === "failed" || agent.status === "completed") return 3;
  if (agent.data.blockedBy !== null) return 0;
  return agent.status === "paused" ? 1 : 2;
}
