// `plan`: begins a plan for a goal, and all that a person does about one: look, approve, edit, pause, go
// on, decide, cancel (S3.2, S3.3).
import { z } from "zod";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import { planStepStatuses, planTaskStatuses } from "../../core/vocabulary.ts";
import { type Context, type Operation, sentence } from "../operation.ts";
import { refuseCloseWord } from "./_close-word.ts";

export const input = () =>
  z.strictObject({
    goal: z.string().min(1).max(20_000).optional(),
    detail: z.string().min(1).max(20_000).optional(),
    queue: z.boolean().optional(),
    review: z.boolean().optional(),
    inSession: z.boolean().optional(),
    resume: z.boolean().optional(),
    dryRun: z.boolean().optional(),
    agent: z.string().min(1).max(2_000).optional(),
    session: z.string().min(1).max(200).optional(),
  });

const step = () =>
  z.object({
    id: z.int(),
    name: z.string(),
    agent: z.string(),
    status: z.enum(planStepStatuses),
    dependencies: z.array(z.int()),
    retries: z.int(),
    error: z.string().nullable(),
  });

export const output = () =>
  z.object({
    /** For who reads no more than this. */
    line: z.string(),
    says: z.array(sentence()),
    /** The current plan. */
    plan: z
      .object({
        id: z.string(),
        name: z.string(),
        status: z.enum(planTaskStatuses),
        /** `plan`, `approve`, `work`, `judge`, `close`: what is asked for now. */
        stage: z.string(),
        criteria: z.array(z.object({ criterion: z.string(), met: z.boolean().nullable() })),
        steps: z.array(step()),
        /** What a person has to decide about. */
        asks: z.string().nullable(),
      })
      .nullable()
      .optional(),
    waiting: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
    ended: z.enum(["completed", "failed", "held", "paused", "left"]).optional(),
    /** Of a dry run: what may run side by side. */
    waves: z.array(z.array(z.int())).optional(),
    /** What the next step asks for, or the steps in the form that `edit` takes. */
    prompt: z.string().optional(),
  });

export type Input = z.infer<ReturnType<typeof input>>;
export type Planned = z.infer<ReturnType<typeof output>>;

/** Words that are no goal. */
export const planActions = [
  "status",
  "approve",
  "edit",
  "pause",
  "resume",
  "retry",
  "replan",
  "fail",
  "cancel",
] as const;
export type PlanAction = (typeof planActions)[number];

export const operation: Operation<Input, Planned> = {
  name: "plan",
  fields: {
    goal: msg("op.plan.goal", { actions: planActions.join(", ") }),
    detail: msg("op.plan.detail"),
    queue: msg("op.plan.queue"),
    review: msg("op.plan.review"),
    inSession: msg("op.plan.in_session"),
    resume: msg("op.plan.resume"),
    dryRun: msg("op.plan.dry_run"),
    agent: msg("op.task.agent_name"),
    session: msg("op.next.session"),
  },
  run: async (context, given) => (await partOf(given))(context, given),
};

// --- internal ---

export type Part = (context: Context, given: Input) => Promise<Planned>;

async function partOf({ goal, detail, resume, dryRun }: Input): Promise<Part> {
  if (resume && goal !== undefined && goal !== "resume")
    throw new Fault("invalid_input", msg("plan.goal_and_resume"), { hint: msg("plan.other.hint") });
  if (dryRun) return (await import("./_plan-looks.ts")).dryRun;
  const action = resume && goal === undefined ? "resume" : planActions.find((one) => one === goal);
  if (action === "status") return (await import("./_plan-looks.ts")).status;
  const actions = await import("./_plan-actions.ts");
  if (action !== undefined) return actions.parts[action];
  if (goal === undefined)
    throw new Fault("invalid_input", msg("plan.no_goal"), { hint: msg("plan.no_goal.hint") });
  refuseCloseWord("plan", goal, planActions);
  // Two words where one goal is meant: its quotes are missing.
  if (detail !== undefined)
    throw new Fault("invalid_input", msg("plan.two_words", { first: goal.slice(0, 40) }), {
      hint: msg("plan.no_goal.hint"),
    });
  return actions.begin;
}
