// One line at a time: is it a heading, a list item, a checkbox, a task, a phase?
//
// Every pattern is sticky and takes at least one character per step: a line of 64 KiB costs
// what it is long. Text after the box is compared in NFC, since a Mac may have written 페이즈 as
// nine jamo; what stands before the box is ASCII, so the box's offsets are those of the file.
import { type Word, readWord } from "./_task-list-ids.ts";

export interface Head {
  /** 1–6 for a heading, 0 for a list item. */
  readonly level: number;
  /** Columns before a list item's marker; a tab reaches to the next multiple of four. */
  readonly indent: number;
  /** Where the content begins. */
  readonly at: number;
}

export interface Box {
  /** Offsets of the brackets' content in the line. */
  readonly from: number;
  readonly to: number;
  readonly checked: boolean;
  /** A mark that is neither empty nor a tick: `[/]`, `[-]`. */
  readonly oddMark: string | null;
}

export interface TaskName {
  /** `Phase 1, T1.1`: what the line itself says. */
  readonly phase: number | null;
  readonly word: Word;
  /** Does a sign (`:`, `-`) or emphasis set the id apart from its title? */
  readonly setApart: boolean;
  /** `T1.1, T1.2: …` or `T1.1~T1.3: …`: one line for several tasks. */
  readonly several: boolean;
  readonly title: string;
}

export interface PhaseName {
  readonly number: number;
  /** `M0.5` and `Phase 0.5` belong to phase 0 but do not name it. */
  readonly partial: boolean;
  readonly name: string;
}

export function readHead(text: string): Head | null {
  const found = headPattern.exec(text);
  if (found === null) return null;
  const [whole, space = "", hashes, marker] = found;
  if (hashes !== undefined) return { level: hashes.length, indent: 0, at: whole.length };
  return marker === undefined ? null : { level: 0, indent: widthOf(space), at: whole.length };
}

export function readBox(text: string, at: number): Box | null {
  boxPattern.lastIndex = at;
  const [, before, content] = boxPattern.exec(text) ?? [];
  if (before === undefined || content === undefined) return null;
  const mark = content.trim().replace("\uFE0F", "");
  const from = at + before.length;
  const to = from + content.length;
  if (mark === "") return { from, to, checked: false, oddMark: null };
  if (ticks.has(mark)) return { from, to, checked: true, oddMark: null };
  // A letter or a digit is a footnote or a label: `[P]`, `[1]`.
  const label = /^[\p{L}\p{N}]/u.test(mark) || Array.from(mark).length > 1;
  return label ? null : { from, to, checked: false, oddMark: mark };
}

/** What follows the box of a task line; null when no id-like word stands where an id belongs. */
export function readTaskName(line: string): TaskName | null {
  const lead = skip(decoration, line, 0);
  const prefix = match(prefixPattern, line, lead);
  const word = readWord(line, skip(taskWord, line, prefix?.end ?? lead));
  if (word === null) return null;
  const closed = skip(closing, line, word.end);
  const sign = match(separator, line, skip(blank, line, closed));
  // `**T1.1:** Title`: emphasis opened before the id may close after the sign.
  const late = closed === word.end && /[*_`]/.test(line.slice(0, word.at));
  const end = skip(late ? closing : blank, line, sign?.end ?? closed);
  return {
    phase: prefix === null ? null : Number(prefix.groups[0] ?? prefix.groups[1]),
    word,
    setApart: closed > word.end || sign !== null,
    several: isSeveral(line, closed),
    title: tidy(line.slice(end)),
  };
}

/** `## Phase 1: 이름`, `## 페이즈 1`, `## 1단계 - 이름`, `## M1: Name`, `## P1 - Name`. */
export function readPhaseName(line: string): PhaseName | null {
  const start = skip(decoration, line, 0);
  const found = match(phaseHeading, line, start) ?? match(shortPhase, line, start);
  if (found === null) return null;
  const [number = "", part] = found.groups.filter((group) => group !== undefined);
  const rest = line.slice(found.end);
  // `## Phase 1, T1.1: …` is a task without its box, not a phase.
  if (readWord(rest, skip(decoration, rest, 0)) !== null) return null;
  // `## M1: 로그인 (Phase 1)` says its number twice.
  const name = tidy(rest.slice(skip(beforeName, rest, 0))).replace(/ ?\(Phase \d{1,9}\)$/i, "");
  return { number: Number(number), partial: part !== undefined, name };
}

/** The text of a heading: closing hashes and emphasis around the whole are not part of it. */
export function tidy(title: string): string {
  let text = title.trim();
  const hashes = /(?:^|\s)#+$/.exec(text.slice(-20));
  if (hashes !== null) text = text.slice(0, text.length - hashes[0].length).trimEnd();
  for (const mark of ["**", "__", "`"]) {
    if (!text.endsWith(mark)) continue;
    const inner = text.slice(text.startsWith(mark) ? mark.length : 0, -mark.length);
    // `use **x**` keeps its marks; `**x**` and the rest of `**T1.1: x**` lose them.
    if (!inner.includes(mark)) text = inner.trim();
  }
  return text;
}

// --- internal ---

const headPattern = /^([ \t]*)(?:(#{1,6})(?:[ \t]+|(?=\[))|([-*+]|\d{1,9}[.)])(?:[ \t]+|(?=\[)))/;
const boxPattern = /([ \t]*[*_]{0,3}\[)([^[\]]{0,6})\](?![([:])/y;
const ticks = new Set(["x", "X", "v", "V", "✓", "✔", "☑", "✅", "√"]);

/** Emoji, brackets and emphasis that people put before an id. */
const decoration = /[^\p{L}\p{N}]*/uy;
const prefixPattern =
  /(?:(?:phase|페이즈|단계)[ \t]*(\d{1,9})|(\d{1,9})[ \t]*단계)(?:\.\d{1,9})?[^\p{L}\p{N}]+(?=[TtPp]\d|task|태스크|작업)/iuy;
const taskWord = /(?:task|태스크|작업)[^\p{L}\p{N}]+(?=[TtPp]\d)/iuy;
const blank = /[ \t\u00A0\u3000]*/y;
const closing = /(?:[*_`)\]】」]|~~)*/y;
const separator = /[:：|.、·–—-]+/y;
const beforeName = /[ \t\u00A0\u3000:：|、·–—*_`~-]*/y;
const furtherId = /[ \t*_`]*[,~〜～&/+][ \t*_`]*(?=[TP]\d)|[-–](?=[TP]\d)/y;

/** `Phase 1+`, `Phase 1-3` and `Phase 1, 2` speak of several phases and name none. */
const phaseHeading =
  /(?:(?:phase|페이즈|단계)[ \t]*(\d{1,9})|(\d{1,9})[ \t]*단계)(?:\.(\d{1,9}))?(?![\p{L}\p{N}.+~〜～]|[-–]\d|[ \t]*[&,/][ \t]*\d)/iuy;
/** M1 and P1 are words of their own in many texts: only a sign or the end makes them a phase. */
const shortPhase = /[MP](\d{1,9})(?:\.(\d{1,9}))?(?=[*_ \t]*(?:[:：|–—-](?![TRSV]\d)|$))/uy;

function isSeveral(line: string, at: number): boolean {
  const found = match(furtherId, line, at);
  return found !== null && readWord(line, found.end)?.kind === "id";
}

function match(
  pattern: RegExp,
  text: string,
  at: number,
): { end: number; groups: (string | undefined)[] } | null {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? null : { end: at + found[0].length, groups: found.slice(1) };
}

function skip(pattern: RegExp, text: string, at: number): number {
  return match(pattern, text, at)?.end ?? at;
}

function widthOf(space: string): number {
  let width = 0;
  for (const unit of space) width = unit === "\t" ? width + 4 - (width % 4) : width + 1;
  return width;
}
