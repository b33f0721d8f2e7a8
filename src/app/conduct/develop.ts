// develop without a session (S0): its orders, and what comes of them, over the same state.yaml and the
// same task that sessions use.
import { msg, render } from "../../core/messages.ts";
import type { TaskRow } from "../../store/database/store.ts";
import { beginOrder, type ReadDesign, takeOutcome } from "../../workflows/develop/take.ts";
import { type Project, ordersOf } from "../../workflows/develop/orders.ts";
import type { OrderOutcome, Orders } from "../../workflows/orders.ts";
import { readDevelop, refused, situationOf, stateRef, takeStep } from "../_develop-run.ts";
import { definitionsIn, leadsTeams, ownPrompts, sourcesOf } from "../_develop-sources.ts";
import { recordedAgent } from "../agent-choice.ts";
import type { Context } from "../operation.ts";
import type { Conductor } from "./conductor.ts";

export const develop: Conductor = {
  orders: async (context, taskId) => {
    const read = await readDevelop(context);
    if (read === undefined) return removed(context, taskId);
    if (read.task?.id !== taskId) return over(context, taskId);
    if (!read.run.headless)
      return { kind: "held", why: render(context.language, msg("conduct.in_session")) };
    const project = await projectOf(context, read.task);
    return ordersOf(situationOf(context, read, null, Date.now()), project);
  },
  begin: async (context, taskId, key) => {
    const project = await projectFor(context);
    const done = await takeStep(context, null, (now) => beginOrder(now, project, key), taskId);
    return done !== null && done.ok;
  },
  take: async (context, taskId, outcome) => {
    const project = await projectFor(context);
    const design = await designIn(context, project.path, outcome);
    const decide = (now: Parameters<typeof takeOutcome>[0]) =>
      takeOutcome(now, project, outcome, design);
    const done = await takeStep(context, null, decide, taskId);
    if (done !== null && !done.ok) throw refused(done);
  },
};

// --- internal ---

/** Complete, or another has taken its place. */
async function over(context: Context, taskId: string): Promise<Orders> {
  const row = await (await context.store()).task(taskId);
  const completed = row?.status === "completed";
  return { kind: "ended", result: completed ? "completed" : "failed", why: "" };
}

/** A person removed its state file, which gives it up (S0.8). */
async function removed(context: Context, taskId: string): Promise<Orders> {
  const end = await over(context, taskId);
  if (end.kind !== "ended" || end.result === "completed") return end;
  const { path } = stateRef(context);
  return { ...end, why: render(context.language, msg("develop.state_removed", { path })) };
}

async function projectFor(context: Context): Promise<Project> {
  return projectOf(context, (await readDevelop(context))?.task);
}

/** In the language in which the run was begun: its agents must not change theirs in the middle. */
async function projectOf(context: Context, task: TaskRow | undefined): Promise<Project> {
  const { root } = context.project;
  const { path, commands } = await sourcesOf(root);
  const { language = context.language } = (task?.data ?? {}) as { language?: Context["language"] };
  const agent = recordedAgent(task) ?? null;
  const teamAgent = leadsTeams(agent, context.env) ? agent : null;
  return { language, own: ownPrompts(root), path, commands, teamAgent };
}

/** The checkpoints an agent has written; what is wrong with them goes back to it (S0.4). */
async function designIn(
  { language }: Context,
  path: string,
  outcome: OrderOutcome,
): Promise<ReadDesign | null> {
  if (outcome.kind !== "done" || !outcome.key.startsWith("DESIGN-")) return null;
  const text = outcome.files[path] ?? "";
  const found = await definitionsIn(Buffer.from(text, "utf8"), path);
  return found.ok ? found : { ok: false, problem: render(language, found.problem) };
}
