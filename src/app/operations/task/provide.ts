// What a dependency asks for: a text, or a file's bytes. A secret is sealed at once and never comes back (S6.6).
import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import type { Operation } from "../../operation.ts";
import type { TaskView } from "../../task-views.ts";
import { idFields, key, taskId, taskView } from "./_parts.ts";

export const input = () =>
  z.strictObject({
    id: taskId(),
    value: z.string().min(1).max(100_000).optional(),
    file: z.string().min(1).max(700_000).optional(),
    dependencyId: z.string().optional(),
    confirmed: z.boolean().optional(),
    key: key(),
  });
export const output = taskView;

export const operation: Operation<z.infer<ReturnType<typeof input>>, TaskView> = {
  name: "task provide",
  fields: {
    ...idFields,
    value: msg("op.task.value"),
    file: msg("op.task.file"),
    dependencyId: msg("op.task.dependency_id"),
    confirmed: msg("op.task.confirmed"),
  },
  run: async (context, { id, key: given, ...rest }) =>
    (await context.tasks()).provide(id, rest, given),
};
