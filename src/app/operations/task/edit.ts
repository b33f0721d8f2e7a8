// A draft says something else: what is given is changed, the rest stays (S1.7).
import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import type { Operation } from "../../operation.ts";
import { type TaskView, priorities } from "../../task-views.ts";
import { idFields, key, taskId, taskView } from "./_parts.ts";

export const input = () =>
  z.strictObject({
    id: taskId(),
    type: z.string().min(1).optional(),
    title: z.string().max(500).optional(),
    description: z.string().max(100_000).optional(),
    agent: z.string().min(1).max(2_000).optional(),
    priority: z.enum(priorities).optional(),
    dependsOn: z.array(z.string()).max(1_000).optional(),
    key: key(),
  });
export const output = taskView;

export const operation: Operation<z.infer<ReturnType<typeof input>>, TaskView> = {
  name: "task edit",
  fields: {
    ...idFields,
    type: msg("op.task.type"),
    title: msg("op.task.title"),
    description: msg("op.task.description"),
    agent: msg("op.task.agent_name"),
    priority: msg("op.task.priority"),
    dependsOn: msg("op.task.edit_depends_on"),
  },
  run: async (context, { id, key: given, dependsOn, ...rest }) => {
    // The command line has no other way to say that there are none.
    const named = dependsOn?.filter((each) => each !== "");
    const change = named === undefined ? rest : { ...rest, dependsOn: named };
    return (await context.tasks()).edit(id, change, given);
  },
};
