// What the tables' guards ask, put together from the task's state and the world.
import type { AgentFacts, AgentRecord } from "../../core/machines/agent.ts";
import type { Hold } from "../../core/machines/_holds.ts";
import { retryLimits } from "../../core/retry.ts";
import type { TaskFacts, TaskRecord } from "../../core/machines/task.ts";
import { phases } from "../../workflows/phases/phases.ts";
import type { CheckStep, Place, WorkStep } from "../../workflows/workflow.ts";
import type { Draft } from "../_draft.ts";
import type { Kinds, Task } from "../state.ts";
import type { World } from "./world.ts";

const nowhere: Place = { phase: null, phases: 1, deliverables: [], reviewed: false, reworks: 0 };

export function placeOf(task: Task): Place {
  const { document, startedAt, run } = task.data;
  if (run !== undefined) return { ...nowhere, phase: run.phase, phases: run.phases };
  if (document === null) return nowhere;
  const place = phases.place(document);
  return startedAt === null ? { ...place, phase: null } : place;
}

/** The declared files of all its phases: what one made is kept while later ones work. */
export function declaredIn({ data }: Task): string[] {
  const all = data.document?.type.phases.flatMap(({ deliverables }) => deliverables) ?? [];
  return [...new Set(all.map(({ path }) => path))];
}

export function workStep(task: Task): WorkStep | undefined {
  const steps = task.data.document === null ? [] : phases.next(task.data.document);
  return steps.find((step) => step.kind === "work");
}

export function checkStep(task: Task): CheckStep | undefined {
  const steps = task.data.document === null ? [] : phases.next(task.data.document);
  return steps.find((step) => step.kind === "check");
}

/** What the agent is there for: its part of the step that is under way. */
export function orderFor(
  { task }: Draft,
  { data }: Kinds["agent"],
): { readonly kind: "prompt" | "feedback"; readonly text: string } | undefined {
  if (data.role === "verifier") {
    const verifier = checkStep(task)?.verifier;
    return verifier ? { kind: "prompt", text: verifier.prompt } : undefined;
  }
  const work = workStep(task);
  return work && { kind: work.message, text: work.prompt };
}

/** Its claim is being looked at: nothing else of it counts, and it has nothing to do. */
export function isChecked({ task }: Draft, { data }: Kinds["agent"]): boolean {
  return data.role === "work" && task.data.document?.stage === "check";
}

function phaseFacts(task: Task) {
  const { phase, phases: totalPhases, reviewed: reviewAsked, reworks } = placeOf(task);
  return { phase: phase ?? 1, totalPhases, reviewAsked, reworks };
}

export function taskFacts(draft: Draft, world: World): TaskFacts {
  const { task } = draft;
  return {
    ...phaseFacts(task),
    title: task.data.title,
    type: task.workflow,
    description: task.data.description,
    slotFree: world.slots.free,
    unfinishedDependencies: world.unfinishedDependencies,
    holdBack: world.holdBack,
    agentPaused: isPaused(task, draft.all("agent")),
    artefactsHash: world.artefactsHash,
    archived: task.archived,
  };
}

/** A person may let it go on: they stopped it, or what held it is theirs to put right. */
export function isPaused({ data }: Task, agents: readonly Kinds["agent"][]): boolean {
  const run = data.run;
  if (run !== undefined && (run.paused || run.held !== null)) return true;
  return agents.some((agent) => agent.data.holds.includes("person"));
}

export function agentFacts(
  draft: Draft,
  agent: Kinds["agent"],
  world: World,
  more: { readonly hold?: Exclude<Hold, "person">; readonly name?: string } = {},
): AgentFacts {
  const open = draft
    .all("dependency")
    .find(({ status, data }) => status === "open" && data.agentId === agent.id);
  return {
    ...phaseFacts(draft.task),
    holds: agent.data.holds,
    hold: more.hold ?? null,
    taskStatus: draft.task.status,
    dependencyProvided: more.name !== undefined && world.provided.has(more.name),
    questionAnswered: false,
    dependencyType: open?.data.type ?? null,
    missingDeliverables: world.missingDeliverables,
    reviewOpen: draft.all("review").some(({ status }) => status === "open"),
    attemptsLeft: retryLimits.agent - agent.data.crashes,
    verifies: agent.data.role === "verifier",
  };
}

/** The stored things as the tables' guarantees know them. */
export function taskRecord(task: Task): TaskRecord {
  const { startedAt, completedAt, failedAt, progress } = task.data;
  const { phase, phases: totalPhases } = placeOf(task);
  return {
    status: task.status,
    currentPhase: phase,
    totalPhases,
    progress,
    startedAt,
    completedAt,
    failedAt,
  };
}

export function agentRecord({ status, data }: Kinds["agent"]): AgentRecord {
  return { status, ...data };
}
