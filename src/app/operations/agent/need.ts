// `agent need`: something only a person can provide, such as a key (S1.12); its value comes as an
// environment variable in a new process, never as an answer.
import { z } from "zod";
import { dependencyTypes } from "../../../core/vocabulary.ts";
import { msg } from "../../../core/messages.ts";
import { sayInRun } from "../../own-run.ts";
import { mostText, telling, told } from "./_parts.ts";

export const input = () =>
  z.strictObject({
    type: z.enum(dependencyTypes),
    name: z.string().min(1).max(200),
    description: z.string().min(1).max(mostText),
    default: z.string().min(1).max(mostText).optional(),
    optional: z.boolean().optional(),
  });
export const output = told;

type Input = z.infer<ReturnType<typeof input>>;

export const operation = telling<Input>(
  "agent need",
  {
    type: msg("op.agent.type"),
    name: msg("op.agent.name"),
    description: msg("op.agent.description"),
    default: msg("op.agent.default"),
    optional: msg("op.agent.optional"),
  },
  (context, { type, name, description, default: usual = null, optional = false }) =>
    sayInRun(context, {
      kind: "dependency_request",
      type,
      name,
      description,
      default: usual,
      required: !optional,
    }),
);
