// Any program that speaks the protocol: markers on its output, frames on its input
// (docs/protocol.md). `agent: "command:./agent.sh --fast"`.
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { Adapter, Start } from "./adapter.ts";
import { frame } from "./frames.ts";
import { createPlainReader } from "./_plain-reader.ts";

export function commandAdapter(
  words: readonly string[],
  isThere: (program: string) => boolean = () => true,
): Adapter {
  return {
    name: "command",
    // A program may keep its place by its session's id, but nothing says that it does: after its
    // death it is told everything again, each message under its id.
    capabilities: {
      resume: false,
      stdin: true,
      structured: false,
      deduplicates: false,
      softPause: false,
    },
    check: () => {
      const [program = ""] = words;
      if (isThere(program)) return;
      throw new Fault("not_found", msg("adapter.no_program", { program }), {
        hint: msg("adapter.no_program.hint"),
      });
    },
    command: (start) => ({ command: words, env: plainEnvironment(start) }),
    reader: createPlainReader,
    message: frame,
  };
}

/** What every plain agent is told about this process. */
export function plainEnvironment(start: Start): Record<string, string> {
  const { session, resume, token, role, look = 1, language } = start;
  return {
    HOLDFAST_SESSION: session,
    HOLDFAST_RESUMED: resume ? "1" : "0",
    ...(language === undefined ? {} : { HOLDFAST_LANG: language }),
    ...(token === undefined ? {} : { HOLDFAST_TOKEN: token }),
    ...(role === undefined ? {} : { HOLDFAST_ROLE: role, HOLDFAST_LOOK: String(look) }),
  };
}
