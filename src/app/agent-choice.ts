// Which agents this machine has, and which one works (S6.5b): the one that is named, else the task
// type's own, else the project's. There is no default: the sample agent works only where it is named.
import { agentNames, requireAgent, type Programs } from "../agents/adapters/adapters.ts";
import { agentPrograms, findProgram, settingOf, versionOf } from "../agents/programs.ts";
import { Fault } from "../core/errors.ts";
import { type Message, msg } from "../core/messages.ts";
import type { ProjectSettings } from "../formats/project-settings.ts";
import type { TaskRow } from "../store/database/store.ts";
import type { Environment } from "../store/home.ts";
import type { TaskType } from "../workflows/phases/phases.ts";

/** Where agents are looked for and started. */
export interface Machine {
  readonly env: Environment;
  readonly programs: Programs;
}

export interface FoundAgent {
  readonly name: string;
  /** Absolute; null: not found. */
  readonly path: string | null;
  readonly version: string | null;
  /** Can a task be given to it? */
  readonly usable: boolean;
  readonly message: Message;
  readonly hint?: Message | undefined;
}

/** Agents that do real work, in the order in which `init` prefers them. */
export function findAgents(env: Environment): Promise<FoundAgent[]> {
  return Promise.all(agentPrograms.map((name) => find(name, env)));
}

export interface Choice {
  readonly named?: string | undefined;
  /** The name of the task's type. */
  readonly type?: string | undefined;
  readonly settings: ProjectSettings | undefined;
}

/** What holdfast.yaml says; null: nothing. */
export function configuredAgent({ settings, type }: Omit<Choice, "named">): string | null {
  return ownAgent(settings, type) ?? settings?.agent ?? null;
}

/** Of the project's own task type; null: the type names none. */
export function ownAgent(
  settings: ProjectSettings | undefined,
  type: string | undefined,
): string | null {
  const types = settings?.task_types ?? {};
  return type !== undefined && Object.hasOwn(types, type) ? (types[type]?.agent ?? null) : null;
}

/** Throws where none is named or configured, and where the one that is could not be started. */
export async function chooseAgent(machine: Machine, choice: Choice): Promise<string> {
  const agent = choice.named ?? configuredAgent(choice);
  if (agent !== null) return requireUsable(machine, agent);
  throw new Fault("refused", msg("agent.none"), { hint: await choices(machine) });
}

/** The agent that works on a task and those that judge it, before anything starts. */
export async function requireAgentsOf(
  machine: Machine,
  agent: string,
  { phases }: TaskType,
): Promise<void> {
  const verifiers = phases.flatMap(({ verifier }) => verifier?.agent ?? []);
  for (const each of new Set([agent, ...verifiers])) await requireUsable(machine, each);
}

/** The agent that a run was begun with; undefined: sessions worked on it. */
export function recordedAgent(task: TaskRow | undefined): string | undefined {
  const { agent } = (task?.data ?? {}) as { readonly agent?: string };
  return agent === "session" || agent === "" ? undefined : agent;
}

// --- internal ---

async function requireUsable(machine: Machine, agent: string): Promise<string> {
  try {
    requireAgent(agent, machine.programs);
    return agent;
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause;
    const other = await choices(machine);
    const hint = cause.hint ? msg("agent.hints", { first: cause.hint, rest: other }) : other;
    throw new Fault(cause.code, cause.text, { hint, cause });
  }
}

async function choices({ env }: Machine): Promise<Message> {
  const there = (await findAgents(env)).filter(({ path }) => path !== null);
  if (there.length === 0) return msg("agent.choose.none_found");
  const list = there
    .map(({ name, version, usable }) =>
      usable
        ? msg("agent.found", { name, version: version ?? "" })
        : msg("agent.found.unusable", { name }),
    )
    .reduceRight((rest, first) => msg("agent.list", { first, rest }));
  return msg("agent.choose", { list });
}

async function find(name: (typeof agentPrograms)[number], env: Environment): Promise<FoundAgent> {
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
  env: Environment,
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
