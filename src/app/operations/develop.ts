// `develop`: a feature from design to merge (S0). Begins a run, goes on with it or starts over (S0.8), and
// takes what only a person may say: the design and the merge are approved, an escalated checkpoint decided.
import { z } from "zod";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import { strategies } from "../../core/vocabulary.ts";
import { type Context, type Operation, sentence } from "../operation.ts";

const unit = () => z.string().min(1).max(60);

export const input = () =>
  z.strictObject({
    feature: z.string().max(2_000).regex(/\S/).optional(),
    strategy: z.enum(strategies).optional(),
    resume: z.boolean().optional(),
    restart: z.boolean().optional(),
    inSession: z.boolean().optional(),
    agent: z.string().min(1).max(2_000).optional(),
    script: z.string().min(1).max(1_000_000).optional(),
    dryRun: z.boolean().optional(),
    approve: z.boolean().optional(),
    sendBack: z.string().min(1).max(100_000).optional(),
    retry: unit().optional(),
    skip: unit().optional(),
    unit: unit().optional(),
    session: z.string().min(1).max(200).optional(),
  });

export const output = () =>
  z.object({
    /** For who reads no more than this. */
    line: z.string(),
    says: z.array(sentence()),
    /** The run's task. */
    task: z.string().optional(),
    ended: z.enum(["completed", "failed", "held", "paused", "left"]).optional(),
    /** Of a dry run: checkpoints that may be worked on side by side, round by round. */
    waves: z.array(z.array(z.string())).optional(),
    /** What there is to do, or what one unit asks for. */
    prompt: z.string().optional(),
  });

export type Input = z.infer<ReturnType<typeof input>>;
export type Developed = z.infer<ReturnType<typeof output>>;

export const operation: Operation<Input, Developed> = {
  name: "develop",
  fields: {
    feature: msg("op.develop.feature"),
    strategy: msg("op.develop.strategy"),
    resume: msg("op.develop.resume"),
    restart: msg("op.develop.restart"),
    inSession: msg("op.develop.in_session"),
    agent: msg("op.orchestrate.agent"),
    script: msg("op.task.script"),
    dryRun: msg("op.develop.dry_run"),
    approve: msg("op.develop.approve"),
    sendBack: msg("op.develop.send_back"),
    retry: msg("op.develop.retry"),
    skip: msg("op.develop.skip"),
    unit: msg("op.develop.unit"),
    session: msg("op.next.session"),
  },
  run: async (context, given) => {
    const parts = await import("./_develop-parts.ts");
    const named = (["dryRun", "approve", "sendBack", "retry", "skip", "unit"] as const).filter(
      (name) => given[name] !== undefined && given[name] !== false,
    );
    const [first = "begin", second] = named;
    if (second !== undefined) throw new Fault("invalid_input", msg("develop.one_thing"));
    return parts[first](context, given);
  },
};

// --- internal ---

export type Part = (context: Context, given: Input) => Promise<Developed>;
