// Workflows whose runs begin as a task does: with a title, what is wanted, and who works.
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { Context } from "../operation.ts";
import { letRun } from "./row.ts";

export interface RunWish {
  readonly title: string;
  readonly description: string;
  readonly agent?: string | undefined;
  readonly script?: string | undefined;
}

/** Gives the id of the run's task. */
type Starter = (context: Context, wish: RunWish) => Promise<string>;

export const starters: Readonly<Record<string, Starter>> = {
  develop: async (context, { title, description, agent: named, script }) => {
    const { startDevelop } = await import("../develop.ts");
    const agent = await fit(context, named);
    const feature = goalOf(title, description);
    const { id } = await startDevelop(context, { feature, agent, headless: true });
    await letRun(await context.store(), id, { agent, script }, Date.now());
    return id;
  },
  plan: async (context, { title, description, agent: named, script }) => {
    const { startPlan } = await import("../planning.ts");
    const agent = await fit(context, named);
    const wish = {
      goal: goalOf(title, description),
      driver: "headless",
      queue: true,
      agent,
    } as const;
    const { taskId } = await startPlan(context, wish);
    await letRun(await context.store(), taskId, { agent, script }, Date.now());
    return taskId;
  },
  request: async (context, { title, description, agent: named, script }) => {
    const { startRequest } = await import("../request/begin.ts");
    const agent = await fit(context, named);
    const text = goalOf(title, description);
    const { taskId } = await startRequest(context, { text, headless: true, agent });
    await letRun(await context.store(), taskId, { agent, script }, Date.now());
    return taskId;
  },
  orchestrate: async (context, { agent, script }) => {
    const { beginRun } = await import("../operations/_orchestrate-headless.ts");
    const { id } = await beginRun(context, { agent, script });
    if (id !== undefined) return id;
    throw new Fault("refused", msg("conduct.nothing_left"));
  },
};

// --- internal ---

async function fit(context: Context, named: string | undefined): Promise<string> {
  const { agentFor, fitProject } = await import("./fit.ts");
  await fitProject(context, false);
  return agentFor(context, named);
}

function goalOf(title: string, description: string): string {
  return [title, description].filter((text) => text.trim() !== "").join("\n\n");
}
