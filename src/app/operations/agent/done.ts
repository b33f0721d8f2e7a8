// `agent done`: the claim that a phase is complete. The engine looks for itself (S1.14).
import { z } from "zod";
import { msg } from "../../../core/messages.ts";
import { sayInRun } from "../../own-run.ts";
import { mostText, telling, told } from "./_parts.ts";

export const input = () =>
  z.strictObject({
    phase: z.int().min(1).max(9_999),
    files: z.array(z.string().min(1).max(1_000)).max(1_000).optional(),
    summary: z.string().min(1).max(mostText).optional(),
  });
export const output = told;

type Input = z.infer<ReturnType<typeof input>>;

export const operation = telling<Input>(
  "agent done",
  {
    phase: msg("op.agent.phase"),
    files: msg("op.agent.files"),
    summary: msg("op.agent.summary"),
  },
  (context, { phase, files = [], summary: completed = null }) =>
    sayInRun(context, { kind: "phase_complete", phase, completed, files }),
);
