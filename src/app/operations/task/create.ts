import { z } from "zod";
import { Fault } from "../../../core/errors.ts";
import { msg } from "../../../core/messages.ts";
import type { ProjectRow } from "../../../store/database/store.ts";
import type { Context, Operation } from "../../operation.ts";
import { type TaskView, priorities } from "../../task-views.ts";
import { starters } from "../../conduct/starters.ts";
import { key, taskView } from "./_parts.ts";

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
    project: z.string().min(1).optional(),
    key: key(),
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
    project: msg("op.task.project_of"),
    key: msg("op.task.key"),
  },
  run: async (context, { submit = false, description = "", project, key: once, ...given }) => {
    const tasks = await context.tasks();
    const row = project === undefined ? await context.projectRow() : await named(context, project);
    const begins = Object.hasOwn(starters, given.type) ? starters[given.type] : undefined;
    // A run of its own documents is no draft: it begins, or goes on, at once.
    if (begins !== undefined)
      return tasks.show(await begins(context.at(row.root), { ...given, description }));
    const task = await tasks.create(row, { ...given, description }, context.language, once);
    if (!submit) return task;
    try {
      return await tasks.submit(task.id, once);
    } catch (cause) {
      // Asked for both, who is refused has neither; under a key the same call may come again.
      if (once === undefined) await tasks.remove(task.id);
      throw cause;
    }
  },
};

// --- internal ---

/** By its id or its folder. */
async function named(context: Context, name: string): Promise<ProjectRow> {
  const all = await (await context.store()).projects();
  const found = all.find(({ id, root }) => id === name || root === name);
  if (found !== undefined) return found;
  throw new Fault("not_found", msg("task.unknown_project", { name }), {
    hint: msg("task.unknown_project.hint"),
  });
}
