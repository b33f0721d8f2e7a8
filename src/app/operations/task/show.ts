// One task with all that waits for a person: questions, dependencies, the open review.
import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import { dependencyTypes } from "../../../core/vocabulary.ts";
import type { Operation } from "../../operation.ts";
import { viewOf, waitingOf } from "../../task-views.ts";
import { taskId, taskView } from "./_parts.ts";

export const input = () => z.strictObject({ id: taskId() });

export const waiting = () => ({
  openQuestions: z.array(
    z.object({
      id: z.string(),
      origin: z.string(),
      category: z.string(),
      question: z.string(),
      options: z.array(z.string()),
      default: z.string().nullable(),
      required: z.boolean(),
      askedAt: z.string(),
      deadlineAt: z.string().nullable(),
    }),
  ),
  openDependencies: z.array(
    z.object({
      id: z.string(),
      type: z.enum(dependencyTypes),
      name: z.string(),
      description: z.string(),
      required: z.boolean(),
      askedAt: z.string(),
    }),
  ),
  openReviews: z.array(
    z.object({
      id: z.string(),
      phase: z.int(),
      hash: z.string(),
      createdAt: z.string(),
      files: z.array(z.object({ path: z.string(), characters: z.int() })),
    }),
  ),
});

export const output = () => taskView().extend(waiting());

export const operation: Operation<
  z.infer<ReturnType<typeof input>>,
  z.infer<ReturnType<typeof output>>
> = {
  name: "task show",
  fields: { id: msg("op.task.id") },
  run: async (context, { id }) => {
    const state = await (await context.tasks()).state(id);
    return { ...viewOf(state), ...waitingOf(state) } as z.infer<ReturnType<typeof output>>;
  },
};
