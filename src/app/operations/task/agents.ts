import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import type { Operation } from "../../operation.ts";
import { type AgentView, agentViewOf } from "../../task-views.ts";
import { taskId } from "./_parts.ts";
import { agentView } from "./agent.ts";

export const input = () => z.strictObject({ id: taskId() });
export const output = () => z.object({ agents: z.array(agentView()) });

export const operation: Operation<z.infer<ReturnType<typeof input>>, { agents: AgentView[] }> = {
  name: "task agents",
  fields: { id: msg("op.task.id") },
  run: async (context, { id }) => {
    const { entities } = await (await context.tasks()).state(id);
    return { agents: [...entities.agent.values()].map(agentViewOf) };
  },
};
