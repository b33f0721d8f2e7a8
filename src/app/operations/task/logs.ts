// What the agent printed, as it was, process by process; values that were provided are blanked.
// Handed out part by part: an output has no end while its agent works.
import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import type { Operation } from "../../operation.ts";
import { taskId } from "./_parts.ts";

export const input = () => z.strictObject({ id: taskId(), follow: z.boolean().optional() });
export const output = () => z.object({ bytes: z.int() });

export const operation: Operation<z.infer<ReturnType<typeof input>>, { bytes: number }> = {
  name: "task logs",
  fields: { id: msg("op.task.id"), follow: msg("op.task.follow") },
  run: async (context, { id, follow = false }) => {
    const outputs = await context.outputs();
    let bytes = 0;
    for await (const text of outputs.all(id, follow ? () => context.ended : undefined)) {
      bytes += Buffer.byteLength(text);
      context.emit({ text });
    }
    return { bytes };
  },
};
