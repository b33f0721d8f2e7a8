// The failed task stays; the new one is the result (S1.7).
import type { Operation } from "../../operation.ts";
import type { TaskView } from "../../task-views.ts";
import { type IdInput, idFields, idInput, taskView } from "./_parts.ts";

export const input = idInput;
export const output = taskView;
export const operation: Operation<IdInput, TaskView> = {
  name: "task retry",
  fields: idFields,
  run: async (context, { id, key }) => (await context.tasks()).retry(id, key),
};
