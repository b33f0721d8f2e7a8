// What is under review: the files as they are shown, and what changed since the last review.
import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import type { Operation } from "../../operation.ts";
import { taskId } from "./_parts.ts";

export const input = () => z.strictObject({ id: taskId(), reviewId: z.string().optional() });
export const output = () =>
  z.object({
    id: z.string(),
    status: z.string(),
    phase: z.int(),
    hash: z.string(),
    createdAt: z.string(),
    feedback: z.string().nullable(),
    files: z.array(
      z.object({ path: z.string(), characters: z.int(), text: z.string().nullable() }),
    ),
    diff: z.array(
      z.object({
        path: z.string(),
        status: z.string(),
        additions: z.int(),
        deletions: z.int(),
        patch: z.string(),
        binary: z.boolean(),
      }),
    ),
  });

export const operation: Operation<
  z.infer<ReturnType<typeof input>>,
  z.infer<ReturnType<typeof output>>
> = {
  name: "task review",
  fields: { id: msg("op.task.id"), reviewId: msg("op.task.review_id") },
  run: async (context, { id, reviewId }) => (await context.outputs()).review(id, reviewId),
};
