// `memory`: what agents of a plan share and remember, read and changed by people and agents (S3.4, S3.9).
// One operation, and so one tool: an agent learns one thing.
import { z } from "zod";
import { msg } from "../../core/messages.ts";
import { type Operation, sentence } from "../operation.ts";

const actions = ["get", "set", "add", "remove", "list", "history", "context", "agent"] as const;

export const input = () =>
  z.strictObject({
    action: z.enum(actions),
    path: z.string().min(1).max(1_000).optional(),
    value: z.string().max(1_000_000).optional(),
    session: z.string().min(1).max(200).optional(),
  });

export const output = () =>
  z.object({
    path: z.string(),
    says: z.array(sentence()),
    value: z.unknown().optional(),
  });

export type Input = z.infer<ReturnType<typeof input>>;
export type Memorised = z.infer<ReturnType<typeof output>>;

export const operation: Operation<Input, Memorised> = {
  name: "memory",
  fields: {
    action: msg("op.memory.action"),
    path: msg("op.memory.path"),
    value: msg("op.memory.value"),
    session: msg("op.next.session"),
  },
  run: async (context, given) => (await import("./_memory-parts.ts")).memorise(context, given),
};
