// `request`: begins a request, or looks at, stops, resumes, resets and learns from the one there is
// (S4.8, S7.1). `holdfast request "<text>"`, `holdfast request status`.
import { z } from "zod";
import { msg } from "../../core/messages.ts";
import { type Context, type Operation, sentence } from "../operation.ts";
import { refuseCloseWord } from "./_close-word.ts";

export const input = () =>
  z.strictObject({
    text: z.string().min(1).max(100_000),
    inSession: z.boolean().optional(),
    dryRun: z.boolean().optional(),
    agent: z.string().min(1).max(2_000).optional(),
    patterns: z.string().max(1_000_000).optional(),
    session: z.string().min(1).max(200).optional(),
  });

const verdict = () =>
  z.object({ item: z.string(), holds: z.boolean(), why: z.string(), by: z.string() });

const subtask = () =>
  z.object({
    id: z.string(),
    name: z.string(),
    status: z.string(),
    phase: z.string(),
    gates: z.record(z.string(), z.string()),
    /** What was found for the gates that were looked at, item by item. */
    verdicts: z.array(verdict()),
    /** What nobody looked at. */
    uncovered: z.array(z.string()),
  });

export const output = () =>
  z.object({
    /** For who reads no more than this. */
    line: z.string(),
    says: z.array(sentence()),
    request: z
      .object({
        id: z.string(),
        text: z.string(),
        status: z.string(),
        phase: z.string(),
        task: z.string().nullable(),
        asks: z.string().nullable(),
        tasks: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            status: z.string(),
            subtasks: z.array(subtask()),
          }),
        ),
        contracts: z.array(
          z.object({ path: z.string(), createdAt: z.string(), createdBy: z.string() }),
        ),
      })
      .optional(),
    waiting: z.array(z.object({ id: z.string(), text: z.string() })).optional(),
    prompt: z.string().optional(),
    ended: z.enum(["completed", "failed", "held", "paused", "left"]).optional(),
  });

export type Input = z.infer<ReturnType<typeof input>>;
export type Requested = z.infer<ReturnType<typeof output>>;

export const operation: Operation<Input, Requested> = {
  name: "request",
  fields: {
    text: msg("op.request.text"),
    inSession: msg("op.request.in_session"),
    dryRun: msg("op.request.dry_run"),
    agent: msg("op.request.agent"),
    patterns: msg("op.request.patterns"),
    session: msg("op.next.session"),
  },
  run: async (context, given) => {
    const word = given.text.trim();
    const part = Object.hasOwn(parts, word) ? parts[word as keyof typeof parts] : undefined;
    if (part !== undefined) return (await part())(context, given);
    refuseCloseWord("request", word, Object.keys(parts));
    if (given.dryRun === true) return (await looks()).dryRun(context, given);
    const { begin, carryOut } = await changes();
    return given.inSession === true ? begin(context, given) : carryOut(context, given);
  },
};

// --- internal ---

export type Part = (context: Context, given: Input) => Promise<Requested>;

const looks = () => import("./_request-looks.ts");
const changes = () => import("./_request-changes.ts");

const parts = {
  status: async (): Promise<Part> => (await looks()).status,
  resume: async (): Promise<Part> => (await changes()).resume,
  reset: async (): Promise<Part> => (await changes()).reset,
  stop: async (): Promise<Part> => (await changes()).stop,
  learn: async (): Promise<Part> => (await changes()).learn,
} as const;
