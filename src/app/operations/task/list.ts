import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import { taskStatuses } from "../../../core/vocabulary.ts";
import type { Operation } from "../../operation.ts";
import type { TaskView } from "../../task-views.ts";
import { taskView } from "./_parts.ts";

export const input = () =>
  z.strictObject({
    status: z.enum(taskStatuses).optional(),
    type: z.string().optional(),
    project: z.string().optional(),
    archived: z.boolean().optional(),
    run: z.string().max(60).optional(),
    q: z.string().max(200).optional(),
    cursor: z.string().max(200).optional(),
    limit: z.int().min(1).max(500).optional(),
  });
export const output = () => z.object({ tasks: z.array(taskView()), cursor: z.string().nullable() });

export const operation: Operation<
  z.infer<ReturnType<typeof input>>,
  { tasks: TaskView[]; cursor: string | null }
> = {
  name: "task list",
  fields: {
    status: msg("op.task.status"),
    type: msg("op.task.type"),
    project: msg("op.task.project"),
    archived: msg("op.task.archived"),
    run: msg("op.task.run"),
    q: msg("op.task.q"),
    cursor: msg("op.task.cursor"),
    limit: msg("op.task.limit"),
  },
  run: async (context, { project, ...filter }) =>
    (await context.tasks()).list({ ...filter, projectId: project }),
};
