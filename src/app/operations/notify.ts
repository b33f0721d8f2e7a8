// `notify`: sends a test to the webhooks of a project, once, and says of each whether it was taken.
// An address is a secret: it is in no answer (S2.12).
import { z } from "zod";
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import { createSettings } from "../_settings.ts";
import { sendTest } from "../notify.ts";
import { type Context, type Operation, sentence } from "../operation.ts";
import { projectOf } from "./_project.ts";
import { webhooksOf } from "./settings.ts";

export const input = () =>
  z.strictObject({
    project: z.string().min(1).optional(),
    name: z.string().min(1).max(200).optional(),
  });

export const output = () =>
  z.object({
    sent: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(["webhook", "slack"]),
        ok: z.boolean(),
        message: sentence(),
      }),
    ),
  });

export type Notified = z.infer<ReturnType<typeof output>>;

export const operation: Operation<z.infer<ReturnType<typeof input>>, Notified> = {
  name: "notify",
  fields: { project: msg("op.units.project"), name: msg("op.notify.name") },
  run: async (context, { project, name }) => {
    const row = (await projectOf(context, project)) ?? (await context.projectRow());
    const settings = await createSettings(await context.store()).of(row.id);
    const plan = await planHook(context.at(row.root));
    const env = { ...context.env, ...(plan === undefined ? {} : { [planName]: plan }) };
    const hooks = [
      ...webhooksOf(settings),
      ...(plan === undefined ? [] : [{ name: planName, kind: "slack" as const }]),
    ].filter((hook) => name === undefined || hook.name === name);
    if (hooks.length === 0)
      throw new Fault(
        "not_found",
        name === undefined ? msg("notify.none") : msg("notify.no_name", { name }),
        {
          hint: msg("notify.none.hint"),
        },
      );
    const sent = await Promise.all(
      hooks.map(async (hook) => {
        const problem = await sendTest(hook, row.id, env, context.ended);
        const message: Message = problem ?? msg("notify.taken");
        return { ...hook, ok: problem === null, message };
      }),
    );
    return { sent };
  },
};

// --- internal ---

/** How the webhook of the project's plan is called: its address stands in the state of orchestrate. */
const planName = "orchestrate";

/** Undefined: the plan has none, or its state cannot be read now. */
async function planHook(context: Context): Promise<string | undefined> {
  const { readRun, slackAddress } = await import("../_session-orchestrate-read.ts");
  const state = await readRun(context).then(
    (run) => run.state,
    () => undefined,
  );
  return slackAddress(state, context.env);
}
