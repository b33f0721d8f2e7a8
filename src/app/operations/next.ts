// `next`: what an agent in a session is to do now (S2.11). Asked twice it says the same.
import { z } from "zod";
import { msg } from "../../core/messages.ts";
import { type NextStep, sessionOf } from "../in-session.ts";
import { type Operation, sentence } from "../operation.ts";

export const input = () =>
  z.strictObject({
    workflow: z.string().min(1).max(100).optional(),
    ask: z.string().min(1).max(100).optional(),
    phase: z.int().min(0).max(9_999).optional(),
    session: z.string().min(1).max(200).optional(),
  });

export const output = () =>
  z.object({
    line: z.string(),
    says: sentence().nullable(),
    prompt: z.string().nullable(),
    missing: z.array(z.string()),
  });

export const operation: Operation<z.infer<ReturnType<typeof input>>, NextStep> = {
  name: "next",
  fields: {
    workflow: msg("op.next.workflow"),
    ask: msg("op.next.ask"),
    phase: msg("op.next.phase"),
    session: msg("op.next.session"),
  },
  run: async (context, { workflow, ...asked }) =>
    (await sessionOf(context, workflow)).next(context, asked),
};
