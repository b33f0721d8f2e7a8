// A command written in one line, cut into words as a shell would, without one: what comes from a
// settings file or a request is never given to `sh`.
import { type Message, msg } from "../../core/messages.ts";

export type Words =
  | { readonly ok: true; readonly words: readonly [string, ...string[]] }
  | { readonly ok: false; readonly complaint: Message };

/**
 * Blanks separate; '…' is literal; in "…" and outside quotes `\` takes the next character as it is.
 * What a shell would act on (pipes, variables, …) is refused: passed on as a word it would
 * silently mean something else than its writer thinks.
 */
export function splitWords(text: string): Words {
  const words: string[] = [];
  // Null between words: "" is a word too, when it is quoted.
  let word = null as string | null;
  let quote = "";
  let opened = 0;
  const add = (sign: string): void => {
    word = (word ?? "") + sign;
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    // In no quotes either: an argument ends at it.
    if (sign === "\0") return refuse(msg("adapter.command.shell", { sign: "\\0", place: at + 1 }));
    if (quote !== "" && sign === quote) quote = "";
    else if (quote === "'") add(sign);
    else if (sign === "\\") {
      if (++at === text.length) return refuse(msg("adapter.command.backslash"));
      add(text.charAt(at));
    } else if ((quote === "" ? shellSigns : quotedSigns).includes(sign))
      return refuse(msg("adapter.command.shell", { sign: shown(sign), place: at + 1 }));
    else if (quote !== "") add(sign);
    else if (sign === "'" || sign === '"') {
      quote = sign;
      opened = at;
      add("");
    } else if (!blanks.includes(sign)) add(sign);
    else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  if (quote !== "") return refuse(msg("adapter.command.quote", { sign: quote, place: opened + 1 }));
  if (word !== null) words.push(word);
  const [first, ...rest] = words;
  return first === undefined || first === ""
    ? refuse(msg("adapter.command.empty"))
    : { ok: true, words: [first, ...rest] };
}

// --- internal ---

const blanks = " \t";
/** What a shell acts on in double quotes too. */
const quotedSigns = "$`";
/** A newline would end the command. */
const shellSigns = `|&;<>()*?\n\r${quotedSigns}`;

function shown(sign: string): string {
  return JSON.stringify(sign).slice(1, -1);
}

function refuse(complaint: Message): Words {
  return { ok: false, complaint };
}
