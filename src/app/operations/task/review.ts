// What is under review: the files as they are shown, what the engine checked before it asked, and
// what changed since the last review, or, with `whole`, since the phase began.
import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import { type Operation, sentence } from "../../operation.ts";
import { taskId, took } from "./_parts.ts";

export const input = () =>
  z.strictObject({
    id: taskId(),
    reviewId: z.string().optional(),
    whole: z.boolean().optional(),
  });
export const output = () =>
  z.object({
    id: z.string(),
    status: z.string(),
    phase: z.int(),
    phaseName: sentence().nullable(),
    hash: z.string(),
    createdAt: z.string(),
    feedback: z.string().nullable(),
    /** What the changes are compared with. */
    since: z.enum(["review", "phase"]),
    /** Held true by the engine before anybody was asked (S1.14). */
    checked: z.object({
      commands: z.array(z.string()),
      verifier: z.boolean(),
      /** A person accepted it without a verifier's verdict. */
      accepted: z.boolean(),
      took: took(),
    }),
    files: z.array(
      z.object({ path: z.string(), characters: z.int(), text: z.string().nullable() }),
    ),
    diff: z.array(
      z.object({
        path: z.string(),
        status: z.string(),
        additions: z.int(),
        deletions: z.int(),
        patch: z.string(),
        binary: z.boolean(),
      }),
    ),
  });

export const operation: Operation<
  z.infer<ReturnType<typeof input>>,
  z.infer<ReturnType<typeof output>>
> = {
  name: "task review",
  fields: {
    id: msg("op.task.id"),
    reviewId: msg("op.task.review_id"),
    whole: msg("op.task.whole"),
  },
  run: async (context, { id, reviewId, whole = false }) =>
    (await context.outputs()).review(id, reviewId, whole),
};
