// `report`: what an agent in a session has done, in one line (S2.11). It is a claim, and is checked.
import { z } from "zod";
import { msg } from "../../core/messages.ts";
import { type Reported, sessionOf } from "../in-session.ts";
import { type Operation, sentence } from "../operation.ts";

export const input = () =>
  z.strictObject({
    workflow: z.string().min(1).max(100),
    line: z.string().min(1).max(10_000),
    session: z.string().min(1).max(200).optional(),
  });

export const output = () => z.object({ line: z.string(), says: sentence().nullable() });

export const operation: Operation<z.infer<ReturnType<typeof input>>, Reported> = {
  name: "report",
  fields: {
    workflow: msg("op.next.workflow"),
    line: msg("op.report.line"),
    session: msg("op.next.session"),
  },
  run: async (context, { workflow, line, ...asked }) =>
    (await sessionOf(context, workflow)).report(context, line, asked),
};
