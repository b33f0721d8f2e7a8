// Every sentence a person may read, in both languages, by key.
//
// Pure code never holds prose: it returns a Message (key + params) and the outermost
// door renders it in the reader's language. Errors, refusals, complaints and help texts
// all pass through here, so a missing Korean text is a type error, not a surprise.
import { agentTexts } from "./texts/agents.ts";
import { doctorTexts } from "./texts/doctor.ts";
import { documentTexts } from "./texts/documents.ts";
import { engineTexts } from "./texts/engine.ts";
import { errorTexts } from "./texts/errors.ts";
import { formatTexts } from "./texts/formats.ts";
import { graphTexts } from "./texts/graph.ts";
import { initTexts } from "./texts/init.ts";
import { machineTexts } from "./texts/machines.ts";
import { protocolTexts } from "./texts/protocol.ts";
import { sampleTexts } from "./texts/sample.ts";
import { serverTexts } from "./texts/server.ts";
import { statusTexts } from "./texts/status.ts";
import { storeTexts } from "./texts/store.ts";
import { taskTexts } from "./texts/tasks.ts";
import { taskListTexts } from "./texts/task-list.ts";
import { whyTexts } from "./texts/why.ts";
import { workspaceTexts } from "./texts/workspace.ts";
import { commandTexts } from "./texts/commands.ts";

export const languages = ["en", "ko"] as const;
export type Language = (typeof languages)[number];

/** One text in every language. The tables in texts/ are checked against this. */
export type Text = Readonly<Record<Language, string>>;

export const texts = {
  ...agentTexts,
  ...doctorTexts,
  ...documentTexts,
  ...engineTexts,
  ...errorTexts,
  ...formatTexts,
  ...graphTexts,
  ...initTexts,
  ...machineTexts,
  ...protocolTexts,
  ...sampleTexts,
  ...serverTexts,
  ...statusTexts,
  ...storeTexts,
  ...taskTexts,
  ...taskListTexts,
  ...whyTexts,
  ...workspaceTexts,
  ...commandTexts,
} as const satisfies Record<string, Text>;

export type MessageKey = keyof typeof texts;
/** A blank may hold another message, rendered in the same language. */
export type ParamValue = string | number | Message;

/** The names between braces in the English text: `{id} is missing` → "id". */
type ParamNames<T extends string> = T extends `${string}{${infer P}}${infer Rest}`
  ? P | ParamNames<Rest>
  : never;
type ParamsOf<K extends MessageKey> = Readonly<
  Record<ParamNames<(typeof texts)[K]["en"]>, ParamValue>
>;

export interface Message {
  readonly key: MessageKey;
  readonly params: Readonly<Record<string, ParamValue>>;
}

/** Names a text and fills its blanks; the compiler demands exactly the blanks it has. */
export function msg<K extends MessageKey>(
  key: K,
  ...params: keyof ParamsOf<K> extends never ? [] : [ParamsOf<K>]
): Message {
  return { key, params: params[0] ?? {} };
}

export function render(language: Language, message: Message): string {
  return texts[message.key][language].replace(
    blank,
    (_, name: string, quote: string, closed?: string, open?: string) => {
      const param = message.params[name] ?? `{${name}}`;
      const value = typeof param === "object" ? render(language, param) : String(param);
      if (closed === undefined || open === undefined) return value + quote;
      return value + quote + (endsClosed(value, closed) ? closed : open);
    },
  );
}

// --- internal ---

/** `{name}` or, in Korean, `{name}(을/를)`: the particle that fits the value's last sound. */
const blank = /\{(\w+)\}([”’"')]?)(?:\(([가-힣]+)\/([가-힣]+)\))?/g;

// Digits and Latin letters by how they are read aloud in Korean: 3 삼, L 엘, …
const closedDigits = "013678";
const closedLetters = "lmnr";

/** Does the last sound of the value end in a consonant? (으로 also counts ㄹ as open.) */
function endsClosed(value: string, closedForm: string): boolean {
  const last = Array.from(value)
    .findLast((c) => /[\p{L}\p{N}]/u.test(c))
    ?.toLowerCase();
  if (last === undefined) return false;
  const code = last.codePointAt(0) ?? 0;
  const rieulIsOpen = closedForm === "으로";
  if (code >= 0xac00 && code <= 0xd7a3) {
    const final = (code - 0xac00) % 28;
    return final !== 0 && !(rieulIsOpen && final === 8);
  }
  if (rieulIsOpen && "178lr".includes(last)) return false;
  return closedDigits.includes(last) || closedLetters.includes(last);
}
