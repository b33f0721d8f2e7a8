// `agent state`: where the caller's own task stands.
import { z } from "zod";
import { ownState } from "../../_session-phases.ts";
import type { Operation } from "../../operation.ts";
import { ownRun } from "../../own-run.ts";
import { blanked } from "../../../engine/output-secrets.ts";

export const input = () => z.strictObject({});

export const output = () =>
  z.object({
    task: z.string(),
    workflow: z.string(),
    title: z.string(),
    description: z.string(),
    status: z.string(),
    agent: z.string(),
    phase: z.int().nullable(),
    phases: z.int(),
    stage: z.string().nullable(),
    round: z.int(),
    progress: z.int(),
    workspace: z.string().nullable(),
    files: z.array(z.object({ path: z.string(), present: z.boolean() })),
    questions: z.array(z.string()),
    needs: z.array(z.string()),
    /** Names of what was provided; the values are in the environment. */
    variables: z.array(z.string()),
  });

export type OwnState = z.infer<ReturnType<typeof output>>;

export const operation: Operation<z.infer<ReturnType<typeof input>>, OwnState> = {
  name: "agent state",
  fields: {},
  run: async (context) => {
    const run = await ownRun(context);
    return blanked(await ownState(run), run.redactor);
  },
};
