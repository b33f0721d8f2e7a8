// What a text is found by (S4.9). Words are cut to their stems, Korean ones to every stem they may
// have; beside them stand the pairs of Korean letters, for what is written together or apart.
import { englishFunctionWords, englishStem } from "./_words-english.ts";
import { koreanFunctionWords, koreanStems } from "./_words-korean.ts";
import { sameAs } from "./_words-same.ts";

/** Terms, parted by blanks. A pair begins with `_`, which no stem does. */
export interface Terms {
  readonly stems: string;
  readonly pairs: string;
}

/** Of a text that is to be found. */
export function termsOf(text: string): Terms {
  const words = wordsIn(text);
  return {
    stems: words.flatMap((word) => stemsOf(word)).join(" "),
    pairs: pairsIn(words).join(" "),
  };
}

/** One word of a question: any of its terms stands for it, the first ones best. */
export interface AskedWord {
  readonly word: string;
  readonly terms: readonly { readonly term: string; readonly weight: number }[];
  /** Of a Korean word. */
  readonly pairs: readonly string[];
}

/** Words that are only how one asks are left out, unless there are no others. */
export function wordsAsked(question: string): AskedWord[] {
  const words = [...new Set(wordsIn(question))];
  const telling = words.filter(
    (word) => !englishFunctionWords.has(word) && !koreanFunctionWords.has(word),
  );
  const chosen = (telling.length > 0 ? telling : words).slice(0, mostAsked);
  return chosen.map((word) => ({ word, terms: weighted(word), pairs: pairsIn([word]) }));
}

/** The text as words are looked for in it: one form for each letter, capitals small. */
export function plainText(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

// --- internal ---

/** A question is a sentence; what is longer was pasted. */
const mostAsked = 24;
/** Longer ones are keys, hashes and pictures in base64: nobody asks for them. */
const longestWord = 64;

/** T1.3, R1-T2-S1 and cp-4 are one word; so are letters and digits, and each part of camelCase. */
const pattern =
  /\p{Script=Hangul}+|\b[a-z]{1,2}-\d+|[\p{L}\p{M}]*\d[\p{L}\p{N}]*(?:[.-][\p{L}]*\d[\p{L}\p{N}]*)*|[\p{L}\p{M}]+/giu;
const hangul = /^[가-힣]+$/u;
/** Where letters meet Hangul a word ends: Redis로, T1.3이. */
const borders = /(?<=[\p{Script=Latin}\d])(?=\p{Script=Hangul})|(?<=\p{Ll})(?=\p{Lu})/gu;

function wordsIn(text: string): string[] {
  const found = text.normalize("NFC").replace(borders, " ").match(pattern) ?? [];
  return found
    .filter(({ length }) => length <= longestWord)
    .map((word) => word.toLowerCase().replaceAll(/[.-]/g, "_"));
}

function stemsOf(word: string): readonly string[] {
  return hangul.test(word) ? koreanStems(word) : [englishStem(word)];
}

function weighted(word: string): AskedWord["terms"] {
  const stems = stemsOf(word);
  const own = stems.map((term) => ({ term, weight: 1 }));
  const known = new Set(stems);
  const others = new Set(stems.flatMap((stem) => sameAs(stem)).filter((stem) => !known.has(stem)));
  return [...own, ...Array.from(others, (term) => ({ term, weight: 0.5 }))];
}

/** Across blanks as well: 위치 정보 is 위치정보. */
function pairsIn(words: readonly string[]): string[] {
  const found = new Set<string>();
  let before = "";
  for (const word of words) {
    if (!hangul.test(word)) {
      before = "";
      continue;
    }
    const run = before + word;
    for (let at = 0; at + 1 < run.length; at++) found.add(`_${run.slice(at, at + 2)}`);
    before = word.slice(-1);
  }
  return [...found];
}
