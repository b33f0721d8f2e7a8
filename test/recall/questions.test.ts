// Does it find what a person means (S4.9)? Over a made-up project's past, by questions that were
// written before the index was (test/fixtures/recall), and by some that were written after it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { wordsAsked } from "../../src/core/words.ts";
import { type RecallKind, recallKinds } from "../../src/core/vocabulary.ts";
import { openRecall } from "../../src/store/recall/recall.ts";

const fixtures = join(import.meta.dirname, "../fixtures/recall");
const lines = (name: string): string[][] =>
  readFileSync(join(fixtures, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
const history = lines("history.tsv");
const questions = lines("questions.tsv");
const heldOut = lines("held-out.tsv");

const folder = mkdtempSync(join(tmpdir(), "holdfast-recall-"));
const recall = openRecall(join(folder, "recall.db"), "questions");
recall.take({
  source: "fixture",
  from: null,
  to: "1",
  gone: [],
  entries: history.map(([key = "", kind, at = "", title = "", text = ""]) => ({
    key,
    kind: kind as RecallKind,
    at,
    task: null,
    place: "fixture",
    title,
    text,
  })),
});
afterAll(() => {
  recall.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Where the entry stands among the answers, from 1; Infinity: not among the first ten. */
function placeOf(question: string, wanted: string): number {
  const found = recall.search(wordsAsked(question), { limit: 10 });
  const place = found.findIndex(({ key }) => key === wanted);
  return place < 0 ? Infinity : place + 1;
}

function rateOf(name: string, asked: readonly string[][]): number {
  const places = asked.map(([wanted = "", question = ""]) => placeOf(question, wanted));
  const within = (most: number): number => places.filter((place) => place <= most).length;
  console.log(
    `recall, ${name}: ${within(3)} of ${asked.length} in the first three, ${within(1)} first`,
  );
  for (const [at, place] of places.entries())
    if (place > 3) console.log(`  not found: ${asked[at]?.join(" ← ")}`);
  return within(3) / asked.length;
}

const korean = /\p{Script=Hangul}/u;

test("the questions are as demanding as they claim: two languages, other forms, near-misses", () => {
  expect(history.length).toBeGreaterThanOrEqual(150);
  expect(new Set(history.map(([, kind]) => kind))).toEqual(new Set(recallKinds));
  const byKey = new Map(history.map((row) => [row[0], row]));
  const functionWords = new Set(
    readFileSync(join(fixtures, "function-words.txt"), "utf8").split(/\s+/),
  );
  const words = (text: string): string[] =>
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !functionWords.has(word));
  const strangers = questions.filter(([wanted, question = ""]) => {
    const [, , , title = "", text = ""] = byKey.get(wanted) ?? [];
    expect({ wanted, text }).not.toEqual({ wanted, text: "" });
    const there = new Set(words(`${title} ${text}`));
    return !words(question).some((word) => there.has(word));
  });
  expect(questions.length).toBeGreaterThanOrEqual(40);
  expect(strangers.length).toBeGreaterThanOrEqual(questions.length / 2);
  const inKorean = questions.filter(([, question = ""]) => korean.test(question)).length;
  expect(Math.abs(2 * inKorean - questions.length)).toBeLessThanOrEqual(1);
});

test("S4.9 nine of ten questions find their entry among the first three", () => {
  expect(rateOf("written before", questions)).toBeGreaterThanOrEqual(0.9);
});

test("S4.9 so do questions that were written when the index stood", () => {
  expect(rateOf("written after", heldOut)).toBeGreaterThanOrEqual(0.9);
});

test("S4.9 a question can be kept to a kind and to a time, and nothing is found by how one asks", () => {
  const asked = wordsAsked("쿠폰이 만료되면?");
  const only = recall.search(asked, { limit: 20, kinds: ["question"] });
  expect(only[0]?.key).toBe("q6");
  expect(only.every(({ kind }) => kind === "question")).toBe(true);
  const late = recall.search(asked, { limit: 20, since: "2026-04-18T03:00:00Z" });
  expect(late.every(({ at }) => at >= "2026-04-18T03:00:00Z")).toBe(true);
  expect(late.length).toBeGreaterThan(0);
  expect(recall.search(wordsAsked("zzz qqq"), { limit: 5 })).toEqual([]);
  expect(recall.search(wordsAsked('" * ( : - ^ {'), { limit: 5 })).toEqual([]);
});
