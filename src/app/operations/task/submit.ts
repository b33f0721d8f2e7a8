import type { Operation } from "../../operation.ts";
import type { TaskView } from "../../task-views.ts";
import { type IdInput, idFields, idInput, taskView } from "./_parts.ts";

export const input = idInput;
export const output = taskView;
export const operation: Operation<IdInput, TaskView> = {
  name: "task submit",
  fields: idFields,
  run: async (context, { id, key }) => (await context.tasks()).submit(id, key),
};
