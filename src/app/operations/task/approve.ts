import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import type { Operation } from "../../operation.ts";
import type { TaskView } from "../../task-views.ts";
import { idFields, key, taskId, taskView } from "./_parts.ts";

export const input = () =>
  z.strictObject({
    id: taskId(),
    reviewId: z.string().optional(),
    hash: z.string().optional(),
    comment: z.string().max(100_000).optional(),
    key: key(),
  });
export const output = taskView;

export const operation: Operation<z.infer<ReturnType<typeof input>>, TaskView> = {
  name: "task approve",
  fields: {
    ...idFields,
    reviewId: msg("op.task.review_id"),
    hash: msg("op.task.hash"),
    comment: msg("op.task.comment"),
  },
  run: async (context, { id, key: given, ...rest }) =>
    (await context.tasks()).approve(id, rest, given),
};
