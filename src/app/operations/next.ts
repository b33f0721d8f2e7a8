// `next`: what an agent in a session is to do now (S2.11). Asked twice it says the same.
import { z } from "zod";
import { msg } from "../../core/messages.ts";
import { type NextStep, sessionOf } from "../in-session.ts";
import { type Operation, sentence } from "../operation.ts";

export const input = () => z.strictObject({ workflow: z.string().min(1).max(100).optional() });

export const output = () =>
  z.object({
    line: z.string(),
    says: sentence(),
    prompt: z.string().nullable(),
    missing: z.array(z.string()),
  });

export const operation: Operation<z.infer<ReturnType<typeof input>>, NextStep> = {
  name: "next",
  fields: { workflow: msg("op.next.workflow") },
  run: async (context, { workflow }) => (await sessionOf(context, workflow)).next(context),
};
