// The tasks that a run makes for its orders: each one agent in one clone, looked after by the engine
// like any other task, so that a crash, a limit, a question or a review is nothing special here.
import { taskId } from "../../core/ids.ts";
import type { Language } from "../../core/messages.ts";
import { type OrderOrigin, type Task, notBegun } from "../../engine/state.ts";
import { budgetOf } from "../../engine/surroundings.ts";
import type { ProjectSettings } from "../../formats/project-settings.ts";
import type { Change, Store, TransitionRow } from "../../store/database/store.ts";
import type { AgentOrder } from "../../workflows/orders.ts";
import { digestOf } from "../_task-rules.ts";
import { phases, type TaskType } from "../../workflows/phases/phases.ts";

/** What the tasks of orders are called where others have their type. */
export const childWorkflow = "unit";

/** The same for the same order, whoever asks: made twice, it is one. */
export function childId(run: string, key: string): string {
  return taskId(digestOf(run, key).slice(0, 20));
}

export interface Beginning {
  readonly order: AgentOrder;
  /** Where its branch stands. */
  readonly base: string;
  readonly settings: ProjectSettings | undefined;
  readonly now: number;
}

export function newChild(run: Task, { order, base, settings, now }: Beginning): Change {
  const at = new Date(now).toISOString();
  const { language, script } = run.data;
  const { key, unit, title } = order;
  const id = childId(run.id, key);
  const type = typeFor(order, settings);
  const task: Task = {
    id,
    projectId: run.projectId,
    workflow: childWorkflow,
    status: "pending",
    priority: run.priority,
    queuedAt: now,
    archived: false,
    retryOf: null,
    rev: 0,
    createdAt: at,
    updatedAt: at,
    data: {
      title,
      description: "",
      agent: order.agent ?? run.data.agent,
      // What the sample agent plays may name what it is there for.
      script: script?.replaceAll("{unit}", unit).replaceAll("{key}", key) ?? null,
      language,
      document: documentFor(type, title, language),
      dependsOn: [],
      budget: budgetOf(settings?.budgets?.task),
      ...notBegun,
      order: originOf(run, order, base),
    },
  };
  return { tasks: [task], transitions: [created(task)] };
}

/** Of a run, in no order. */
export async function childrenOf(store: Store, run: Task): Promise<Task[]> {
  const rows = await store.tasks({ projectId: run.projectId, workflow: childWorkflow });
  return (rows as Task[]).filter(({ data }) => data.order?.task === run.id);
}

export function isOver({ status }: Task): boolean {
  return status === "completed" || status === "failed";
}

// --- internal ---

function typeFor(order: AgentOrder, settings: ProjectSettings | undefined): TaskType {
  const { role, prompt, deliverables, commands, verifier, review, reworks } = order;
  return {
    name: childWorkflow,
    title: order.title,
    startsEmpty: false,
    permissions: order.permissions ?? settings?.permissions ?? "edits",
    reworks,
    phases: [
      { name: role, instructions: prompt, deliverables, verify: commands, verifier, review },
    ],
  };
}

function documentFor(type: TaskType, title: string, language: Language) {
  return phases.start({ type, title, description: "" }, language);
}

function originOf(run: Task, order: AgentOrder, base: string): OrderOrigin {
  const { key, unit, branch, env, merges } = order;
  return {
    task: run.id,
    key,
    unit,
    base,
    branch: branch.name,
    ...(merges ? {} : { merges }),
    ...(env === undefined ? {} : { env }),
  };
}

function created({ id, createdAt, data }: Task): Omit<TransitionRow, "seq"> {
  return {
    timestamp: createdAt,
    taskId: id,
    machine: "task",
    entityId: id,
    from: "none",
    to: "pending",
    trigger: "order",
    metadata: { run: data.order?.task ?? "", key: data.order?.key ?? "" },
  };
}
