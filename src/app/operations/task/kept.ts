// What ended tasks keep on the disk, and when it goes (S1.21c). Only looks: a server removes it, each
// when its date has come.
import { z } from "zod";
import { keptTrees } from "../../../git/kept.ts";
import type { Operation } from "../../operation.ts";

export const input = () => z.strictObject({});
export const output = () =>
  z.object({
    bytes: z.number(),
    tasks: z.array(
      z.object({
        id: z.string(),
        projectId: z.string(),
        title: z.string(),
        status: z.string(),
        endedAt: z.string(),
        bytes: z.number(),
        /** Null: not by itself, because another task needs it or the project's settings can not be read. */
        removeAt: z.string().nullable(),
        why: z.enum(["age", "size"]).nullable(),
        /** Have people been told? */
        told: z.boolean(),
        /** Trees of units with files that are stored nowhere else (S2.6); they go with it. */
        trees: z.array(z.string()),
      }),
    ),
  });

export type KeptView = z.infer<ReturnType<typeof output>>;

export const operation: Operation<z.infer<ReturnType<typeof input>>, KeptView> = {
  name: "task kept",
  fields: {},
  run: async (context) => {
    const found = await (await context.outputs()).kept();
    const tasks = found.map(({ removal, kept, endedAt, ...task }) => ({
      ...task,
      endedAt: new Date(endedAt).toISOString(),
      removeAt: removal === null ? null : new Date(removal.at).toISOString(),
      why: removal?.why ?? null,
      told: (kept?.removeAt ?? null) !== null,
      trees: keptTrees(context.home.path, task.id),
    }));
    // Soonest first; what stays comes last.
    tasks.sort((a, b) => ((a.removeAt ?? "~") < (b.removeAt ?? "~") ? -1 : 1));
    return { bytes: tasks.reduce((sum, { bytes }) => sum + bytes, 0), tasks };
  },
};
