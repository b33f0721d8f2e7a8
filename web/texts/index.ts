// Every sentence of the page, in both languages. A text without its Korean, a key nobody wrote and
// a blank nobody filled are errors of the compiler.
//
// `{name}` is a blank; in Korean `{name}(을/를)` takes the particle that fits. `[count:file|files]`
// is a word in its singular or plural.
import { fill } from "../../src/core/fill.ts";
import { settings, useSettings, languageOf } from "../data/settings.ts";
import { boardTexts } from "./board.ts";
import { commonTexts } from "./common.ts";
import { contractTexts } from "./contracts.ts";
import { figureTexts } from "./figures.ts";
import { graphTexts } from "./graph.ts";
import { inboxTexts } from "./inbox.ts";
import { memoryTexts } from "./memory.ts";
import { machineTexts } from "./machines.ts";
import { newTexts } from "./new.ts";
import { recallTexts } from "./recall.ts";
import { reviewTexts } from "./review.ts";
import { setupTexts } from "./setup.ts";
import { stateTexts } from "./states.ts";
import { taskTexts } from "./task.ts";

export type Language = "en" | "ko";
export type Text = Readonly<Record<Language, string>>;

const texts = {
  ...boardTexts,
  ...commonTexts,
  ...contractTexts,
  ...figureTexts,
  ...graphTexts,
  ...inboxTexts,
  ...machineTexts,
  ...memoryTexts,
  ...newTexts,
  ...recallTexts,
  ...reviewTexts,
  ...setupTexts,
  ...stateTexts,
  ...taskTexts,
} as const satisfies Record<string, Text>;

export type TextKey = keyof typeof texts;

type Names<T extends string> = T extends `${string}{${infer P}}${infer Rest}`
  ? P | Names<Rest>
  : never;
type ParamsOf<K extends TextKey> = Readonly<
  Record<Names<(typeof texts)[K]["en"]>, string | number>
>;

/** One without blanks: a name on a button or in a list. */
export type PlainKey = {
  [K in TextKey]: keyof ParamsOf<K> extends never ? K : never;
}[TextKey];

export type Say = <K extends TextKey>(
  key: K,
  ...params: keyof ParamsOf<K> extends never ? [] : [ParamsOf<K>]
) => string;

export function sayIn(language: Language): Say {
  return (key, ...given) => {
    const params: Readonly<Record<string, string | number>> = given[0] ?? {};
    const text = texts[key][language].replace(
      /\[(\w+):([^|\]]*)\|([^\]]*)\]/g,
      (_, name: string, one: string, many: string) => (Number(params[name]) === 1 ? one : many),
    );
    return fill(text, (name) => params[name]);
  };
}

/** The text of a word that comes from the server; the word itself where we have none. */
export function sayWord(say: Say, prefix: string, word: string): string {
  const key = `${prefix}.${word}`;
  return Object.hasOwn(texts, key) ? (say as (key: string) => string)(key) : word;
}

export function useSay(): Say {
  return said[languageOf(useSettings())];
}

export function sayNow(): Say {
  return said[languageOf(settings())];
}

export function useLanguage(): Language {
  return languageOf(useSettings());
}

// --- internal ---

/** The same function each time, so that nothing is drawn anew because of it. */
const said: Readonly<Record<Language, Say>> = { en: sayIn("en"), ko: sayIn("ko") };
