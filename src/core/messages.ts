// Every sentence a person may read, in both languages, by key.
//
// Pure code never holds prose: it returns a Message (key + params) and the outermost
// door renders it in the reader's language. Errors, refusals, complaints and help texts
// all pass through here, so a missing Korean text is a type error, not a surprise.
import { textOf, type texts } from "./all-texts.ts";
import { fill } from "./fill.ts";

export { isMessageKey } from "./all-texts.ts";

export const languages = ["en", "ko"] as const;
export type Language = (typeof languages)[number];

/** One text in every language. The tables in texts/ are checked against this. */
export type Text = Readonly<Record<Language, string>>;

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
  return fill(textOf(message.key, language), (name) => {
    const param = message.params[name];
    return typeof param === "object" ? render(language, param) : param;
  });
}
