// Which of the entries that hold some of a question's words answers it (S4.9). Pure: the index
// gathers a few hundred candidates quickly and coarsely, here they are put in order.
//
// A word of the question counts once, by its best term: a Korean word has several possible stems, and
// one that has many must not weigh more than one that has few. Rare words weigh more, in a title they
// weigh double, and an entry that holds more of the question beats one that repeats a part of it.
import type { AskedWord } from "./words.ts";

export interface Candidate {
  /** As `termsOf` made them. */
  readonly title: string;
  readonly body: string;
  readonly pairs: string;
  readonly at: string;
  readonly key: string;
}

export interface Frequencies {
  /** In how many entries a term stands. */
  readonly of: (term: string) => number;
  readonly entries: number;
}

export interface Ranked<C> {
  readonly candidate: C;
  readonly score: number;
}

/** A word of the question, and what each of its terms is worth where it stands. */
export interface Weighed {
  readonly terms: readonly { readonly term: string; readonly value: number }[];
  readonly pairs: readonly { readonly term: string; readonly value: number }[];
  /** What it is worth at most: how telling the word is. */
  readonly worth: number;
}

export function weighed({ terms, pairs }: AskedWord, { of, entries }: Frequencies): Weighed {
  const rarity = (term: string): number => {
    const found = of(term);
    return found === 0 ? 0 : Math.log(1 + (entries - found + 0.5) / (found + 0.5));
  };
  const valued = terms.map(({ term, weight }) => ({ term, value: weight * rarity(term) }));
  const parts = pairs.map((term) => ({ term, value: pairWeight * rarity(term) }));
  const all = [...valued, ...parts].map(({ value }) => value);
  return { terms: valued, pairs: parts, worth: Math.max(0, ...all) };
}

/** Best first; of equals the newest, then by key, so that the order is always the same. */
export function ranked<C extends Candidate>(
  words: readonly Weighed[],
  candidates: readonly C[],
): Ranked<C>[] {
  return candidates
    .map((candidate) => ({ candidate, score: scoreOf(words, candidate) }))
    .filter(({ score }) => score > 0)
    .toSorted(
      (one, other) =>
        other.score - one.score ||
        compare(other.candidate.at, one.candidate.at) ||
        compare(one.candidate.key, other.candidate.key),
    );
}

// --- internal ---

/** Pairs are shared by words that have nothing to do with each other. */
const pairWeight = 0.55;
/** Terms in an entry of usual length; longer ones hold a word more easily. */
const usualLength = 40;

function scoreOf(words: readonly Weighed[], { title, body, pairs }: Candidate): number {
  const inTitle = counted(title);
  const inBody = counted(body);
  const inPairs = new Set(pairs.split(" "));
  const length = 0.5 + (0.5 * (inTitle.size + inBody.size)) / usualLength;
  let [sum, covered, whole] = [0, 0, 0];
  for (const { terms, pairs: parts, worth } of words) {
    whole += worth;
    let best = 0;
    for (const { term, value } of terms) {
      const count = 2 * (inTitle.get(term) ?? 0) + (inBody.get(term) ?? 0);
      best = Math.max(best, (value * count * 1.7) / (count + 0.7 * length));
    }
    const shared = parts.filter(({ term }) => inPairs.has(term));
    const share = parts.length === 0 ? 0 : shared.length / parts.length;
    const mean = shared.reduce((total, { value }) => total + value, 0) / (shared.length || 1);
    best = Math.max(best, mean * share ** 1.5);
    sum += best;
    covered += Math.min(best, worth);
  }
  return whole === 0 ? 0 : sum * (0.5 + (0.5 * covered) / whole);
}

function counted(terms: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms.split(" ")) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
