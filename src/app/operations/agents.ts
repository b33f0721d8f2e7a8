// `agents`: which agents are on this machine, whether they run, and what to do where they do not
// (S7.1, S6.5). Looks for programs and asks their version; logins and settings are nobody's business here.
import { z } from "zod";
import { msg } from "../../core/messages.ts";
import { type FoundAgent, findAgents } from "../agent-choice.ts";
import { type Operation, sentence } from "../operation.ts";
import { version as ownVersion } from "../version.ts";

const agent = () =>
  z.object({
    name: z.string(),
    /** Absolute; null: not found. */
    path: z.string().nullable(),
    version: z.string().nullable(),
    /** Can a task be given to it? */
    usable: z.boolean(),
    message: sentence(),
    hint: sentence().optional(),
  });

export const input = () => z.strictObject({});

export const output = () =>
  z.object({
    agents: z.array(agent()),
    /** Said where none but the sample agent can be used. */
    advice: sentence().optional(),
  });

export type FoundAgents = z.infer<ReturnType<typeof output>>;

export const operation: Operation<z.infer<ReturnType<typeof input>>, FoundAgents> = {
  name: "agents",
  fields: {},
  run: async ({ env }) => {
    const found = await findAgents(env);
    const some = found.some(({ usable }) => usable);
    return { agents: [...found, sample()], ...(some ? {} : { advice: msg("agents.none") }) };
  },
};

// --- internal ---

/** Built in, with a version of its own: ours. */
function sample(): FoundAgent {
  const message = msg("agents.sample");
  return { name: "sample", path: null, version: ownVersion, usable: true, message };
}
