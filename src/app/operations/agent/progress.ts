// `agent progress`: a word for people on how it goes. Percent are counted, not told (S1.21b).
import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import { noteInRun } from "../../own-run.ts";
import { telling, told } from "./_parts.ts";

export const input = () => z.strictObject({ note: z.string().min(1).max(2_000) });
export const output = told;

type Input = z.infer<ReturnType<typeof input>>;

export const operation = telling<Input>(
  "agent progress",
  { note: msg("op.agent.note") },
  (context, { note }) => noteInRun(context, note),
);
