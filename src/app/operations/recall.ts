// `recall`: what happened, was decided, asked and said in this project, by a question in one's own
// words, Korean or English (S4.9, S6.1).
import { z } from "zod";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import { type AskedWord, wordsAsked } from "../../core/words.ts";
import { recallKinds } from "../../core/vocabulary.ts";
import type { Found } from "../../store/recall/recall.ts";
import type { Redactor } from "../../core/redact.ts";
import { type Context, type Operation } from "../operation.ts";
import { ownRun } from "../own-run.ts";
import { secretsOf } from "../recall/catch-up.ts";
import { excerptOf } from "../recall/excerpt.ts";
import { withPast } from "../recall/open.ts";
import { rootOf } from "./_project.ts";

export const input = () =>
  z.strictObject({
    question: z.string().max(2_000).optional(),
    limit: z.int().min(1).max(100).optional(),
    since: z.string().optional(),
    in: z.enum(recallKinds).optional(),
    project: z.string().min(1).optional(),
    rebuild: z.boolean().optional(),
  });

const hit = () =>
  z.object({
    kind: z.enum(recallKinds),
    title: z.string(),
    excerpt: z.string(),
    /** Null: nobody knows when. */
    at: z.string().nullable(),
    /** Where it stands: a file, a task, a process, the journal. */
    place: z.string(),
    task: z.string().nullable(),
    score: z.number(),
  });

export const output = () =>
  z.object({
    question: z.string().nullable(),
    hits: z.array(hit()),
    /** In how many entries was looked. */
    entries: z.int(),
    rebuilt: z.boolean(),
  });

export type Recalled = z.infer<ReturnType<typeof output>>;
export type RecallHit = Recalled["hits"][number];

export const operation: Operation<z.infer<ReturnType<typeof input>>, Recalled> = {
  name: "recall",
  fields: {
    question: msg("op.recall.question"),
    limit: msg("op.recall.limit"),
    since: msg("op.recall.since"),
    in: msg("op.recall.in"),
    project: msg("op.units.project"),
    rebuild: msg("op.recall.rebuild"),
  },
  run: async (
    context,
    { question = "", limit = 10, since, in: kind, project, rebuild = false },
  ) => {
    const asked = wordsAsked(question);
    if (asked.length === 0 && !rebuild)
      throw new Fault("invalid_input", msg("recall.no_words"), {
        hint: msg("recall.no_words.hint"),
      });
    const kinds = kind === undefined ? undefined : [kind];
    const from = since === undefined ? undefined : momentOf(since, Date.now());
    const root = await rootHere(context, project);
    // An agent in a run asks; it does not make others wait.
    const anew = rebuild && context.caller === null;
    return withPast(context, root, anew, async (past) => {
      const { recall } = past;
      const found = recall.search(asked, { limit, kinds, since: from });
      const redactor = await secretsOf(past);
      return {
        question: question === "" ? null : question,
        hits: found.map((each) => hitOf(each, asked, redactor)),
        entries: recall.count(),
        rebuilt: anew,
      };
    });
  },
};

// --- internal ---

/** An agent in a run of ours works in a copy of its project: it asks about the project itself. */
async function rootHere(context: Context, project: string | undefined): Promise<string> {
  if (context.caller === null) return rootOf(context, project);
  const { state } = await ownRun(context);
  return rootOf(context, state.task.projectId);
}

function hitOf(
  { kind, title, text, at, place, task, score }: Found,
  asked: readonly AskedWord[],
  redactor: Redactor,
): RecallHit {
  return {
    kind,
    title: redactor.text(title),
    // Before it is cut: half a value would not be known for one.
    excerpt: excerptOf(redactor.text(text), asked),
    at: at === "" ? null : at,
    place,
    task,
    score: Math.round(score * 100) / 100,
  };
}

const spans: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24 };
const hourMs = 3_600_000;

/** `2026-04-01`, a whole time, or so long ago: `12h`, `7d`, `2w`. */
function momentOf(since: string, now: number): string {
  const [, count, unit = ""] = /^(\d{1,4})([hdw])$/.exec(since) ?? [];
  const at =
    count === undefined ? Date.parse(since) : now - Number(count) * (spans[unit] ?? 0) * hourMs;
  if (Number.isNaN(at))
    throw new Fault("invalid_input", msg("recall.since", { since }), {
      hint: msg("recall.since.hint"),
    });
  return new Date(at).toISOString();
}
