// `agents`: which agents are on this machine, whether they run, and what to do where they do not
// (S7.1, S6.5). Looks for programs and asks their version; logins and settings are nobody's business here.
import { z } from "zod";
import { agentNames } from "../../agents/adapters/adapters.ts";
import { agentPrograms, findProgram, settingOf, versionOf } from "../../agents/programs.ts";
import { type Message, msg } from "../../core/messages.ts";
import { type Context, type Operation, sentence } from "../operation.ts";
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

export type FoundAgent = z.infer<ReturnType<typeof agent>>;

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
  run: async (context) => {
    const found = await Promise.all(agentPrograms.map((name) => look(name, context)));
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

async function look(name: (typeof agentPrograms)[number], { env }: Context): Promise<FoundAgent> {
  const path = findProgram(name, env);
  if (path === undefined)
    return { ...missing(name, env), name, path: null, version: null, usable: false };
  const asked = await versionOf(path, env);
  if ("problem" in asked)
    return {
      name,
      path,
      version: null,
      usable: false,
      message: msg("agents.broken", { problem: asked.problem }),
      hint: msg("agents.broken.hint", { path }),
    };
  const { version } = asked;
  if (agentNames.includes(name))
    return { name, path, version, usable: true, message: msg("agents.usable", { name }) };
  const [message, hint] = [msg("agents.not_yet"), msg("agents.not_yet.hint")];
  return { name, path, version, usable: false, message, hint };
}

function missing(
  name: (typeof agentPrograms)[number],
  env: Context["env"],
): { message: Message; hint: Message } {
  const setting = settingOf(name);
  const given = env[setting];
  if (given !== undefined && given !== "")
    return {
      message: msg("agents.no_program", { setting, path: given }),
      hint: msg("agents.no_program.hint", { setting }),
    };
  return { message: msg("agents.missing"), hint: msg(`agents.${name}.get`) };
}
