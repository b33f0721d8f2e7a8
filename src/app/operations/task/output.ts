// One piece of one process's output, for doors that page: where it begins, and where the next does.
import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import type { Operation } from "../../operation.ts";
import { taskId } from "./_parts.ts";

export const input = () =>
  z.strictObject({
    id: taskId(),
    process: z.string().optional(),
    offset: z.int().min(0).optional(),
    limit: z.int().min(1).max(1_048_576).optional(),
  });
export const output = () =>
  z.object({
    processes: z.array(
      z.object({
        id: z.string(),
        status: z.string(),
        verifier: z.boolean(),
        size: z.int(),
        startedAt: z.string(),
      }),
    ),
    process: z.string().nullable(),
    offset: z.int(),
    next: z.int(),
    size: z.int(),
    text: z.string(),
  });

export const operation: Operation<
  z.infer<ReturnType<typeof input>>,
  z.infer<ReturnType<typeof output>>
> = {
  name: "task output",
  fields: {
    id: msg("op.task.id"),
    process: msg("op.task.process"),
    offset: msg("op.task.offset"),
    limit: msg("op.task.bytes"),
  },
  run: async (context, { id, ...place }) => (await context.outputs()).piece(id, place),
};
