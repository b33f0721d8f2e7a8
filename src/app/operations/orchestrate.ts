// `orchestrate`: begins a run of the plan or goes on with it (S2.10), carried out by itself (S2.6) or for
// sessions to work through (S2.11); and looks at it: what lies ahead, whether plan, state and journal
// agree, what one task asks for.
import { z } from "zod";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import { type Context, type Operation, sentence } from "../operation.ts";

export const input = () =>
  z.strictObject({
    inSession: z.boolean().optional(),
    agent: z.string().min(1).max(1_000).optional(),
    script: z.string().min(1).max(100_000).optional(),
    resume: z.boolean().optional(),
    onto: z.string().min(1).max(250).optional(),
    settle: z.enum(["theirs", "ours"]).optional(),
    rebuildState: z.boolean().optional(),
    yes: z.boolean().optional(),
    verify: z.boolean().optional(),
    dryRun: z.boolean().optional(),
    checkOff: z.boolean().optional(),
    unit: z.string().min(1).max(60).optional(),
    retry: z.string().min(1).max(60).optional(),
    phase: z.int().min(0).max(9_999).optional(),
    normal: z.boolean().optional(),
    ultraThin: z.boolean().optional(),
    ralph: z.boolean().optional(),
    maxIterations: z.int().min(1).max(10_000).optional(),
    parallel: z.int().min(0).max(1_000).optional(),
    slack: z
      .string()
      .max(2_000)
      .regex(/^https:\/\/\S+$/)
      .optional(),
    session: z.string().min(1).max(200).optional(),
  });

export const output = () =>
  z.object({
    /** For who reads no more than this. */
    line: z.string(),
    says: z.array(sentence()),
    /** Of a dry run: what may run side by side, phase by phase, and what sets the pace. */
    ahead: z.array(z.object({ phase: z.int(), waves: z.array(z.array(z.string())) })).optional(),
    critical: z.array(z.string()).optional(),
    /** Of a comparison. */
    progress: z.array(z.object({ phase: z.int(), done: z.int(), all: z.int() })).optional(),
    found: z
      .array(
        z.object({
          level: z.enum(["error", "notice"]),
          id: z.string(),
          line: z.int().nullable(),
          text: sentence(),
        }),
      )
      .optional(),
    /** Of a run that is carried out by itself. */
    task: z.string().optional(),
    ended: z.enum(["completed", "failed", "held", "paused", "left"]).optional(),
    /** What one task asks for. */
    prompt: z.string().optional(),
  });

export type Input = z.infer<ReturnType<typeof input>>;
export type Orchestrated = z.infer<ReturnType<typeof output>>;

export const operation: Operation<Input, Orchestrated> = {
  name: "orchestrate",
  fields: {
    inSession: msg("op.orchestrate.in_session"),
    agent: msg("op.orchestrate.agent"),
    script: msg("op.task.script"),
    resume: msg("op.orchestrate.resume"),
    onto: msg("op.orchestrate.onto"),
    settle: msg("op.orchestrate.settle"),
    rebuildState: msg("op.orchestrate.rebuild_state"),
    yes: msg("op.orchestrate.yes"),
    verify: msg("op.orchestrate.verify"),
    dryRun: msg("op.orchestrate.dry_run"),
    checkOff: msg("op.orchestrate.check_off"),
    unit: msg("op.orchestrate.unit"),
    retry: msg("op.orchestrate.retry"),
    phase: msg("op.orchestrate.phase"),
    normal: msg("op.orchestrate.normal"),
    ultraThin: msg("op.orchestrate.ultra_thin"),
    ralph: msg("op.orchestrate.ralph"),
    maxIterations: msg("op.orchestrate.max_iterations"),
    parallel: msg("op.orchestrate.parallel"),
    slack: msg("op.orchestrate.slack"),
    session: msg("op.next.session"),
  },
  run: async (context, given) => {
    const what = wantedOf(given);
    return (await parts[what]())(context, given);
  },
};

// --- internal ---

export type Part = (context: Context, given: Input) => Promise<Orchestrated>;

const looks = () => import("./_orchestrate-looks.ts");
const runs = () => import("./_orchestrate-runs.ts");

const parts = {
  dryRun: async (): Promise<Part> => (await looks()).dryRun,
  verify: async (): Promise<Part> => (await looks()).verify,
  unit: async (): Promise<Part> => (await looks()).showUnit,
  checkOff: async (): Promise<Part> => (await runs()).checkOff,
  retry: async (): Promise<Part> => (await runs()).retry,
  settle: async (): Promise<Part> => (await runs()).settle,
  rebuildState: async (): Promise<Part> => (await import("./_orchestrate-rebuild.ts")).rebuild,
  begin: async (): Promise<Part> => (await runs()).begin,
  carryOut: async (): Promise<Part> => (await import("./_orchestrate-headless.ts")).carryOut,
} as const;

/** One thing at a time: two that change the state in one call would hide what each did. */
function wantedOf(given: Input): keyof typeof parts {
  const named = (
    ["dryRun", "verify", "unit", "checkOff", "retry", "settle", "rebuildState"] as const
  ).filter((name) => given[name] !== undefined && given[name] !== false);
  const [first, second] = named;
  if (second !== undefined) throw new Fault("invalid_input", msg("orchestrate.one_thing"));
  if (first !== undefined) return first;
  return given.inSession ? "begin" : "carryOut";
}
