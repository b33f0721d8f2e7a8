// The projects of this home, with how many tasks each has; the one that a new task would belong to
// is marked.
import { z } from "zod";
import type { Operation } from "../../operation.ts";

export const input = () => z.strictObject({});
export const output = () =>
  z.object({
    projects: z.array(
      z.object({
        id: z.string(),
        root: z.string(),
        here: z.boolean(),
        tasks: z.int(),
        createdAt: z.string(),
      }),
    ),
  });

export const operation: Operation<
  z.infer<ReturnType<typeof input>>,
  z.infer<ReturnType<typeof output>>
> = {
  name: "task projects",
  fields: {},
  run: async (context) => {
    const store = await context.existingStore();
    if (store === undefined) return { projects: [] };
    const counts = new Map<string, number>();
    for (const { projectId } of await store.tasks())
      counts.set(projectId, (counts.get(projectId) ?? 0) + 1);
    const projects = (await store.projects()).map(({ id, root, createdAt }) => ({
      id,
      root,
      here: root === context.project.root,
      tasks: counts.get(id) ?? 0,
      createdAt,
    }));
    return { projects };
  },
};
