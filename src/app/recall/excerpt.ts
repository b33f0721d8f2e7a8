// The part of a text that a question is about: where most of its words stand together.
import { type AskedWord, plainText } from "../../core/words.ts";

const longest = 280;
/** So much stands before the first word. */
const lead = 60;

/** On one line; `…` where something was left out. */
export function excerptOf(text: string, asked: readonly AskedWord[]): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= longest) return line;
  const from = beginning(plainText(line), asked);
  const start = from === 0 ? 0 : line.indexOf(" ", from) + 1;
  const cut = line.slice(start, start + longest);
  const whole = start + longest >= line.length;
  return `${start === 0 ? "" : "… "}${whole ? cut : `${cut.slice(0, cut.lastIndexOf(" "))} …`}`;
}

// --- internal ---

function beginning(plain: string, asked: readonly AskedWord[]): number {
  const places = asked.flatMap(({ word, terms }, number) =>
    [word, ...terms.map(({ term }) => term)].flatMap((term) => {
      // A stem may end in a letter that the word has not: polici, policy.
      const sought = term.length > 4 ? term.slice(0, -1) : term;
      const at = sought.length < 2 ? -1 : plain.indexOf(sought);
      return at < 0 ? [] : [{ at, number }];
    }),
  );
  let [best, most] = [0, 0];
  for (const { at } of places) {
    const near = places.filter((other) => other.at >= at && other.at < at + longest - lead);
    const words = new Set(near.map(({ number }) => number)).size;
    if (words > most) [best, most] = [at, words];
  }
  return best <= lead ? 0 : best - lead;
}
