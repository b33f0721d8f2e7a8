import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import type { Operation } from "../../operation.ts";
import type { TaskView } from "../../task-views.ts";
import { idFields, key, taskId, taskView } from "./_parts.ts";

export const input = () =>
  z.strictObject({
    id: taskId(),
    answer: z.string().min(1).max(100_000),
    questionId: z.string().optional(),
    key: key(),
  });
export const output = taskView;

export const operation: Operation<z.infer<ReturnType<typeof input>>, TaskView> = {
  name: "task answer",
  fields: { ...idFields, answer: msg("op.task.answer"), questionId: msg("op.task.question_id") },
  run: async (context, { id, key: given, ...rest }) =>
    (await context.tasks()).answer(id, rest, given),
};
