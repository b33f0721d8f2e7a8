// `.claude/orchestrator/sessions/{hash}/state.json`, version 2: request, tasks, subtasks (S4.2).
// An order list may name what has not begun; `gates` holds only those checked so far, and a
// completed subtask of an older file may lack gates 3 and 4 (the seed's own example does).
import { z } from "zod";
import { msg } from "../core/messages.ts";
import {
  gateNames,
  gateStatuses,
  globalPhases,
  requestStatuses,
  subtaskPhases,
  workStatuses,
} from "../core/vocabulary.ts";
import { type Finding, type Format, jsonLimit, pointerTo } from "./format.ts";
import { belongs, orderFits, unless } from "./_request-parts.ts";
import { filled, text, time } from "./shapes.ts";

const gate = () => z.enum(gateStatuses).optional();

const subtask = () =>
  z.strictObject({
    name: filled(),
    status: z.enum(workStatuses),
    phase: z.enum(subtaskPhases),
    gates: z.strictObject({
      "GATE-1": gate(),
      "GATE-2": gate(),
      "GATE-3": gate(),
      "GATE-4": gate(),
    }),
  });

export const schema = () =>
  z.strictObject({
    version: z.literal(2),
    request: z.strictObject({
      id: text("requestId"),
      original_request: filled(),
      status: z.enum(requestStatuses),
      current_task: text("taskId").nullable(),
      global_phase: z.enum(globalPhases),
    }),
    tasks: z.record(
      text("taskId"),
      z.strictObject({
        name: filled(),
        status: z.enum(workStatuses),
        current_subtask: text("subtaskId")
          .nullable()
          .describe("null while the task is being designed."),
        subtasks: z.record(text("subtaskId"), subtask()),
        subtask_order: z.array(text("subtaskId")),
        created_at: time(),
        updated_at: time(),
      }),
    ),
    task_order: z.array(text("taskId")),
  });

export type RequestState = z.infer<ReturnType<typeof schema>>;
type TaskEntry = RequestState["tasks"][string];

export const requestState: Format<RequestState> = {
  name: "request-state",
  title: msg("format.title.request-state"),
  syntax: "json",
  path: ".claude/orchestrator/sessions/{hash}/state.json",
  open: false,
  version: 2,
  maxBytes: jsonLimit,
  rules: (state) => [
    ...requestFits(state),
    ...Object.entries(state.tasks).flatMap(([id, task]) => taskFits(id, task)),
  ],
};

// --- internal ---

function requestFits({ request, tasks, task_order: order }: RequestState): Finding[] {
  const known: [string, string][] = Object.keys(tasks).map((id) => [id, pointerTo("tasks", id)]);
  if (request.current_task !== null) known.push([request.current_task, "/request/current_task"]);
  return orderFits(order, known, "task_order");
}

function taskFits(id: string, task: TaskEntry): Finding[] {
  const { subtasks, subtask_order: order, current_subtask: current } = task;
  const at = ["tasks", id] as const;
  const known: [string, string][] = Object.keys(subtasks).map((name) => [
    name,
    pointerTo(...at, "subtasks", name),
  ]);
  if (current !== null) known.push([current, pointerTo(...at, "current_subtask")]);
  return [
    ...order.flatMap((name, index) => belongs(name, id, ...at, "subtask_order", index)),
    ...orderFits(order, known, ...at, "subtask_order"),
    ...Object.entries(subtasks).flatMap(([name, entry]) =>
      completionFits(name, entry, [...at, "subtasks", name]),
    ),
  ];
}

/** `completed` and phase `complete` go together, and no gate that was checked may be open. */
function completionFits(
  id: string,
  entry: TaskEntry["subtasks"][string],
  at: readonly string[],
): Finding[] {
  const completed = entry.status === "completed";
  const findings = unless(
    completed === (entry.phase === "complete"),
    pointerTo(...at, "phase"),
    msg("format.rule.phase_status", { id, phase: entry.phase, status: entry.status }),
  );
  if (!completed) return findings;
  const open = gateNames.filter(
    (name) =>
      (entry.gates[name] ?? (name === "GATE-1" || name === "GATE-2" ? "pending" : "passed")) !==
      "passed",
  );
  return [
    ...findings,
    ...open.flatMap((name) =>
      unless(
        false,
        pointerTo(...at, "gates", name),
        msg("format.rule.gate_open", { id, gate: name }),
      ),
    ),
  ];
}
