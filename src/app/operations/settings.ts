// `settings`: how a project is set up, as its holdfast.yaml says it, with what holds where it says
// nothing. Addresses and secrets are told by name alone: whether they are there, never what they are.
import { z } from "zod";
import { msg } from "../../core/messages.ts";
import type { ProjectSettings } from "../../formats/project-settings.ts";
import { createSettings } from "../_settings.ts";
import { configuredAgent } from "../agent-choice.ts";
import type { Context, Operation } from "../operation.ts";
import { projectOf, rootOf } from "./_project.ts";

const budget = () =>
  z.object({
    costUsd: z.number().nullable(),
    tokens: z.number().nullable(),
    minutes: z.number().nullable(),
  });

export const input = () => z.strictObject({ project: z.string().min(1).optional() });

export const output = () =>
  z.object({
    root: z.string(),
    /** Null: there is no holdfast.yaml. */
    file: z.string().nullable(),
    /** Null: none is configured. */
    agent: z.string().nullable(),
    slots: z.int().nullable(),
    permissions: z.string().nullable(),
    budgets: z.object({ task: budget(), day: budget() }),
    webhooks: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(["webhook", "slack"]),
        /** Does the server's environment hold an address under this name? */
        set: z.boolean(),
      }),
    ),
    secrets: z.array(
      z.object({ name: z.string(), taskId: z.string().nullable(), createdAt: z.string() }),
    ),
    types: z.array(z.string()),
  });

export type SettingsView = z.infer<ReturnType<typeof output>>;

export const operation: Operation<z.infer<ReturnType<typeof input>>, SettingsView> = {
  name: "settings",
  fields: { project: msg("op.units.project") },
  run: async (context, { project }) => {
    const root = await rootOf(context, project);
    const store = await context.existingStore();
    const row = await projectOf(context, project);
    const given = store && row ? await createSettings(store).of(row.id) : undefined;
    return {
      root,
      file: given === undefined ? null : "holdfast.yaml",
      agent: configuredAgent({ settings: given }),
      slots: given?.slots ?? null,
      permissions: given?.permissions ?? null,
      budgets: { task: budgetIn(given?.budgets?.task), day: budgetIn(given?.budgets?.day) },
      webhooks: webhooksOf(given).map((hook) => ({
        ...hook,
        set: Boolean(context.env[hook.name]),
      })),
      secrets: row === undefined ? [] : await secretsOf(context, row.id),
      types: Object.keys(given?.task_types ?? {}),
    };
  },
};

export function webhooksOf(
  given: ProjectSettings | undefined,
): { name: string; kind: "webhook" | "slack" }[] {
  const { webhooks = [], slack } = given?.notify ?? {};
  return [
    ...webhooks.map((name) => ({ name, kind: "webhook" as const })),
    ...(slack === undefined ? [] : [{ name: slack, kind: "slack" as const }]),
  ];
}

// --- internal ---

type Budget = NonNullable<NonNullable<ProjectSettings["budgets"]>["task"]>;

function budgetIn(given: Budget | undefined) {
  const { cost_usd: costUsd = null, tokens = null, minutes = null } = given ?? {};
  return { costUsd, tokens, minutes };
}

/** Of the project and of its tasks that are not over: those of ended ones are of no use. */
async function secretsOf(context: Context, projectId: string): Promise<SettingsView["secrets"]> {
  const store = await context.store();
  const tasks = await store.tasks({ projectId, statuses: ["pending", "in_progress", "review"] });
  const found: SettingsView["secrets"] = [];
  for (const scope of [projectId, ...tasks.map(({ id }) => id)])
    for (const { name, createdAt } of await store.secrets(scope))
      found.push({ name, taskId: scope === projectId ? null : scope, createdAt });
  return found;
}
