// The units of the four workflows whose state lies in documents, each with what it waits for.
import { checkpointKey } from "../../formats/checkpoint-definitions.ts";
import { parseUnitId } from "../../core/ids.ts";
import { formats } from "../../formats/registry.ts";
import type { RequestState } from "../../formats/request-state.ts";
import type { Looked, Session } from "./_look.ts";
import { unitsOf } from "./_status-parts.ts";
import type { Run, Unit } from "./_units-parts.ts";

export async function developRun(looked: Looked): Promise<Run | undefined> {
  const state = await looked.at(formats["develop-state"].path, "develop-state");
  const settings = await looked.at(formats["project-settings"].path, "project-settings");
  const path = settings?.develop?.checkpoints ?? formats["checkpoint-definitions"].path;
  const defined = (await looked.at(path, "checkpoint-definitions"))?.checkpoints ?? [];
  const byId = new Map(defined.map((one) => [checkpointKey(one.id), one]));
  const recorded = state?.checkpoints ?? {};
  const ids = new Set([...Object.keys(recorded), ...byId.keys()]);
  if (state === undefined || ids.size === 0) return undefined;
  const units = [...ids].map((id): Unit => {
    const { status, iteration } = recorded[id] ?? { status: "pending" as const, iteration: 0 };
    const one = byId.get(id);
    return {
      ...nothingMore,
      id,
      title: one?.description ?? "",
      status,
      state: checkpointStates[status],
      attempts: iteration,
      dependencies: (one?.dependencies ?? []).map(checkpointKey),
      files: one?.interface ?? [],
      check: one?.validation.command ?? null,
    };
  });
  return { workflow: "develop", title: state.feature, updatedAt: state.updated_at, units };
}

export async function orchestrateRun(looked: Looked): Promise<Run | undefined> {
  const state = await looked.at(formats["orchestrate-state"].path, "orchestrate-state");
  const plan = await looked.plan();
  const recorded = state ? unitsOf(state) : new Map<string, Unit["state"]>();
  const listed = new Map((plan?.tasks ?? []).map((task) => [task.id, task]));
  // As the plan has them, then what only the state knows.
  const ids = new Set([
    ...listed.keys(),
    ...recorded.keys(),
    ...Object.keys(state?.dependencies ?? {}),
  ]);
  if (ids.size === 0) return undefined;
  const units = [...ids].map((id): Unit => {
    const task = listed.get(id);
    const status = recorded.get(id) ?? (task?.checked === true ? "completed" : "pending");
    const phase = parseUnitId(id)?.phase ?? task?.phase ?? null;
    return {
      ...nothingMore,
      id,
      title: task?.title ?? "",
      status,
      state: status,
      phase: phase === null ? null : String(phase),
      owner: task?.owner ?? null,
      // The state is what counts; what is only planned says it itself.
      dependencies: state?.dependencies[id] ?? task?.dependencies ?? [],
      files: task?.files ?? [],
      check: task?.check ?? null,
    };
  });
  const title = state?.project ?? plan?.path ?? "";
  const updatedAt = state?.execution.last_updated ?? null;
  return { workflow: "orchestrate", title, updatedAt, units };
}

export async function planRun(looked: Looked): Promise<Run | undefined> {
  const state = await looked.at(formats["task-state"].path, "task-state");
  const current = state?.current_task;
  if (!state || !current || current.plan.steps.length === 0) return undefined;
  const units = current.plan.steps.map((step): Unit => ({
    ...nothingMore,
    id: String(step.id),
    title: step.name,
    status: step.status,
    state: step.status,
    phase: step.cluster ?? null,
    attempts: step.error === null ? null : step.error.retries + 1,
    owner: step.agent,
    dependencies: step.dependencies.map(String),
  }));
  return { workflow: "plan", title: current.name, updatedAt: state.last_updated, units };
}

/** Tasks and subtasks are done one after the other: the order is what they wait for. */
export async function requestRun(looked: Looked): Promise<Run | undefined> {
  const [session] = await looked.sessions();
  if (!session) return undefined;
  const { state, updatedAt } = session;
  const planned = await plannedSubtasks(session, looked);
  const units: Unit[] = [];
  for (const taskId of state.task_order) {
    const task = state.tasks[taskId];
    const names = planned.get(taskId) ?? new Map<string, string>();
    for (const id of new Set([...(task?.subtask_order ?? []), ...names.keys()])) {
      const subtask = task?.subtasks[id];
      const before = units.at(-1);
      units.push({
        ...nothingMore,
        id,
        title: subtask?.name ?? names.get(id) ?? "",
        status: subtask?.status ?? "pending",
        state: subtaskState(subtask, state),
        phase: taskId,
        owner: subtask?.status === "in_progress" ? subtask.phase : null,
        dependencies: before === undefined ? [] : [before.id],
      });
    }
  }
  if (units.length === 0) return undefined;
  return { workflow: "request", title: state.request.original_request, updatedAt, units };
}

// --- internal ---

const nothingMore = { phase: null, attempts: null, owner: null, files: [], check: null } as const;

const checkpointStates = {
  pending: "pending",
  in_progress: "in_progress",
  passed: "completed",
  escalated: "escalated",
} as const;

type Subtask = RequestState["tasks"][string]["subtasks"][string];

/** One whose retries ran out stays in progress with a failed gate, and the request stops (S4.2). */
function subtaskState(subtask: Subtask | undefined, { request }: RequestState): Unit["state"] {
  if (subtask === undefined) return "pending";
  const stuck = Object.values(subtask.gates).includes("failed") && request.status === "stopped";
  return stuck ? "escalated" : subtask.status;
}

/** What the planner named, by task: not all of it has begun. */
async function plannedSubtasks(
  { path, state }: Session,
  looked: Looked,
): Promise<Map<string, Map<string, string>>> {
  const folder = path.replace(/state\.json$/, `contracts/${state.request.id}`);
  const plan = await looked.at(`${folder}/task-breakdown.yaml`, "task-breakdown");
  return new Map(
    (plan?.tasks ?? []).map(({ id, subtasks }) => [
      id,
      new Map(subtasks.map((subtask) => [subtask.id, subtask.name])),
    ]),
  );
}
