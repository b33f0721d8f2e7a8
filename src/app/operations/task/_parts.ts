// What the operations on tasks share: their fields, their result, and those that are one command.
import { z } from "zod";
import { type Message, msg } from "../../../core/messages.ts";
import { taskStatuses } from "../../../core/vocabulary.ts";
import type { Command } from "../../../engine/decide/commands.ts";
import { type Operation, sentence } from "../../operation.ts";
import { type TaskView, priorities } from "../../task-views.ts";

export const taskId = () => z.string().min(1);
/** Sent twice under the same key, it is done once (S1.22). */
export const key = () => z.string().min(1).max(200).optional();

export const taskView = () =>
  z.object({
    id: z.string(),
    status: z.enum(taskStatuses),
    currentPhase: z.int().nullable(),
    totalPhases: z.int().nullable(),
    phaseName: sentence().nullable(),
    progress: z.int().min(0).max(100),
    type: z.string(),
    title: z.string(),
    description: z.string(),
    priority: z.enum(priorities),
    agent: z.string(),
    projectId: z.string(),
    dependsOn: z.array(z.string()),
    retryOf: z.string().nullable(),
    run: z.string().nullable(),
    unit: z.string().nullable(),
    held: z.string().nullable(),
    archived: z.boolean(),
    createdAt: z.string(),
    updatedAt: z.string(),
    startedAt: z.string().nullable(),
    completedAt: z.string().nullable(),
    failedAt: z.string().nullable(),
    failure: z.object({ reason: z.string(), message: z.string() }).nullable(),
    tokens: z.number(),
    costUsd: z.number(),
    workspace: z.string().nullable(),
    agentStatus: z.string().nullable(),
    blockedBy: z.string().nullable(),
    /** Why its agent stands still. */
    holds: z.array(z.string()),
    questions: z.array(z.string()),
    dependencies: z.array(z.string()),
    reviews: z.array(z.string()),
  });

/** How long the engine's check of a claim took, and each command of it. */
export const took = () =>
  z
    .object({
      milliseconds: z.number(),
      commands: z.array(z.object({ command: z.string(), milliseconds: z.number() })),
    })
    .nullable();

export const idFields = { id: msg("op.task.id"), key: msg("op.task.key") } as const;

export const idInput = () => z.strictObject({ id: taskId(), key: key() });
export interface IdInput {
  readonly id: string;
  readonly key?: string | undefined;
}

/** An operation that is one command without more to say. */
export function commandOperation(
  name: string,
  command: Extract<Command["name"], "pause" | "resume" | "cancel" | "archive">,
): Operation<IdInput, TaskView> {
  return {
    name,
    fields: idFields,
    run: async (context, { id, key: given }) =>
      (await context.tasks()).act(id, { name: command }, given),
  };
}

export type Fields<I> = { readonly [F in keyof Required<I>]: Message };
