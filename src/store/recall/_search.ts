// Gathers who may answer, fast and coarsely; core/ranking.ts puts them in order.
//
// FTS5's own ranking takes 1.5 µs for each entry that holds any of the terms, its bare lists of
// entries 0.25 µs: several times less. What stands in
// very many entries says little and costs most, so rare terms go first, as many as can be paid for;
// in the entries that they lead to, the others count as well.
import { type Frequencies, type Weighed, ranked, weighed } from "../../core/ranking.ts";
import type { AskedWord } from "../../core/words.ts";
import type { Connection } from "../database/_sqlite-connection.ts";
import type { RecallKind } from "../../core/vocabulary.ts";

export interface SearchFilter {
  readonly limit: number;
  readonly kinds?: readonly RecallKind[] | undefined;
  /** ISO, UTC: not older than this. */
  readonly since?: string | undefined;
}

export interface Found {
  readonly source: string;
  readonly key: string;
  readonly kind: RecallKind;
  readonly at: string;
  readonly task: string | null;
  readonly place: string;
  readonly title: string;
  readonly text: string;
  readonly score: number;
}

export function searchIn(
  connection: Connection,
  asked: readonly AskedWord[],
  filter: SearchFilter,
): Found[] {
  const terms = new Set(
    asked.flatMap(({ terms: own, pairs }) => [...own.map(({ term }) => term), ...pairs]),
  );
  const frequencies = countedIn(connection, terms);
  const words = asked.map((word) => weighed(word, frequencies));
  const lists = listsOf(connection, telling(terms, frequencies), filter);
  const rows = termsAt(connection, best(connection, words, lists));
  return ranked(words, rows)
    .slice(0, filter.limit)
    .map(({ candidate: { id }, score }) => ({ ...entryAt(connection, id), score }));
}

// --- internal ---

/** Places in the lists that one question may look at. */
const mostPlaces = 40_000;
/** So many entries are put in order. */
const mostRanked = 200;
/** Of those that hold the same words, so many are compared: a µs each. */
const mostEqual = 10_000;

function countedIn(connection: Connection, terms: Iterable<string>): Frequencies {
  const counts = new Map<string, number>();
  for (const term of terms) {
    const row = connection.get("select doc from vocabulary where term = ?", [term]);
    counts.set(term, (row as { doc: number } | undefined)?.doc ?? 0);
  }
  const { n } = connection.get("select count(*) as n from entry") as { n: number };
  return { of: (term) => counts.get(term) ?? 0, entries: n };
}

/** Rarest first; one at least. */
function telling(terms: Iterable<string>, { of }: Frequencies): string[] {
  const known = [...terms].filter((term) => of(term) > 0).toSorted((a, b) => of(a) - of(b));
  const chosen: string[] = [];
  let places = 0;
  for (const term of known) {
    places += of(term);
    if (chosen.length > 0 && places > mostPlaces) break;
    chosen.push(term);
  }
  return chosen;
}

/** Ids of entries. */
type Ids = Float64Array;
type Lists = ReadonlyMap<string, { readonly all: Ids; readonly titled: Ids }>;

const none: Ids = new Float64Array();

/** In which entries each term stands, and in whose titles. */
function listsOf(
  connection: Connection,
  terms: readonly string[],
  { kinds, since }: SearchFilter,
): Lists {
  const where = [
    ...(kinds === undefined ? [] : [`entry.kind in (${kinds.map(() => "?").join(", ")})`]),
    ...(since === undefined ? [] : ["entry.at >= ?"]),
  ];
  const values = [...(kinds ?? []), ...(since === undefined ? [] : [since])];
  const join = where.length === 0 ? "" : "join entry on entry.id = term.rowid";
  // One text of numbers: a row for each costs three times as much.
  const sql = `select group_concat(term.rowid) as ids from term ${join}
    where ${["term match ?", ...where].join(" and ")}`;
  const list = (match: string): Ids => {
    const { ids } = connection.get(sql, [match, ...values]) as { ids: string | null };
    return ids === null ? none : numbersIn(ids);
  };
  return new Map(
    terms.map((term) => [
      term,
      { all: list(`"${term}"`), titled: term.startsWith("_") ? none : list(`title : "${term}"`) },
    ]),
  );
}

const COMMA = 44;
const ZERO = 48;

function numbersIn(text: string): Ids {
  // A number has one digit and a comma at least.
  const found = new Float64Array((text.length + 1) >> 1);
  let [count, number] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA) {
      found[count++] = number;
      number = 0;
    } else number = number * 10 + code - ZERO;
  }
  found[count++] = number;
  return found.subarray(0, count);
}

/** A word in a title is worth more; ranking.ts does the sum anew, and finely. */
const titleWeight = 1.3;

/** The entries that hold the most telling words; of equals, the newest. */
function best(connection: Connection, words: readonly Weighed[], lists: Lists): number[] {
  // In ascending order, as FTS5 has them.
  const last = Math.max(0, ...Array.from(lists.values(), ({ all }) => all.at(-1) ?? 0));
  const sums = new Float32Array(last + 1);
  // Of one word: it counts once, by its best term.
  const own = new Float32Array(last + 1);
  for (const { terms, pairs } of words) {
    for (const { term, value } of pairs)
      for (const id of lists.get(term)?.all ?? none)
        own[id] = (own[id] ?? 0) + value / pairs.length;
    for (const { term, value } of terms) {
      raise(own, lists.get(term)?.all ?? none, value);
      raise(own, lists.get(term)?.titled ?? none, value * titleWeight);
    }
    for (const { term } of [...terms, ...pairs])
      for (const id of lists.get(term)?.all ?? none) {
        sums[id] = (sums[id] ?? 0) + (own[id] ?? 0);
        own[id] = 0;
      }
  }
  return highest(connection, sums);
}

function raise(values: Float32Array, ids: Ids, value: number): void {
  for (const id of ids) if ((values[id] ?? 0) < value) values[id] = value;
}

function highest(connection: Connection, sums: Float32Array): number[] {
  const sorted = sums.filter((sum) => sum > 0).toSorted();
  const least = sorted.at(-mostRanked) ?? 0;
  const found: number[] = [];
  const equal: number[] = [];
  for (let id = sums.length - 1; id > 0; id--) {
    const sum = sums[id] ?? 0;
    if (sum > least) found.push(id);
    else if (sum === least && sum > 0 && equal.length < mostEqual) equal.push(id);
  }
  const left = mostRanked - found.length;
  return [...found, ...(equal.length > left ? newest(connection, equal, left) : equal)];
}

/** By what they are, not by when they were taken in: an index that was built anew answers the same. */
function newest(connection: Connection, ids: readonly number[], most: number): number[] {
  const rows = connection.lists(
    `select entry.id from json_each(?) as equal join entry on entry.id = equal.value
     order by entry.at desc, entry.source, entry.key limit ?`,
    [JSON.stringify(ids), most],
  );
  return rows.map(([id]) => Number(id));
}

interface Candidate {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly pairs: string;
  readonly at: string;
  readonly key: string;
}

function termsAt(connection: Connection, ids: readonly number[]): Candidate[] {
  return connection.all(
    `select entry.id, entry.at, entry.source || ' ' || entry.key as key, term.title, term.body, term.pairs
     from json_each(?) as chosen join entry on entry.id = chosen.value
       join term on term.rowid = chosen.value`,
    [JSON.stringify(ids)],
  ) as Candidate[];
}

function entryAt(connection: Connection, id: number): Omit<Found, "score"> {
  return connection.get(
    "select source, key, kind, at, task, place, title, text from entry where id = ?",
    [id],
  ) as Omit<Found, "score">;
}
