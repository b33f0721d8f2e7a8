// `why T1-S2`: a subtask waits for its turn and for the next gate; a task for its turn.
import { type Message, msg } from "../../core/messages.ts";
import type { RequestState } from "../../formats/request-state.ts";
import type { Looked, Session } from "./_look.ts";
import type { Entry } from "./why.ts";

/** Of the session that counts: the others have ended or were left behind (S4.8). */
export async function requestEntries(looked: Looked): Promise<Entry[]> {
  const [session] = await looked.sessions();
  if (!session) return [];
  const { state } = session;
  const names = await plannedNames(session, looked);
  const subtasks = new Map<string, string>();
  for (const [taskId, task] of Object.entries(state.tasks))
    for (const id of task.subtask_order) subtasks.set(id, taskId);
  // The plan names what has not begun: it has no place in the state yet.
  for (const id of names.keys()) {
    const taskId = taskOf(id);
    if (taskId !== undefined && !subtasks.has(id)) subtasks.set(id, taskId);
  }
  return [
    { id: state.request.id, explain: () => explainRequest(state) },
    ...state.task_order.map((id) => ({ id, explain: () => explainTask(id, state, names) })),
    ...[...subtasks].map(([id, taskId]) => ({
      id,
      explain: () => explainSubtask(id, taskId, state, names),
    })),
  ];
}

// --- internal ---

type Names = ReadonlyMap<string, string>;

/** What the planner called each task and subtask, in its order. */
async function plannedNames({ path, state }: Session, looked: Looked): Promise<Names> {
  const folder = path.replace(/state\.json$/, `contracts/${state.request.id}`);
  const plan = await looked.at(`${folder}/task-breakdown.yaml`, "task-breakdown");
  return new Map(
    (plan?.tasks ?? []).flatMap(({ id, name, subtasks }) => [
      [id, name] as const,
      ...subtasks.map((subtask) => [subtask.id, subtask.name] as const),
    ]),
  );
}

/** `T1-S2` is of T1; a task is of none. */
const taskOf = (id: string): string | undefined => /^(.+)-/.exec(id)?.[1];

/** The order in which gates are passed (S4.4). */
const gateOrder = ["GATE-1", "GATE-3", "GATE-4", "GATE-2"] as const;

function explainRequest({ request, tasks, task_order: order }: RequestState) {
  const left = order.filter((id) => tasks[id]?.status !== "completed");
  return {
    kind: "request" as const,
    name: request.original_request,
    status: request.status,
    reasons: stopped(request.status),
    next: [
      request.status === "completed"
        ? msg("why.done")
        : request.global_phase === "global_discovery"
          ? msg("why.request.discovery")
          : msg("why.request.left", { ids: left.join(", ") || "–" }),
    ],
    events: [],
  };
}

function explainTask(id: string, state: RequestState, names: Names) {
  const task = state.tasks[id];
  const status = task?.status ?? "pending";
  const before = openBefore(id, state.task_order, (other) => state.tasks[other]?.status);
  return {
    kind: "task" as const,
    name: task?.name ?? names.get(id) ?? "",
    status,
    reasons: status === "completed" ? [] : [...stopped(state.request.status), ...turn(before)],
    next: [nextOf(status, before, task?.current_subtask ?? null)],
    events: [],
  };
}

function explainSubtask(id: string, taskId: string, state: RequestState, names: Names) {
  const task = state.tasks[taskId];
  const subtask = task?.subtasks[id];
  const status = subtask?.status ?? "pending";
  const reasons: Message[] = [];
  const order =
    task?.subtask_order ?? [...names.keys()].filter((other) => taskOf(other) === taskId);
  const before = [
    // Only where its task has not begun: that one's turn has to come first.
    ...(task ? [] : openBefore(taskId, state.task_order, (other) => state.tasks[other]?.status)),
    ...openBefore(id, order, (other) => task?.subtasks[other]?.status),
  ];
  const gate = gateOrder.find((name) => subtask?.gates[name] !== "passed");
  if (status !== "completed") reasons.push(...stopped(state.request.status), ...turn(before));
  if (status === "in_progress" && gate !== undefined)
    reasons.push(
      msg(subtask?.gates[gate] === "failed" ? "why.gate.failed" : "why.gate.open", { gate }),
    );
  const atGate = status === "in_progress" && gate !== undefined;
  return {
    kind: "subtask" as const,
    name: subtask?.name ?? names.get(id) ?? "",
    status: subtask && status === "in_progress" ? `${status}, ${subtask.phase}` : status,
    reasons,
    next: [atGate ? msg(`why.gate.${gate}`) : nextOf(status, before, null)],
    events: [],
  };
}

function stopped(status: string): Message[] {
  return status === "stopped" ? [msg("why.request.stopped")] : [];
}

/** Tasks and subtasks are done one after the other. */
function openBefore(
  id: string,
  order: readonly string[],
  statusOf: (other: string) => string | undefined,
): string[] {
  return order.slice(0, order.indexOf(id)).filter((other) => statusOf(other) !== "completed");
}

function turn(before: readonly string[]): Message[] {
  return before.length > 0 ? [msg("why.request.turn", { ids: before.join(", ") })] : [];
}

function nextOf(status: string, before: readonly string[], current: string | null): Message {
  if (status === "completed") return msg("why.done");
  if (before.length > 0) return msg("why.when_completed", { ids: before.join(", ") });
  return current === null ? msg("why.may_start") : msg("why.request.current", { id: current });
}
