// Ids inside running text: `T0.5.2 (계약)`, `T1.4와 병렬 가능`, `T1.1~T1.3`, `[P1-R1, P1-R2]`.
//
// What looks like an id is read whole and then judged by core/ids.ts; a prefix is never taken
// (T0.5.2 is not T0.5). What only looks like one is handed on too, so that a misspelt
// dependency becomes a complaint instead of a dependency nobody waits for.
import { parseUnitId } from "../core/ids.ts";

export interface Word {
  readonly text: string;
  readonly at: number;
  readonly end: number;
  /** id: T1.1 · lower: t1.1 · like: T1, P1-R1 (a group), T1.1.1.1 · phase: P1 */
  readonly kind: "id" | "lower" | "like" | "phase";
}

export type Ref =
  | { readonly kind: "word"; readonly word: Word }
  /** `to` is null when the end of the range can not be read: `T1.1~3`. */
  | { readonly kind: "range"; readonly from: Word; readonly to: Word | null };

/** The id-like word that begins exactly at `at`. */
export function readWord(text: string, at: number): Word | null {
  shape.lastIndex = at;
  const match = shape.exec(text);
  if (match === null) return null;
  const end = at + match[0].length;
  if (endsWord(text, end)) return judge(match[0], at, end);
  wordRest.lastIndex = end;
  const whole = match[0] + (wordRest.exec(text)?.[0] ?? "");
  return judge(whole, at, at + whole.length);
}

/** Every id-like word, ranges joined. An explanation in parentheses is not a reference. */
export function findRefs(text: string): Ref[] {
  const outside = maskParentheses(text);
  const refs = scanRefs(outside);
  // `(T1.1, T1.2)`: nothing stands outside, so the parentheses are mere decoration.
  return refs.length === 0 && outside.trim() === "" ? scanRefs(text) : refs;
}

/** T1.1 … T1.3 → all three; null unless exactly one number differs and grows. */
export function expandRange(from: string, to: string): string[] | null {
  const [a, b] = [from.split(digits), to.split(digits)];
  const differing = a.map((part, i) => (part === b[i] ? -1 : i)).filter((i) => i >= 0);
  const [place = 0] = differing;
  if (a.length !== b.length || differing.length !== 1 || place % 2 === 0) return null;
  const [first, last] = [Number(a[place]), Number(b[place])];
  if (last <= first || last - first >= longestRange) return null;
  return Array.from({ length: last - first + 1 }, (_, step) =>
    a.with(place, String(first + step)).join(""),
  );
}

/** The phase a task's own id names: T1.3 → 1, P2-S1-V → 2. */
export function phaseOf(id: string): number {
  return parseUnitId(id)?.phase ?? 0;
}

/** Every id has one spelling: what is one here is printed again exactly so. */
export function isUnitId(text: string): boolean {
  return parseUnitId(text) !== undefined;
}

// --- internal ---

const longestRange = 1000;
const digits = /(\d+)/;

/** Looser than an id on purpose; each step takes at least one character, so it is linear. */
const shape = /[Tt]\d+(?:\.\d+)*|[Pp]\d+(?:-[TtRrSsVv]\d*(?:\.\d+)*)*/y;
const wordRest = /[\w.-]*[\w]/y;
const idStart = /[Tt]\d|[Pp]\d/;
/** What may not stand directly before an id: it would be the middle of a word or a path. */
const inside = /[\w./\\@#-]/;
const tilde = /[~〜～∼]|\.{2,3}|…/y;
const dash = /[-–—]|부터|to\b|through\b/y;
const gap = /[\s*_`)\]]*/y;
const opening = /[\s*_`([]*/y;

function endsWord(text: string, end: number): boolean {
  const next = text[end] ?? "";
  if (/\w/.test(next)) return false;
  const after = text[end + 1] ?? "";
  if (next === ".") return !/\d/.test(after);
  // T1.1-T1.3 is a range; T1.1-login is no id at all.
  if (next === "-" && /\w/.test(after)) return idStart.test(text.slice(end + 1, end + 3));
  return true;
}

function judge(text: string, at: number, end: number): Word | null {
  if (isUnitId(text)) return { text, at, end, kind: "id" };
  if (isUnitId(text.toUpperCase())) return { text, at, end, kind: "lower" };
  if (/^[tp]/.test(text)) return null;
  return { text, at, end, kind: /^P\d+$/.test(text) ? "phase" : "like" };
}

function scanRefs(text: string): Ref[] {
  const refs: Ref[] = [];
  for (let i = 0; i < text.length; i++) {
    if (!"TtPp".includes(text[i] ?? "") || (i > 0 && inside.test(text[i - 1] ?? ""))) continue;
    const word = readWord(text, i);
    if (word === null) continue;
    const range = word.kind === "id" ? rangeAfter(text, word) : null;
    refs.push(range?.ref ?? { kind: "word", word });
    i = (range?.end ?? word.end) - 1;
  }
  return refs;
}

function rangeAfter(text: string, from: Word): { ref: Ref; end: number } | null {
  const markAt = skip(gap, text, from.end);
  const certain = skip(tilde, text, markAt);
  const markEnd = certain > markAt ? certain : skip(dash, text, markAt);
  if (markEnd === markAt) return null;
  const to = readWord(text, skip(opening, text, markEnd));
  if (to?.kind === "id") return { ref: { kind: "range", from, to }, end: to.end };
  // A dash may begin an explanation; a tilde can only mean “up to”.
  return certain > markAt ? { ref: { kind: "range", from, to: null }, end: markEnd } : null;
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** Parenthesised text becomes blanks, so that columns stay; unbalanced ones stay as they are. */
function maskParentheses(text: string): string {
  if (!/[(（]/.test(text)) return text;
  const kept: string[] = [];
  let depth = 0;
  for (const unit of text.split("")) {
    if (unit === "(" || unit === "（") depth++;
    kept.push(depth > 0 ? " " : unit);
    if ((unit === ")" || unit === "）") && depth > 0) depth--;
  }
  return depth === 0 ? kept.join("") : text;
}
