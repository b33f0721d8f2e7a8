// Changes a YAML text in place: only the lines that mean something new are touched, so that a
// person's comments, order, quoting and flow style stay (S0.1). `yaml`'s own toString() moves
// comments, folds Korean at 80 columns and reflows what nobody changed.
//
// The differences between the old and the wanted value become splices of the source. The result
// is read back: if it does not mean exactly what was wanted, the document is rewritten through
// the library, which keeps the data right and loses some of the looks.
import { Document, type Node, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { isMap, isScalar, isSeq, parseDocument, visit } from "yaml";
import { sameValue, wellFormed } from "./_text.ts";
import { type Entry, Source, entriesOf, rangeOf } from "./_yaml-layout.ts";
import { dress, printYaml, readYaml } from "./yaml.ts";

export function editYaml(text: string, wanted: unknown): string {
  const value = wellFormed(wanted);
  // Lines that end as on Windows stay so, all of them.
  if (text.includes("\r\n") && !/(?:^|[^\r])\n/.test(text))
    return editYaml(text.replaceAll("\r\n", "\n"), value).replaceAll("\n", "\r\n");
  const read = readYaml(text, { keepSourceTokens: true });
  if (!read.ok) return printYaml(value);
  if (sameValue(read.value, value)) return text;
  const edited = isMap(read.root) ? splice(text, read.root, read.value, value) : below(text, value);
  return means(edited, value) ? edited : rewrite(text, value);
}

// --- internal ---

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

function splice(text: string, root: YAMLMap, before: unknown, wanted: unknown): string {
  const editor = new Editor(text);
  editor.root(root, before, wanted);
  // Two insertions at one place come from an inner and an outer collection that end together:
  // the inner was found first and stays first.
  const splices = editor.splices.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end, text: put } of splices) {
    parts.push(text.slice(copied, Math.max(copied, start)), put);
    copied = Math.max(copied, end);
  }
  return parts.join("") + text.slice(copied);
}

/** A file that holds nothing but comments keeps them at its head. */
function below(text: string, wanted: unknown): string {
  const head = text.trim() === "" ? "" : text.replace(/\n?$/, "\n");
  return head + printYaml(wanted);
}

function means(text: string, wanted: unknown): boolean {
  const read = readYaml(text);
  return read.ok && sameValue(read.value, wanted);
}

function rewrite(text: string, wanted: unknown): string {
  const document = parseDocument(text, { uniqueKeys: false });
  const fresh = new Document(wanted, { aliasDuplicateObjects: false });
  // The library keeps comments that hang on the document itself.
  document.contents = fresh.contents as typeof document.contents;
  dress(document.contents, 0);
  const written = document.toString({ lineWidth: 0 });
  return means(written, wanted) ? written : printYaml(wanted);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isFilled = (value: Fields): boolean => Object.keys(value).length > 0;

class Editor {
  readonly splices: Splice[] = [];
  private readonly source: Source;

  constructor(text: string) {
    this.source = new Source(text);
  }

  root(node: YAMLMap, before: unknown, wanted: unknown): void {
    if (!isFields(before) || !isFields(wanted)) return;
    if (isFilled(before) && isFilled(wanted))
      return this.map(node, before, wanted, node.flow === true);
    const [start, end] = rangeOf(node);
    const text = isFilled(wanted) ? printYaml(wanted).trimEnd() : "{}";
    this.put(start, this.source.textEnd(start, end), text);
  }

  private change(entry: Entry, before: unknown, wanted: unknown, flow: boolean): void {
    if (sameValue(before, wanted)) return;
    const { value: node } = entry;
    if (isMap(node) && isFields(before) && isFields(wanted)) {
      if (isFilled(before) && isFilled(wanted))
        return this.map(node, before, wanted, flow || node.flow === true);
    } else if (isSeq(node) && Array.isArray(before) && Array.isArray(wanted)) {
      if (before.length > 0 && wanted.length > 0)
        return this.list(node, before, wanted, flow || node.flow === true);
    }
    this.replace(entry, wanted, flow);
  }

  /** A scalar in its place; anything else is written anew behind its colon or dash. */
  private replace({ start, after, end, value }: Entry, wanted: unknown, flow: boolean): void {
    if (after === undefined) return this.put(end, end, `: ${flowText(wanted)}`);
    const [from, to] = rangeOf(value);
    const isWritten = value !== null && to > from;
    const until = Math.max(after, isWritten ? this.source.textEnd(from, end) : after);
    const isText = typeof wanted !== "object" || wanted === null;
    if (isText && isScalar(value) && isWritten)
      return this.put(from, until, scalarText(wanted, value, flow));
    const isItem = flow && after === start;
    if (flow) return this.put(after, until, `${isItem ? "" : " "}${flowText(wanted)}`);
    const dash = this.source.text[after - 1] === "-";
    const indent = this.source.columnOf(start);
    // Printed behind a dash or key of its own, which is then cut off.
    const written = block(dash ? [wanted] : { k: wanted }, indent, true);
    this.put(after, until, written.slice(indent + (dash ? 1 : 2), -1));
  }

  private map(node: YAMLMap, before: Fields, wanted: Fields, flow: boolean): void {
    const entries = entriesOf(node);
    const gone = entries.map(({ key }) => !Object.hasOwn(wanted, key));
    if (gone.every(Boolean)) return this.refill(node, entries, wanted, flow);
    entries.forEach((entry, index) => {
      if (!gone[index]) this.change(entry, before[entry.key], wanted[entry.key], flow);
    });
    this.remove(entries, gone, flow);
    const added = Object.keys(wanted).filter((key) => !Object.hasOwn(before, key));
    const pairs = added.map((key) => ({ [key]: wanted[key] }));
    this.insert(entries, entries.length - 1, pairs, flow);
  }

  /** What is equal at both ends stays; the middle is changed in pairs, then cut or filled up. */
  private list(
    node: YAMLSeq,
    before: readonly unknown[],
    wanted: readonly unknown[],
    flow: boolean,
  ): void {
    const entries = entriesOf(node);
    const shared = Math.min(before.length, wanted.length);
    let head = 0;
    while (head < shared && sameValue(before[head], wanted[head])) head++;
    let tail = 0;
    while (tail < shared - head && sameValue(before.at(-1 - tail), wanted.at(-1 - tail))) tail++;
    // Nothing can be put before the first item of a list that begins behind another's dash.
    const first = entries[0]?.start ?? 0;
    if (head === 0 && tail === shared && !flow && !this.source.beginsLine(first)) tail = 0;
    const cut = shared - tail;
    for (let i = head; i < cut; i++) {
      const entry = entries[i];
      if (entry) this.change(entry, before[i], wanted[i], flow);
    }
    const kept = before.length - tail;
    this.remove(
      entries,
      entries.map((_, index) => index >= cut && index < kept),
      flow,
    );
    const added = wanted.slice(cut, wanted.length - tail).map((item) => [item]);
    this.insert(entries, cut - 1, added, flow);
  }

  /** Nothing of it stays: new entries in the old place. */
  private refill(node: Node, entries: readonly Entry[], wanted: Fields, flow: boolean): void {
    const first = entries[0];
    const last = entries.at(-1);
    if (!first || !last) return;
    const [start, end] = rangeOf(node);
    if (flow) return this.put(start, end, flowText(wanted));
    const indent = this.source.columnOf(first.start);
    const text = block(wanted, indent, true).slice(indent, -1);
    this.put(first.start, this.source.textEnd(first.start, last.end), text);
  }

  private remove(entries: readonly Entry[], gone: readonly boolean[], flow: boolean): void {
    const stays = gone.indexOf(false);
    const [first, next] = [entries[0], entries[stays]];
    // The first key of a map behind a dash: what follows moves up, unless a comment stands there.
    const between = first && next ? this.source.text.slice(first.end, next.start) : "";
    const compact = first && !flow && stays > 0 && !this.source.beginsLine(first.start);
    if (compact && !between.includes("#") && next) this.put(first.start, next.start, "");
    entries.forEach((entry, index) => {
      if (!gone[index]) return;
      if (flow) this.removeFlow(entries, index, index < stays);
      else if (compact && index < stays && !between.includes("#")) return;
      else if (compact && index === 0)
        this.put(entry.start, this.source.textEnd(entry.start, entry.end), "");
      else this.put(this.source.lineStart(entry.start), this.source.lineEnd(entry.end), "");
    });
  }

  /** With the comma before it; at the head of a collection, with the one behind. */
  private removeFlow(entries: readonly Entry[], index: number, atHead: boolean): void {
    const entry = entries[index];
    if (!entry) return;
    if (!atHead) return this.put(entries[index - 1]?.end ?? entry.start, entry.end, "");
    const { text } = this.source;
    let to = (entries[index + 1]?.comma ?? entry.end) + 1;
    while (text[to] === " ") to++;
    const wholeLine = text[to] === "\n" && this.source.beginsLine(entry.start);
    if (wholeLine) this.put(this.source.lineStart(entry.start), to + 1, "");
    else this.put(entry.start, to, "");
  }

  /** New entries behind the one with this index (-1: before the first). */
  private insert(
    entries: readonly Entry[],
    index: number,
    added: readonly (Fields | readonly unknown[])[],
    flow: boolean,
  ): void {
    const first = entries[0];
    const before = entries[index];
    if (added.length === 0 || !first) return;
    if (flow) {
      const text = added.map((entry) => flowText(entry).slice(2, -2)).join(", ");
      return before
        ? this.put(before.end, before.end, `, ${text}`)
        : this.put(first.start, first.start, `${text}, `);
    }
    const indent = this.source.columnOf(first.start);
    const at = before ? this.source.lineEnd(before.end) : this.source.lineStart(first.start);
    const lines = added.map((entry) => block(entry, indent)).join("");
    const open = at > 0 && this.source.text[at - 1] !== "\n";
    this.put(at, at, open ? `\n${lines.slice(0, -1)}` : lines);
  }

  private put(start: number, end: number, text: string): void {
    this.splices.push({ start, end, text });
  }
}

/** On one line, with one blank inside the brackets. */
function inline(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  dress(document.contents, 0);
  visit(document, closeTexts);
  return document.toString({ lineWidth: 0, collectionStyle: "flow" }).trimEnd();
}

/** Texts of several lines in quotes. */
const closeTexts = {
  Scalar(_: unknown, node: Scalar): void {
    if (String(node.value).includes("\n")) node.type = "QUOTE_DOUBLE";
  },
};

/** As it may stand between commas and brackets. */
function flowText(value: unknown): string {
  return isFields(value) || Array.isArray(value) ? inline(value) : inline([value]).slice(2, -2);
}

/** A new scalar in the quotes of the one it replaces. */
function scalarText(value: unknown, old: Scalar, flow: boolean): string {
  if (typeof value !== "string") return flowText(value);
  if (old.type === "QUOTE_DOUBLE" || /[\p{C}\n]/u.test(value)) return JSON.stringify(value);
  if (old.type === "QUOTE_SINGLE") return `'${value.replaceAll("'", "''")}'`;
  // As a value of a key: alone in a document, `...` and blanks would mean something else.
  return flow ? flowText(value) : block({ k: value }, 0).slice(3, -1);
}

/**
 * Lines of entries at their indentation, each with its line break. A comment may follow what
 * is put in an old place: no text in it may then be open at its end, as block texts are.
 */
function block(entries: unknown, indent: number, closed = false): string {
  const document = new Document(entries, { aliasDuplicateObjects: false });
  dress(document.contents, indent > 0 ? 1 : 0);
  if (closed) visit(document, closeTexts);
  const lines = document.toString({ lineWidth: 0 }).replace(/\n$/, "").split("\n");
  return lines.map((line) => `${line === "" ? "" : " ".repeat(indent) + line}\n`).join("");
}
