// Workflows as an agent meets them in a session of its own: it asks what is next and reports what it
// did (S2.11); the state is written by code. One row a workflow; each loads nothing of the others.
import { Fault } from "../core/errors.ts";
import { type Message, msg } from "../core/messages.ts";
import type { Context } from "./operation.ts";

export interface NextStep {
  /** For who reads no more than this: `READY:1`, `WAIT`, `ALL_DONE`, `ERROR:…`. */
  readonly line: string;
  /** Null where the line says it all. */
  readonly says: Message | null;
  /** What is to be done, as the agent was told it; null where there is nothing. */
  readonly prompt: string | null;
  /** Declared files that are not there yet. */
  readonly missing: readonly string[];
}

export interface Reported {
  /** `OK`, or what the agent has to know before it goes on. */
  readonly line: string;
  readonly says: Message | null;
}

/** Who asks, and for what, where a workflow has more than one session or more than one answer. */
export interface Asked {
  /** The session's name; without it, whatever tells its calls from others'. */
  readonly session?: string | undefined;
  readonly phase?: number | undefined;
  /** In the workflow's own words: `RESOLVE_NEXT:PHASE:2`. */
  readonly ask?: string | undefined;
}

export interface InSession {
  next(context: Context, asked?: Asked): Promise<NextStep>;
  /** One line: `DONE:1`, `FAIL:1:reason`. */
  report(context: Context, line: string, asked?: Asked): Promise<Reported>;
  /** What keeps what is called done from being done; null: nothing, or it is none of ours. */
  notDone(context: Context, subject: string, asked?: Asked): Promise<Message | null>;
  /** What is left for this session to do now; null: it may rest. */
  more(context: Context, asked?: Asked): Promise<Message | null>;
}

const phases = async (): Promise<InSession> => (await import("./_session-phases.ts")).phases;

export const inSession: Readonly<Record<string, () => Promise<InSession>>> = {
  create_app: phases,
  modify_app: phases,
  workflow: phases,
  custom: phases,
  orchestrate: async () => (await import("./_session-orchestrate-held.ts")).orchestrate,
  develop: async () => (await import("./_session-develop.ts")).develop,
  plan: async () => (await import("./_session-plan.ts")).plan,
  request: async () => (await import("./_session-request.ts")).request,
};

/** In a run it is the run's own, whatever its type is called: a project may have its own types. */
export async function sessionOf(
  context: Context,
  workflow: string | undefined,
): Promise<InSession> {
  if (context.caller !== null) {
    const { ownRun } = await import("./own-run.ts");
    const own = (await ownRun(context)).state.task.workflow;
    if (workflow === undefined || workflow === own) return (inSession[own] ?? phases)();
    throw new Fault("refused", msg("session.other", { workflow, own }), {
      hint: msg("session.other.hint", { own }),
    });
  }
  const known = Object.keys(inSession).join(", ");
  if (workflow === undefined) throw new Fault("invalid_input", msg("session.unnamed", { known }));
  const found = Object.hasOwn(inSession, workflow) ? inSession[workflow] : undefined;
  if (found === undefined)
    throw new Fault("invalid_input", msg("session.unknown", { workflow, known }));
  return found();
}
