// The agent that blocks most (S1.22); `agents` lists all of them.
import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import { agentStatuses } from "../../../core/vocabulary.ts";
import type { Operation } from "../../operation.ts";
import type { AgentView } from "../../task-views.ts";
import { taskId } from "./_parts.ts";

export const input = () => z.strictObject({ id: taskId() });

export const agentView = () =>
  z.object({
    id: z.string().nullable(),
    name: z.string(),
    status: z.enum(agentStatuses),
    currentPhase: z.int().nullable(),
    currentStep: z.string().nullable(),
    progress: z.int(),
    tokensUsed: z.number(),
    cost: z.number(),
    blockedBy: z.enum(["dependency", "question", "review"]).nullable(),
    holds: z.array(z.string()),
    lastUpdate: z.string(),
    checkpoint: z.object({ lastSaved: z.string().nullable(), autoSaveInterval: z.int() }),
  });
export const output = agentView;

export const operation: Operation<z.infer<ReturnType<typeof input>>, AgentView> = {
  name: "task agent",
  fields: { id: msg("op.task.id") },
  run: async (context, { id }) => (await context.tasks()).agent(id),
};
