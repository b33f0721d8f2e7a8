// The snapshots of a task, newest first; with `changes` also what going back to that one would do.
import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import type { Operation } from "../../operation.ts";
import { taskId } from "./_parts.ts";

export const input = () => z.strictObject({ id: taskId(), changes: z.string().optional() });
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
    changes: z
      .array(
        z.object({
          path: z.string(),
          status: z.string(),
          additions: z.int(),
          deletions: z.int(),
        }),
      )
      .optional(),
  });

export const operation: Operation<
  z.infer<ReturnType<typeof input>>,
  z.infer<ReturnType<typeof output>>
> = {
  name: "task snapshots",
  fields: { id: msg("op.task.id"), changes: msg("op.task.changes") },
  run: async (context, { id, changes }) => ({
    snapshots: await (await context.tasks()).snapshots(id),
    ...(changes === undefined
      ? {}
      : { changes: await (await context.outputs()).changes(id, changes) }),
  }),
};
