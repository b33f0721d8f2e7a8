// The agents by the name a task or holdfast.yaml gives them: `sample`, `claude`,
// `command:./agent.sh --fast`.
import { closest } from "../../core/closest.ts";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { Adapter } from "./adapter.ts";
import { claudeAdapter } from "./claude.ts";
import { commandAdapter } from "./command.ts";
import { sampleAdapter } from "./sample.ts";
import { splitWords } from "./words.ts";

export interface Programs {
  /** How the sample agent is run. */
  readonly sample: readonly string[];
  /** Where another agent's program lies; undefined: not on this machine. */
  readonly find?: (program: string) => string | undefined;
  /** Can a process be started by this name? Without it that is not asked. */
  readonly isThere?: (program: string) => boolean;
  /** How Holdfast itself is called, for the hooks of a run. */
  readonly own?: readonly string[];
}

/** Those with a name of their own. */
export const agentNames: readonly string[] = ["sample", "claude"];

/**
 * Throws `invalid_input`: a name nobody knows, a command that can not be read. An agent whose program
 * is missing is still one: tasks of it can be looked at and ended. Its `command` throws.
 */
export function adapterOf(agent: string, programs: Programs): Adapter {
  if (agent === "sample") return sampleAdapter(programs.sample);
  if (agent === "claude") return claudeAdapter(() => programs.find?.("claude"), programs.own);
  if (agent.startsWith(COMMAND)) {
    const split = splitWords(agent.slice(COMMAND.length));
    if (split.ok) return commandAdapter(split.words, programs.isThere);
    throw new Fault(
      "invalid_input",
      msg("adapter.command", { agent, complaint: split.complaint }),
      {
        hint: msg("adapter.command.hint"),
      },
    );
  }
  const near = closest(agent, names);
  const more = near === undefined ? {} : { hint: msg("cli.did_you_mean", { word: near }) };
  const known = names.join(", ");
  throw new Fault("invalid_input", msg("adapter.unknown", { agent, known }), more);
}

/** Throws where it could not be started now: the above, and `not_found` for a program that is missing. */
export function requireAgent(agent: string, programs: Programs): void {
  adapterOf(agent, programs).check?.();
}

// --- internal ---

const COMMAND = "command:";
const names = [...agentNames, `${COMMAND}<program>`];
