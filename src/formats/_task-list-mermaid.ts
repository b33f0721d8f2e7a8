// Mermaid flowcharts, as far as dependencies need them: `A --> B` means B waits for A.
//
// A small scanner, not a pattern per line: the patterns in circulation find no edge in
// `T0.5.2 --> T1.1` nor between P-ids. Nodes are resolved to tasks later, since a label may
// come after the first edge and a task after the diagram.
import type { Line } from "./_task-list-lines.ts";

export interface DiagramNode {
  readonly name: string;
  label: string | null;
  readonly line: number;
  readonly column: number;
}

export interface DiagramLink {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly line: number;
  readonly column: number;
}

export interface Diagram {
  readonly line: number;
  readonly nodes: ReadonlyMap<string, DiagramNode>;
  readonly links: readonly DiagramLink[];
  /** Subgraphs by name, with the title that says what they are. */
  readonly groups: ReadonlyMap<string, string>;
  /** Lines whose end could not be read. */
  readonly unread: readonly { readonly line: number; readonly column: number }[];
}

/** Null for any other kind of diagram: a gantt chart or a sequence holds no dependencies. */
export function readDiagram(line: number, body: readonly Line[]): Diagram | null {
  const first = firstStatement(body);
  const header = /^\s*(?:graph|flowchart)(?:-elk)?(?:[ \t]+[A-Za-z]{2})?[ \t]*(?:;|$)/i;
  const opening = first < 0 ? null : header.exec(body[first]?.text ?? "");
  if (opening === null) return null;
  const draft: DiagramDraft = { nodes: new Map(), links: [], groups: new Map(), unread: [] };
  for (let i = first; i < body.length; i++) {
    const at = i === first ? opening[0].length : 0;
    const current = body[i];
    if (current) readStatements(draft, current, at);
  }
  return { line, ...draft };
}

// --- internal ---

interface DiagramDraft {
  readonly nodes: Map<string, DiagramNode>;
  readonly links: DiagramLink[];
  readonly groups: Map<string, string>;
  readonly unread: { line: number; column: number }[];
}

interface Cursor {
  readonly text: string;
  readonly line: number;
  at: number;
}

const ignored = /^\s*(?:end|direction|classDef|class|style|linkStyle|click|accTitle|accDescr)\b/;
const nameShape = /[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/uy;
const blank = /[ \t\u00A0]*/y;
const classOf = /:::[\w-]+/y;
const linkRun = /<?(?:-[-.]*|=+|~~~+)/y;

/** After blank lines, comments and the `---` title block that may stand before `graph TD`. */
function firstStatement(body: readonly Line[]): number {
  const titled = body[0]?.text.trim() === "---";
  const close = titled ? body.findIndex((l, i) => i > 0 && l.text.trim() === "---") : -1;
  return body.findIndex((l, i) => i > close && !isSilent(l.text));
}

function isSilent(text: string): boolean {
  const trimmed = text.trim();
  return trimmed === "" || trimmed.startsWith("%%");
}

function readStatements(draft: DiagramDraft, line: Line, at: number): void {
  const { text } = line;
  if (isSilent(text)) return;
  if (/^\s*subgraph\b/.test(text)) return readGroup(draft, text);
  if (at === 0 && ignored.test(text)) return;
  const cursor: Cursor = { text, line: line.number, at };
  while (cursor.at < text.length) {
    if (!readChain(draft, cursor)) {
      return giveUp(draft, cursor);
    }
    skip(cursor, blank);
    if (text[cursor.at] !== ";" && cursor.at < text.length) {
      if (!text.startsWith("%%", cursor.at)) giveUp(draft, cursor);
      return;
    }
    cursor.at++;
    skip(cursor, blank);
  }
}

/** The first lines that can not be read say enough: a thousand more would only hide them. */
function giveUp(draft: DiagramDraft, cursor: Cursor): void {
  if (draft.unread.length < 100) draft.unread.push({ line: cursor.line, column: cursor.at + 1 });
}

function readGroup(draft: DiagramDraft, text: string): void {
  const rest = text.replace(/^\s*subgraph\b\s*/, "");
  nameShape.lastIndex = 0;
  const name = nameShape.exec(rest)?.[0] ?? "";
  const title = rest
    .slice(name.length)
    .replace(/[[\]"]/g, " ")
    .trim();
  draft.groups.set(name, title === "" ? name : title);
}

/** `A & B --> C -->|text| D`: false when something stands where a node should. */
function readChain(draft: DiagramDraft, cursor: Cursor): boolean {
  let from = readNodes(draft, cursor);
  if (from === null) return false;
  for (;;) {
    skip(cursor, blank);
    const column = cursor.at + 1;
    const link = readLink(cursor);
    if (link === null) return true;
    const to = readNodes(draft, cursor);
    if (to === null) return false;
    if (link.arrow) draft.links.push({ from, to, line: cursor.line, column });
    if (link.back) draft.links.push({ from: to, to: from, line: cursor.line, column });
    from = to;
  }
}

function readNodes(draft: DiagramDraft, cursor: Cursor): string[] | null {
  const names: string[] = [];
  for (;;) {
    skip(cursor, blank);
    const name = readNode(draft, cursor);
    if (name === null) return null;
    names.push(name);
    skip(cursor, blank);
    if (cursor.text[cursor.at] !== "&") return names;
    cursor.at++;
  }
}

function readNode(draft: DiagramDraft, cursor: Cursor): string | null {
  const column = cursor.at + 1;
  const name = take(cursor, nameShape);
  if (name === "") return null;
  const label = readLabel(cursor);
  if (label === undefined) return null;
  skip(cursor, classOf);
  const node = draft.nodes.get(name);
  if (node === undefined) draft.nodes.set(name, { name, label, line: cursor.line, column });
  else node.label ??= label;
  return name;
}

/** The text in a node's shape; null without a shape, undefined when the shape never ends. */
function readLabel(cursor: Cursor): string | null | undefined {
  const { text, at } = cursor;
  if (text.startsWith("@{", at)) return readAttributes(cursor);
  const opener = text[at] ?? "";
  const [open, close] = { "[": "[]", "(": "()", "{": "{}", ">": ">]" }[opener] ?? "";
  if (open === undefined || close === undefined) return null;
  let inside = at;
  while (inside < at + 3 && "[({>/\\".includes(text[inside] ?? "?")) inside++;
  const quoted = text[inside] === '"';
  const quoteEnd = quoted ? text.indexOf('"', inside + 1) : -1;
  if (quoted && quoteEnd < 0) return undefined;
  const end = closingAt(text, quoted ? quoteEnd : at, open, close, quoted ? inside - at : 0);
  if (end < 0) return undefined;
  cursor.at = end + 1;
  if (quoted) return text.slice(inside + 1, quoteEnd);
  return text
    .slice(inside, end)
    .replace(/[\])}/\\]{0,2}$/, "")
    .trim();
}

/** Where the shape that opened before `from` closes. */
function closingAt(
  text: string,
  from: number,
  open: string,
  close: string,
  quoted: number,
): number {
  if (quoted > 0) {
    // After a quoted label only closing signs follow, as many as opened.
    let at = from + 1;
    while (at <= from + quoted && /[\])}/\\]/.test(text[at] ?? "")) at++;
    return at > from + 1 ? at - 1 : -1;
  }
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    if (text[i] === open) depth++;
    else if (text[i] === close && --depth === 0) return i;
  }
  return -1;
}

/** `A@{ shape: rect, label: "T1.1: Title" }`. */
function readAttributes(cursor: Cursor): string | null | undefined {
  const end = cursor.text.indexOf("}", cursor.at);
  if (end < 0) return undefined;
  const attributes = cursor.text.slice(cursor.at + 2, end);
  cursor.at = end + 1;
  const [, label = null] = /\blabel[ \t]{0,9}:[ \t]{0,9}"([^"]*)"/.exec(attributes) ?? [];
  return label;
}

/** `-->`, `-.->`, `==>`, `-- text -->`, `-->|text|`, `---`, `~~~`; null when no link begins. */
function readLink(cursor: Cursor): { arrow: boolean; back: boolean } | null {
  const run = take(cursor, linkRun);
  if (run.replace("<", "").length < 2) {
    cursor.at -= run.length;
    return null;
  }
  const { text } = cursor;
  const back = run.startsWith("<");
  let arrow = takeArrowHead(cursor);
  // An unfinished run (`--`, `==`, `-.`) begins a text that the other half of the link ends.
  if (!arrow && ["--", "==", "-."].includes(run.replace("<", ""))) {
    const half = run.endsWith(".") ? ".-" : run.slice(-2);
    const end = text.indexOf(half, cursor.at);
    if (end < 0) return null;
    cursor.at = end + half.length;
    while (text[cursor.at] === half[1]) cursor.at++;
    arrow = takeArrowHead(cursor);
  }
  skip(cursor, blank);
  if (text[cursor.at] === "|") {
    const end = text.indexOf("|", cursor.at + 1);
    if (end < 0) return null;
    cursor.at = end + 1;
  }
  return { arrow, back };
}

/** `>`, or the cross and circle ends `x` and `o` when a blank shows they are no name. */
function takeArrowHead(cursor: Cursor): boolean {
  const sign = cursor.text[cursor.at] ?? "";
  const ends =
    sign === ">" || ("xo".includes(sign) && /[ \t]/.test(cursor.text[cursor.at + 1] ?? ""));
  if (sign === "" || !ends) return false;
  cursor.at++;
  return true;
}

function take(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0] ?? "";
  cursor.at += found.length;
  return found;
}

function skip(cursor: Cursor, pattern: RegExp): void {
  take(cursor, pattern);
}
