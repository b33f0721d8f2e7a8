// Halt (S0.5): what came of the engine's own run of a checkpoint's command, compared with what the
// design expected of it. Nothing an agent says is looked at.
import { type Message, msg } from "../../core/messages.ts";
import type { FailureClass } from "../../core/retry.ts";

export interface Ran {
  /** Null: it did not end by itself. */
  readonly code: number | null;
  readonly output: string;
}

export type Verdict =
  | { readonly matched: true }
  | { readonly matched: false; readonly failure: FailureClass; readonly why: Message };

/**
 * `exit 3` asks for that exit code. Words that only say that it succeeds ask for 0. Anything else has
 * to stand in the output, wherever its blanks and capitals are, and the command has to end with 0.
 */
export function compare(expected: string, ran: Ran): Verdict {
  const wanted = plain(expected);
  const [, stated] = /^exit(?: code| status)?:? (\d{1,3})$/.exec(wanted) ?? [];
  const code = stated === undefined ? 0 : Number(stated);
  if (ran.code !== code) return differs(ran, code);
  if (stated !== undefined || succeeds.test(wanted)) return { matched: true };
  if (plain(ran.output).includes(wanted)) return { matched: true };
  const why = msg("develop.halt.text", { expected, output: endOf(ran.output) });
  return { matched: false, failure: classOf(ran), why };
}

/** The end of what a command printed, for a person or an agent. */
export function endOf(output: string): string {
  const text = output.trim();
  return text.length > mostShown ? `…${text.slice(-mostShown)}` : text;
}

// --- internal ---

const mostShown = 3_000;

/** Ways to write “it succeeds”: no test runner prints them as they stand. */
const succeeds =
  /^(?:success|succeeds|(?:(?:all|the|every) )*(?:tests?|checks?)? ?(?:should |must )?pass(?:es)?|(?:모든 )?테스트(?:가)? ?(?:모두 )?통과(?:한다|합니다|함)?|성공)[.!]?$/;

function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().toLowerCase();
}

function differs(ran: Ran, wanted: number): Verdict {
  const output = endOf(ran.output);
  const why =
    ran.code === null
      ? msg("develop.halt.unended", { output })
      : msg("develop.halt.code", { code: ran.code, wanted, output });
  return { matched: false, failure: classOf(ran), why };
}

/**
 * The shell's own word for “there is no such program” is the environment's fault, unless it is a file
 * of the project, which somebody still has to write.
 */
function classOf({ code, output }: Ran): FailureClass {
  if (code === 126 || code === 127)
    return /(?:^|[\s:])\.{0,2}\/[^\s:]+: (?:not found|No such file)/m.test(output)
      ? "NOT_IMPLEMENTED"
      : "ENV_ISSUE";
  if (notThere.test(output)) return "NOT_IMPLEMENTED";
  return typeErrors.test(output) ? "TYPE_ERROR" : "LOGIC_ERROR";
}

const notThere =
  /not implemented|NotImplementedError|Cannot find module|ModuleNotFoundError|ERR_MODULE_NOT_FOUND|unimplemented!|No test files found/i;
const typeErrors = /error TS\d+|TypeError:|\bmypy\b.*error|error\[E\d+\]|incompatible types/;
