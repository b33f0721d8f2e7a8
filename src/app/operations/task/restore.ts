// Back to a snapshot. What stands now is kept as a snapshot first, so that it can be undone.
import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import type { Operation } from "../../operation.ts";
import type { TaskView } from "../../task-views.ts";
import { idFields, key, taskId, taskView } from "./_parts.ts";

export const input = () =>
  z.strictObject({ id: taskId(), snapshot: z.string().optional(), key: key() });
export const output = taskView;

export const operation: Operation<z.infer<ReturnType<typeof input>>, TaskView> = {
  name: "task restore",
  fields: { ...idFields, snapshot: msg("op.task.snapshot") },
  run: async (context, { id, snapshot, key: given }) =>
    (await context.tasks()).restore(id, snapshot, given),
};
