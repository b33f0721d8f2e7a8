// `contracts/{request}/task-breakdown.yaml`: the planner's tasks and subtasks (S4.2).
import { z } from "zod";
import { msg } from "../core/messages.ts";
import { type Finding, type Format, pointerTo, yamlLimit } from "./format.ts";
import { belongs, idsOnce, orderFits, requestHead, unless } from "./_request-parts.ts";
import { filled, text, texts } from "./shapes.ts";

export const schema = () =>
  z.strictObject({
    ...requestHead("planner"),
    original_request: filled(),
    objective: filled(),
    tasks: z
      .array(
        z.strictObject({
          id: text("taskId"),
          name: filled(),
          objective: filled(),
          subtasks: z
            .array(
              z.strictObject({ id: text("subtaskId"), name: filled(), description: z.string() }),
            )
            .min(1),
        }),
      )
      .min(1),
    assumptions: texts(),
    task_order: z.array(text("taskId")),
  });

export type TaskBreakdown = z.infer<ReturnType<typeof schema>>;

export const taskBreakdown: Format<TaskBreakdown> = {
  name: "task-breakdown",
  title: msg("format.title.task-breakdown"),
  syntax: "yaml",
  path: ".claude/orchestrator/sessions/{hash}/contracts/{request}/task-breakdown.yaml",
  open: false,
  version: 1,
  maxBytes: yamlLimit,
  rules: (breakdown) => [
    ...idsOnce(breakdown.tasks, "tasks"),
    ...breakdown.tasks.flatMap(({ id, subtasks }, index) => [
      ...idsOnce(subtasks, "tasks", index, "subtasks"),
      ...subtasks.flatMap((subtask, number) =>
        belongs(subtask.id, id, "tasks", index, "subtasks", number, "id"),
      ),
    ]),
    ...orderNamesAll(breakdown),
  ],
};

// --- internal ---

/** task_order names each task once: it is the order of work, not a selection. */
function orderNamesAll({ tasks, task_order: order }: TaskBreakdown): Finding[] {
  const ids = new Set(tasks.map(({ id }) => id));
  return [
    ...order.flatMap((id, index) =>
      unless(ids.has(id), pointerTo("task_order", index), msg("format.rule.no_such_task", { id })),
    ),
    ...orderFits(
      order,
      tasks.map(({ id }) => [id, "/task_order"] as const),
      "task_order",
    ),
  ];
}
