// What `status` says of each workflow: from a document to the few things that matter at a glance.
import { unitStatuses } from "../../core/vocabulary.ts";
import type { UnitStatus } from "../../core/vocabulary.ts";
import { places } from "../../formats/places.ts";
import type { RequestState } from "../../formats/request-state.ts";
import type { PlanTask } from "../../formats/task-state.ts";
import type { TaskRow } from "../../store/database/store.ts";
import { unitsOf } from "../../workflows/orchestrate/units.ts";
import type { Looked } from "./_look.ts";
import type { Status, TaskGlance } from "./status.ts";

export { unitsOf } from "../../workflows/orchestrate/units.ts";

export async function developGlance(looked: Looked): Promise<Status["develop"]> {
  const path = places["develop-state"];
  const state = await looked.at(path, "develop-state");
  if (!state) return undefined;
  return {
    path,
    feature: state.feature,
    phase: state.phase,
    strategy: state.strategy ?? null,
    updatedAt: state.updated_at,
    checkpoints: Object.entries(state.checkpoints ?? {}).map(([id, { status, iteration }]) => ({
      id,
      status,
      iteration,
    })),
  };
}

export async function orchestrateGlance(looked: Looked): Promise<Status["orchestrate"]> {
  const path = places["orchestrate-state"];
  const state = await looked.at(path, "orchestrate-state");
  if (!state) return undefined;
  const units = unitsOf(state);
  const lists = listsOf(units);
  const { total_tasks: total, completed_count: completed } = state.metrics;
  return {
    path,
    project: state.project,
    mode: state.mode,
    phase: state.execution.current_phase,
    worktree: state.execution.worktree,
    updatedAt: state.execution.last_updated,
    counts: {
      pending: lists.pending.length,
      ready: lists.ready.length,
      in_progress: lists.in_progress.length,
      completed: lists.completed.length,
      failed: lists.failed.length,
      blocked: lists.blocked.length,
    },
    ready: lists.ready,
    inProgress: lists.in_progress,
    failed: lists.failed,
    blocked: lists.blocked,
    // Metrics are running counters and may know of more than the lists, or not yet of them (S2.2).
    progress: {
      done: Math.max(completed, lists.completed.length),
      total: Math.max(total, units.size),
    },
  };
}

export async function planGlance(looked: Looked): Promise<Status["plan"]> {
  const path = places["task-state"];
  const state = await looked.at(path, "task-state");
  if (!state) return undefined;
  const { current_task: current, pending_tasks: pending } = state;
  return {
    path,
    current: current && planned(current),
    pending: pending.map(({ id, name }) => ({ id, name })),
    updatedAt: state.last_updated,
  };
}

export async function requestGlance(looked: Looked): Promise<Status["request"]> {
  const [session, ...others] = await looked.sessions();
  if (!session) return undefined;
  const { request, tasks, task_order: order } = session.state;
  const task = request.current_task === null ? undefined : tasks[request.current_task];
  return {
    path: session.path,
    id: request.id,
    request: request.original_request,
    status: request.status,
    phase: request.global_phase,
    task:
      task && request.current_task !== null
        ? { id: request.current_task, name: task.name, status: task.status }
        : null,
    subtask: currentSubtask(session.state),
    progress: {
      done: Object.values(tasks).filter(({ status }) => status === "completed").length,
      total: order.length,
    },
    otherSessions: others.length,
    updatedAt: session.updatedAt,
  };
}

export function taskGlance({ id, workflow, status, data, updatedAt }: TaskRow): TaskGlance {
  const { title } = (typeof data === "object" && data !== null ? data : {}) as { title?: unknown };
  return { id, workflow, status, title: typeof title === "string" ? title : "", updatedAt };
}

// --- internal ---

function listsOf(units: ReadonlyMap<string, UnitStatus>): Record<UnitStatus, string[]> {
  const lists = Object.fromEntries(unitStatuses.map((status) => [status, [] as string[]]));
  for (const [id, status] of units) lists[status]?.push(id);
  return lists as Record<UnitStatus, string[]>;
}

function planned({ id, name, status, plan }: PlanTask) {
  const step =
    plan.steps.find((one) => one.status === "in_progress") ??
    plan.steps.find((one) => one.id === plan.current_step) ??
    plan.steps.find((one) => one.status !== "completed");
  return {
    id,
    name,
    status,
    goal: plan.goal,
    steps: {
      done: plan.steps.filter((one) => one.status === "completed").length,
      failed: plan.steps.filter((one) => one.status === "failed").length,
      total: plan.steps.length,
    },
    step: step ? { id: step.id, name: step.name, agent: step.agent, status: step.status } : null,
  };
}

function currentSubtask({ request, tasks }: RequestState) {
  const task = tasks[request.current_task ?? ""];
  const id = task?.current_subtask ?? null;
  const subtask = id === null ? undefined : task?.subtasks[id];
  if (id === null || !subtask) return null;
  const open = Object.entries(subtask.gates)
    .filter(([, gate]) => gate !== "passed")
    .map(([gate, status]) => ({ gate, status: status ?? "pending" }));
  return { id, name: subtask.name, status: subtask.status, phase: subtask.phase, openGates: open };
}
