// The deliverables of a completed task as one file, made when it is asked for. `out` copies it; without,
// its place is told.
import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import { type Operation, sentence } from "../../operation.ts";
import { taskId } from "./_parts.ts";

export const input = () => z.strictObject({ id: taskId(), out: z.string().optional() });
export const output = () =>
  z.object({
    path: z.string(),
    bytes: z.int(),
    /** Files that are not in it, and why. */
    leftOut: z.array(sentence()),
  });

export const operation: Operation<
  z.infer<ReturnType<typeof input>>,
  z.infer<ReturnType<typeof output>>
> = {
  name: "task zip",
  fields: { id: msg("op.task.id"), out: msg("op.task.out") },
  run: async (context, { id, out }) => (await context.outputs()).zip(id, out, context.cwd),
};
