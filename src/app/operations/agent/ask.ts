// `agent ask`: a question to the person behind the task; the answer comes as a message (S1.15).
import { z } from "zod";
import { questionCategories } from "../../../core/protocol.ts";
import { Fault } from "../../../core/errors.ts";
import { msg } from "../../../core/messages.ts";
import { sayInRun } from "../../own-run.ts";
import { mostText, telling, told } from "./_parts.ts";

export const input = () =>
  z.strictObject({
    question: z.string().min(1).max(mostText),
    options: z.array(z.string().min(1).max(500)).max(50).optional(),
    category: z.enum(questionCategories).optional(),
    default: z.string().min(1).max(mostText).optional(),
    optional: z.boolean().optional(),
  });
export const output = told;

type Input = z.infer<ReturnType<typeof input>>;

export const operation = telling<Input>(
  "agent ask",
  {
    question: msg("op.agent.question"),
    options: msg("op.agent.options"),
    category: msg("op.agent.category"),
    default: msg("op.agent.default"),
    optional: msg("op.agent.optional"),
  },
  async (
    context,
    { question, options = [], category, default: usual = null, optional = false },
  ) => {
    if (category === "choice" && options.length === 0)
      throw new Fault("invalid_input", msg("protocol.options_needed"));
    return sayInRun(context, {
      kind: "user_question",
      category: category ?? (options.length > 0 ? "choice" : "clarification"),
      question,
      options,
      default: usual,
      required: !optional,
    });
  },
);
