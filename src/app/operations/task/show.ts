// One task with all that waits for a person (questions, dependencies, the open review), how far it
// came, and what may be done with it.
import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import { dependencyTypes } from "../../../core/vocabulary.ts";
import { resultOf } from "../../../engine/state.ts";
import { type Operation, sentence } from "../../operation.ts";
import { detailOf, surroundings, waitKinds } from "../../task-detail.ts";
import { waitingOf } from "../../task-views.ts";
import { taskId, taskView, took } from "./_parts.ts";

export const input = () => z.strictObject({ id: taskId() });

/** What there is to answer beyond one question and its options. */
export const asked = () => ({
  parts: z.array(
    z.object({
      question: z.string(),
      options: z.array(z.string()),
      descriptions: z.array(z.string()),
      several: z.boolean(),
      free: z.boolean(),
      header: z.string().nullable(),
    }),
  ),
  request: z.object({ tool: z.string(), input: z.string() }).nullable(),
});

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
      ...asked(),
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

export const wait = () =>
  z.object({
    kind: z.enum(waitKinds),
    clears: z.enum(["you", "itself"]),
    since: z.string().nullable(),
    until: z.string().nullable(),
    ids: z.array(z.string()),
  });

const detail = () => ({
  phases: z.array(
    z.object({
      name: sentence(),
      review: z.boolean(),
      deliverables: z.array(z.string()),
      verify: z.array(z.string()),
      verifier: z.boolean(),
      status: z.enum(["done", "current", "next"]),
    }),
  ),
  attempts: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      phase: z.int(),
      startedAt: z.string(),
      endedAt: z.string().nullable(),
      problem: z.string().nullable(),
      /** Without a verifier's verdict, by a person. */
      accepted: z.boolean(),
      took: took(),
    }),
  ),
  /** Reviews, oldest first, with what was said. */
  decisions: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      phase: z.int(),
      createdAt: z.string(),
      decidedAt: z.string().nullable(),
      feedback: z.string().nullable(),
      comments: z.array(z.object({ path: z.string(), line: z.int().nullable(), text: z.string() })),
    }),
  ),
  answers: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      origin: z.string(),
      question: z.string(),
      answer: z.string().nullable(),
      askedAt: z.string(),
      answeredAt: z.string().nullable(),
    }),
  ),
  /** What its machine takes from a person now, and why not the rest. */
  actions: z.array(
    z.object({ name: z.string(), allowed: z.boolean(), reasons: z.array(sentence()) }),
  ),
  waits: z.array(wait()),
  /** Its deliverables can be had as a ZIP, which is made when somebody asks for it. */
  zip: z.boolean(),
  /** Of the ZIP that was made last; null: none was. */
  zipBytes: z.int().nullable(),
});

export const output = () => taskView().extend(waiting()).extend(detail());

export const operation: Operation<
  z.infer<ReturnType<typeof input>>,
  z.infer<ReturnType<typeof output>>
> = {
  name: "task show",
  fields: { id: msg("op.task.id") },
  run: async (context, { id }) => {
    const tasks = await context.tasks();
    const state = await tasks.state(id);
    const around = await (await surroundings(await context.store()))(state);
    const zipBytes = await (await context.outputs()).zipBytes(id);
    return {
      ...(await tasks.view(state)),
      ...waitingOf(state),
      ...detailOf(state, around),
      zip: resultOf(state) !== null,
      zipBytes,
    } as z.infer<ReturnType<typeof output>>;
  },
};
