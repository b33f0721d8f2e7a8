// `why <id>`: what holds a thing back, and what would clear it (S6.1). Told from the documents, and
// for `task_…` from the database: what only a running engine knows is not guessed at.
import { z } from "zod";
import { closest } from "../../core/closest.ts";
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import { type Context, type Operation, sentence } from "../operation.ts";
import { type Looked, lookAround } from "./_look.ts";
import { rootOf } from "./_project.ts";
import { checkpointsOf } from "./_why-develop.ts";
import { unitsToExplain } from "./_why-orchestrate.ts";
import { planEntries } from "./_why-plan.ts";
import { requestEntries } from "./_why-request.ts";
import { taskExplained } from "./_why-task.ts";

export const whyWorkflows = ["develop", "orchestrate", "plan", "request"] as const;
export type WhyWorkflow = (typeof whyWorkflows)[number];

const event = () =>
  z.object({
    event: z.string(),
    allowed: z.boolean(),
    to: z.string().optional(),
    reasons: z.array(sentence()),
  });

const explanation = () =>
  z.object({
    /** With its workflow where that is needed: no other thing has this name. */
    ref: z.string(),
    /** One of the four above, or the type of a task. */
    workflow: z.string(),
    id: z.string(),
    kind: z.enum(["checkpoint", "unit", "plan", "step", "request", "task", "subtask"]),
    name: z.string(),
    status: z.string(),
    /** What holds it back; empty when nothing does. */
    reasons: z.array(sentence()),
    /** What would clear it, or happens next. */
    next: z.array(sentence()),
    /** What its machine would take or refuse now. */
    events: z.array(event()),
  });

export type Explanation = z.infer<ReturnType<typeof explanation>>;
export type ExplainedEvent = z.infer<ReturnType<typeof event>>;

/** One thing that can be asked about; explained only if it is. */
export interface Entry {
  readonly id: string;
  readonly explain: () => Omit<Explanation, "ref" | "workflow" | "id">;
}

export const input = () =>
  z.strictObject({ id: z.string().regex(/\S/u), project: z.string().min(1).optional() });

export const output = () => z.object({ explanations: z.array(explanation()) });

export const operation: Operation<
  z.infer<ReturnType<typeof input>>,
  z.infer<ReturnType<typeof output>>
> = {
  name: "why",
  fields: { id: msg("op.why.id"), project: msg("op.units.project") },
  run: async (context, { id, project }) => {
    const { workflow, wanted } = split(id);
    const task = isTaskId(id) ? await inDatabase(id, context) : undefined;
    if (task) return { explanations: [task] };
    const root = await rootOf(context, project);
    const looked = lookAround(root);
    const entries = await allEntries(looked, workflow);
    const explanations = entries
      .filter(({ entry }) => entry.id === wanted)
      .map(({ from, entry }) => ({
        ref: `${from}:${entry.id}`,
        workflow: from,
        id: entry.id,
        ...settled(entry.explain()),
      }));
    if (explanations.length === 0) throw unknown(id, wanted, entries, looked);
    return { explanations: await withHolders(context, root, explanations) };
  },
};

// --- internal ---

/** As the database gives them (S1.7); a plan's are `task-2026-01-31-001`. */
function isTaskId(id: string): boolean {
  return id.startsWith("task_");
}

async function inDatabase(id: string, context: Context): Promise<Explanation | undefined> {
  const store = await context.existingStore();
  return store && taskExplained(id, store, context);
}

/** A unit that is worked on has somebody who does. */
async function withHolders(
  context: Context,
  root: string,
  told: readonly Explanation[],
): Promise<Explanation[]> {
  const store = await context.existingStore();
  if (store === undefined) return [...told];
  return Promise.all(
    told.map(async (each) => {
      if (each.status !== "in_progress") return each;
      const { heldBy } = await import("./_why-holder.ts");
      const held = await heldBy(store, root, each.workflow, each.id);
      return { ...each, reasons: [...each.reasons, ...held] };
    }),
  );
}

/** “Nothing holds it back” is true only where nothing does. */
function settled<E extends Pick<Explanation, "reasons" | "next">>(told: E): E {
  if (told.reasons.length === 0) return told;
  return { ...told, next: told.next.filter(({ key }) => key !== "why.may_start") };
}

interface Owned {
  readonly from: WhyWorkflow;
  readonly entry: Entry;
}

function split(id: string): { workflow: WhyWorkflow | undefined; wanted: string } {
  const at = id.indexOf(":");
  const workflow = whyWorkflows.find((name) => name === id.slice(0, Math.max(at, 0)));
  const wanted = workflow === undefined ? id : id.slice(at + 1);
  // Both spellings of a checkpoint are one id (S0.4).
  return { workflow, wanted: wanted.replace(/^checkpoint-/, "cp-") };
}

const readers: Readonly<Record<WhyWorkflow, (looked: Looked) => Promise<Entry[]>>> = {
  develop: checkpointsOf,
  orchestrate: unitsToExplain,
  plan: planEntries,
  request: requestEntries,
};

async function allEntries(looked: Looked, only: WhyWorkflow | undefined): Promise<Owned[]> {
  const found: Owned[] = [];
  for (const from of whyWorkflows) {
    if (only !== undefined && only !== from) continue;
    for (const entry of await readers[from](looked)) found.push({ from, entry });
  }
  return found;
}

function unknown(id: string, wanted: string, entries: readonly Owned[], looked: Looked): Fault {
  const near = closest(
    wanted,
    entries.map(({ entry }) => entry.id),
  );
  return new Fault("not_found", msg("why.unknown", { id }), { hint: hintFor(near, looked) });
}

function hintFor(near: string | undefined, { problems }: Looked): Message {
  if (near !== undefined) return msg("cli.did_you_mean", { word: `holdfast why ${near}` });
  const [problem] = problems;
  if (!problem) return msg("why.unknown.hint");
  return msg("why.unreadable", { problem: problem.message });
}
