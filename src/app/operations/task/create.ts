import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import type { Operation } from "../../operation.ts";
import { type TaskView, priorities } from "../../task-views.ts";
import { taskView } from "./_parts.ts";

export const input = () =>
  z.strictObject({
    type: z.string().min(1),
    title: z.string().max(500),
    description: z.string().max(100_000).optional(),
    agent: z.string().min(1).max(2_000).optional(),
    script: z.string().max(1_000_000).optional(),
    priority: z.enum(priorities).optional(),
    dependsOn: z.array(z.string()).max(1_000).optional(),
    submit: z.boolean().optional(),
  });
export const output = taskView;

export const operation: Operation<z.infer<ReturnType<typeof input>>, TaskView> = {
  name: "task create",
  fields: {
    type: msg("op.task.type"),
    title: msg("op.task.title"),
    description: msg("op.task.description"),
    agent: msg("op.task.agent_name"),
    script: msg("op.task.script"),
    priority: msg("op.task.priority"),
    dependsOn: msg("op.task.depends_on"),
    submit: msg("op.task.submit_now"),
  },
  run: async (context, { submit = false, description = "", ...given }) => {
    const tasks = await context.tasks();
    const task = await tasks.create(
      await context.projectRow(),
      { ...given, description },
      context.language,
    );
    return submit ? tasks.submit(task.id, context.language) : task;
  },
};
