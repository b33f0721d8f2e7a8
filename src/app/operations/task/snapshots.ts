import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import type { Operation } from "../../operation.ts";
import { taskId } from "./_parts.ts";

export const input = () => z.strictObject({ id: taskId() });
export const output = () =>
  z.object({
    snapshots: z.array(
      z.object({
        id: z.string(),
        seq: z.int(),
        reason: z.string(),
        createdAt: z.string(),
        phase: z.int().nullable(),
        progress: z.int(),
        commit: z.string().nullable(),
        files: z.int(),
      }),
    ),
  });

export const operation: Operation<
  z.infer<ReturnType<typeof input>>,
  z.infer<ReturnType<typeof output>>
> = {
  name: "task snapshots",
  fields: { id: msg("op.task.id") },
  run: async (context, { id }) => ({ snapshots: await (await context.tasks()).snapshots(id) }),
};
