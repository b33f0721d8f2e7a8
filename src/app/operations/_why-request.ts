// `why T1-S2`: a subtask waits for its turn and for the next gate; a task for its turn.
import { type Message, msg } from "../../core/messages.ts";
import type { RequestState } from "../../formats/request-state.ts";
import type { Looked } from "./_look.ts";
import type { Entry } from "./why.ts";

/** Of the session that counts: the others have ended or were left behind (S4.8). */
export async function requestEntries(looked: Looked): Promise<Entry[]> {
  const [session] = await looked.sessions();
  if (!session) return [];
  const { state } = session;
  return [
    { id: state.request.id, explain: () => explainRequest(state) },
    ...state.task_order.map((id) => ({ id, explain: () => explainTask(id, state) })),
    ...Object.entries(state.tasks).flatMap(([taskId, task]) =>
      task.subtask_order.map((id) => ({ id, explain: () => explainSubtask(id, taskId, state) })),
    ),
  ];
}

// --- internal ---

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

function explainTask(id: string, state: RequestState) {
  const task = state.tasks[id];
  const status = task?.status ?? "pending";
  const before = openBefore(id, state.task_order, (other) => state.tasks[other]?.status);
  return {
    kind: "task" as const,
    name: task?.name ?? "",
    status,
    reasons: status === "completed" ? [] : [...stopped(state.request.status), ...turn(before)],
    next: [nextOf(status, before, task?.current_subtask ?? null)],
    events: [],
  };
}

function explainSubtask(id: string, taskId: string, state: RequestState) {
  const task = state.tasks[taskId];
  const subtask = task?.subtasks[id];
  const status = subtask?.status ?? "pending";
  const reasons: Message[] = [];
  const order = task?.subtask_order ?? [];
  const before = openBefore(id, order, (other) => task?.subtasks[other]?.status);
  const gate = gateOrder.find((name) => subtask?.gates[name] !== "passed");
  if (status !== "completed") reasons.push(...stopped(state.request.status), ...turn(before));
  if (status === "in_progress" && gate !== undefined)
    reasons.push(
      msg(subtask?.gates[gate] === "failed" ? "why.gate.failed" : "why.gate.open", { gate }),
    );
  const atGate = status === "in_progress" && gate !== undefined;
  return {
    kind: "subtask" as const,
    name: subtask?.name ?? "",
    status: subtask ? `${status}, ${subtask.phase}` : status,
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
