import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import type { Operation } from "../../operation.ts";
import type { TaskView } from "../../task-views.ts";
import { idFields, key, taskId, taskView } from "./_parts.ts";

export const input = () =>
  z.strictObject({
    id: taskId(),
    feedback: z.string().max(100_000),
    reviewId: z.string().optional(),
    comments: z
      .array(
        z.strictObject({
          path: z.string().min(1).max(4_096),
          line: z.int().min(1).nullable(),
          text: z.string().min(1).max(10_000),
        }),
      )
      .max(1_000)
      .optional(),
    key: key(),
  });
export const output = taskView;

export const operation: Operation<z.infer<ReturnType<typeof input>>, TaskView> = {
  name: "task request-changes",
  fields: {
    ...idFields,
    feedback: msg("op.task.feedback"),
    reviewId: msg("op.task.review_id"),
    comments: msg("op.task.comments"),
  },
  run: async (context, { id, key: given, ...rest }) =>
    (await context.tasks()).requestChanges(id, rest, given),
};
