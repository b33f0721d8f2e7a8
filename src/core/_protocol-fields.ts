// The three ways to write a block's fields, each turned into the same raw form: lines of
// `key: value`, the one-line error, and JSON.
import { trim, trimEnd } from "./_protocol-markers.ts";

/** A value as written, or a list of them. Checked against the block's table afterwards. */
export type Raw = string | readonly string[];

export interface RawFields {
  readonly values: ReadonlyMap<string, Raw>;
  readonly duplicates: readonly string[];
  /** JSON values that are neither text, number, boolean nor a list of these. */
  readonly odd: readonly string[];
}

/** One field being read; plain data, because an open block must survive a restart. */
export interface Entry {
  readonly key: string;
  /** What follows the colon, then the continuation lines as they are. */
  readonly lines: string[];
  /** `- item` lines; null for a field that is not a list. */
  readonly items: string[] | null;
}

export interface Entries {
  /** Columns before the first field. A line further in continues a value. */
  margin: number;
  readonly list: Entry[];
}

/** Takes one line of a block; false when it is neither field, item, continuation nor blank. */
export function addLine(entries: Entries, text: string, isList: (key: string) => boolean): boolean {
  const line = trimEnd(text);
  const content = trim(line);
  const current = entries.list.at(-1);
  if (content === "") {
    current?.lines.push("");
    return true;
  }
  const column = columns(line);
  if (entries.margin < 0) entries.margin = column;
  if (current?.items && isItem(content)) {
    current.items.push(itemText(content));
    return true;
  }
  if (current && column > entries.margin) return continueValue(current, line, content);
  const colon = content.indexOf(":");
  const key = content.slice(0, Math.max(0, colon));
  if (!fieldName.test(key)) return false;
  entries.list.push({
    key,
    lines: [trim(content.slice(colon + 1))],
    items: isList(key) ? [] : null,
  });
  return true;
}

export function fromEntries(entries: readonly Entry[]): RawFields {
  const values = new Map<string, Raw>();
  const duplicates: string[] = [];
  for (const { key, lines, items } of entries) {
    if (values.has(key)) duplicates.push(key);
    else values.set(key, items ? listValue(lines[0] ?? "", items) : textValue(lines));
  }
  return { values, duplicates, odd: [] };
}

/** `type: fatal, message: a, b, recovery: …`: only a known key not seen yet ends a value. */
export function fromOneLine(text: string, known: readonly string[]): RawFields {
  const values = new Map<string, Raw>();
  let key = "";
  let from = 0;
  for (let at = 0; at >= 0; at = nextComma(text, at)) {
    const found = keyAt(text, at, known);
    if (found === null || values.has(found.key) || found.key === key) continue;
    if (key !== "") values.set(key, trim(text.slice(from, at - 1)));
    key = found.key;
    from = found.after;
  }
  if (key !== "") values.set(key, trim(text.slice(from)));
  return { values, duplicates: [], odd: [] };
}

/** Null when the text is no JSON object. */
export function fromJson(text: string): RawFields | null {
  const object = parseObject(text);
  if (!object) return null;
  const values = new Map<string, Raw>();
  const odd: string[] = [];
  for (const [key, value] of Object.entries(object)) {
    if (value === null) continue;
    const list = Array.isArray(value) ? value.map(scalar) : null;
    const raw = list ? list.filter((item) => item !== null) : scalar(value);
    if (raw === null || (list && raw.length < list.length)) odd.push(key);
    else values.set(key, raw);
  }
  return { values, duplicates: [], odd };
}

export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** `[a, b]` or a JSON list of texts; null when it is no list. */
export function inlineList(text: string): string[] | null {
  if (!text.startsWith("[") || !text.endsWith("]")) return null;
  const inside = text.slice(1, -1);
  // Quoted items may hold commas; only then does the list have to be JSON.
  const quoted = trim(inside).startsWith('"') && parseObject(`{"list":${text}}`)?.["list"];
  if (Array.isArray(quoted) && quoted.every((item) => typeof item === "string"))
    return quoted.filter((item) => item !== "");
  return inside
    .split(",")
    .map(trim)
    .filter((item) => item !== "");
}

export function isItem(content: string): boolean {
  return content === "-" || content.startsWith("- ") || content.startsWith("-\t");
}

export function itemText(content: string): string {
  return trim(content.slice(1));
}

/** The column of the first character that is not blank; a tab reaches the next multiple of 4. */
export function columns(line: string): number {
  let column = 0;
  for (const char of line) {
    if (char === " ") column++;
    else if (char === "\t") column += 4 - (column % 4);
    else break;
  }
  return column;
}

// --- internal ---

const fieldName = /^[a-z_]{1,40}$/;

function continueValue(entry: Entry, line: string, content: string): boolean {
  if (!entry.items) {
    entry.lines.push(line);
    return true;
  }
  const last = entry.items.length - 1;
  if (last < 0) return false;
  entry.items[last] += `\n${content}`;
  return true;
}

/** Continuation lines lose the margin they share, so that nested text keeps its shape. */
function textValue(lines: readonly string[]): string {
  const [first = "", ...more] = lines;
  while (more.at(-1) === "") more.pop();
  const widths = more.filter((line) => line !== "").map(leadingBlanks);
  const shared = widths.reduce((least, width) => Math.min(least, width), Infinity);
  const rest = more.map((line) => line.slice(shared === Infinity ? 0 : shared));
  return (first === "" ? rest : [first, ...rest]).join("\n");
}

function leadingBlanks(line: string): number {
  return line.length - trimStart(line).length;
}

function trimStart(line: string): string {
  let at = 0;
  while (line[at] === " " || line[at] === "\t") at++;
  return line.slice(at);
}

/** A list field with other text after its colon stays text, and is complained about. */
function listValue(inline: string, items: readonly string[]): Raw {
  const wanted = items.filter((item) => item !== "");
  if (inline === "") return wanted;
  const listed = inlineList(inline);
  return listed ? [...listed, ...wanted] : inline;
}

/** The place after the next comma, or -1. */
function nextComma(text: string, from: number): number {
  const comma = text.indexOf(",", from);
  return comma < 0 ? -1 : comma + 1;
}

function keyAt(
  text: string,
  at: number,
  known: readonly string[],
): { key: string; after: number } | null {
  let start = at;
  while (text[start] === " " || text[start] === "\t") start++;
  const key = known.find((name) => text.startsWith(`${name}:`, start));
  return key === undefined ? null : { key, after: start + key.length + 1 };
}

function scalar(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}
