// The agents by the name a task or holdfast.yaml gives them: `sample`, `command:./agent.sh --fast`.
import { closest } from "../../core/closest.ts";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { Adapter } from "./adapter.ts";
import { commandAdapter } from "./command.ts";
import { sampleAdapter } from "./sample.ts";
import { splitWords } from "./words.ts";

export interface Programs {
  /** How the sample agent is run. */
  readonly sample: readonly string[];
}

/** Throws `invalid_input`: a name nobody knows, a command that can not be read. */
export function adapterOf(agent: string, programs: Programs): Adapter {
  if (agent === "sample") return sampleAdapter(programs.sample);
  if (agent.startsWith(COMMAND)) {
    const split = splitWords(agent.slice(COMMAND.length));
    if (split.ok) return commandAdapter(split.words);
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

// --- internal ---

const COMMAND = "command:";
const names = ["sample", `${COMMAND}<program>`] as const;
