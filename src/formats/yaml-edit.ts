// Changes a YAML text in place: only the lines that mean something new are touched, so that a
// person's comments, order, quoting and flow style stay (S0.1). `yaml`'s own toString() moves
// comments, folds Korean at 80 columns and reflows what nobody changed.
//
// The differences between the old and the wanted value become splices of the source. The result
// is read back: if it does not mean exactly what was wanted, the document is rewritten through
// the library, which keeps the data right and loses some of the looks.
import {
  Document,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
} from "yaml";
import { dress, keyText, printYaml, readYaml } from "./yaml.ts";
import { sameValue } from "./_text.ts";

export function editYaml(text: string, wanted: unknown): string {
  const read = readYaml(text);
  if (!read.ok || !isMap(read.root)) return printYaml(wanted);
  if (sameValue(read.value, wanted)) return text;
  const spliced = spliceYaml(text, read.root, read.value, wanted);
  return means(spliced, wanted) ? spliced : rewrite(text, wanted);
}

// --- internal ---

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

function spliceYaml(text: string, root: Node, before: unknown, wanted: unknown): string {
  const editor = new Editor(text);
  editor.value(root, before, wanted, false);
  // Two insertions at one place come from an inner and an outer map that end together: the
  // inner was found first and stays first.
  const splices = editor.splices.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const parts: string[] = [];
  let copied = 0;
  for (const splice of splices) {
    parts.push(text.slice(copied, splice.start), splice.text);
    copied = Math.max(copied, splice.end);
  }
  return parts.join("") + text.slice(copied);
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

class Editor {
  readonly splices: Splice[] = [];
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  value(node: Node | null, before: unknown, wanted: unknown, inFlow: boolean): void {
    if (node === null || sameValue(before, wanted)) return;
    const flow = inFlow || ((isMap(node) || isSeq(node)) && node.flow === true);
    if (isMap(node) && isFields(before) && isFields(wanted)) this.map(node, before, wanted, flow);
    else if (isSeq(node) && Array.isArray(before) && Array.isArray(wanted))
      this.list(node, before, wanted, flow);
    else
      this.put(start(node), valueEnd(node), scalarText(wanted, isScalar(node) ? node : undefined));
  }

  private map(node: YAMLMap, before: Fields, wanted: Fields, flow: boolean): void {
    for (const pair of node.items) {
      const key = keyText(pair.key) ?? "";
      if (!Object.hasOwn(wanted, key)) this.removePair(node, pair, flow);
      else this.pair(pair, before[key], wanted[key], flow);
    }
    const added = Object.keys(wanted).filter((key) => !Object.hasOwn(before, key));
    if (added.length === 0) return;
    if (flow)
      this.appendFlow(
        node,
        added.map((key) => `${inline(key)}: ${inline(wanted[key])}`),
      );
    else
      this.appendBlock(
        node,
        added.map((key) => ({ [key]: wanted[key] })),
      );
  }

  /** A changed value; where its shape changes too, everything after the colon is written anew. */
  private pair(pair: Pair, before: unknown, wanted: unknown, flow: boolean): void {
    if (sameValue(before, wanted)) return;
    const node = pair.value as Node | null;
    const sameShape = isFields(before)
      ? isFields(wanted)
      : Array.isArray(before) === Array.isArray(wanted) && !isFields(wanted);
    const isEmpty = (isMap(node) || isSeq(node)) && node.items.length === 0;
    const written = node !== null && start(node) < valueEnd(node);
    if (written && sameShape && !(isEmpty && !flow)) return this.value(node, before, wanted, flow);
    const colon = this.text.indexOf(":", valueEnd(pair.key as Node)) + 1;
    const end = written && node ? this.trimEnd(valueEnd(node)) : colon;
    const indent = this.columnOf(start(pair.key as Node));
    this.put(colon, Math.max(colon, end), flow ? ` ${inline(wanted)}` : afterColon(wanted, indent));
  }

  private list(
    node: YAMLSeq,
    before: readonly unknown[],
    wanted: readonly unknown[],
    flow: boolean,
  ): void {
    const shared = Math.min(before.length, wanted.length);
    for (let i = 0; i < shared; i++) this.value(node.items[i] as Node, before[i], wanted[i], flow);
    if (wanted.length > shared) {
      const added = wanted.slice(shared);
      if (flow) this.appendFlow(node, added.map(inline));
      else
        this.appendBlock(
          node,
          added.map((item) => [item]),
        );
    }
    for (let i = shared; i < before.length; i++) {
      const item = node.items[i] as Node;
      if (flow) this.removeFlow(start(item), valueEnd(item));
      else this.removeLines(start(item), valueEnd(item));
    }
  }

  private appendFlow(node: YAMLMap | YAMLSeq, entries: readonly string[]): void {
    const close = valueEnd(node) - 1;
    const last = this.trimEnd(close);
    const joined = entries.join(", ");
    if (node.items.length === 0)
      this.put(start(node) + 1, close, isMap(node) ? ` ${joined} ` : joined);
    else this.put(last, last, `, ${joined}`);
  }

  private appendBlock(node: YAMLMap | YAMLSeq, entries: readonly unknown[]): void {
    const indent = this.columnOf(start(node));
    const at = this.lineEnd(this.trimEnd(valueEnd(node)));
    const lines = entries.map((entry) => block(entry, indent)).join("");
    this.put(
      at,
      at,
      this.text[at - 1] === "\n" || at === 0 ? lines : `\n${lines.replace(/\n$/, "")}`,
    );
  }

  private removePair(node: YAMLMap, pair: Pair, flow: boolean): void {
    const from = start(pair.key as Node);
    const value = pair.value as Node | null;
    const to = Math.max(valueEnd(pair.key as Node), value ? valueEnd(value) : 0);
    if (flow) this.removeFlow(from, to);
    else if (node.items.length === 1) this.put(from, this.trimEnd(to), "{}");
    else this.removeLines(from, to);
  }

  private removeFlow(from: number, to: number): void {
    let end = to;
    while (/\s/.test(this.text[end] ?? "")) end++;
    if (this.text[end] === ",") return this.put(from, this.skipSpace(end + 1), "");
    let begin = from;
    while (begin > 0 && /\s/.test(this.text[begin - 1] ?? "")) begin--;
    this.put(this.text[begin - 1] === "," ? begin - 1 : from, to, "");
  }

  private removeLines(from: number, to: number): void {
    this.put(this.text.lastIndexOf("\n", from - 1) + 1, this.lineEnd(this.trimEnd(to)), "");
  }

  private put(from: number, to: number, text: string): void {
    this.splices.push({ start: from, end: to, text });
  }

  private columnOf(offset: number): number {
    return offset - (this.text.lastIndexOf("\n", offset - 1) + 1);
  }

  /** Just after the line break that ends the line of this offset. */
  private lineEnd(offset: number): number {
    const found = this.text.indexOf("\n", offset);
    return found < 0 ? this.text.length : found + 1;
  }

  private trimEnd(offset: number): number {
    let at = offset;
    while (at > 0 && /\s/.test(this.text[at - 1] ?? "")) at--;
    return at;
  }

  private skipSpace(offset: number): number {
    let at = offset;
    while (this.text[at] === " ") at++;
    return at;
  }
}

const start = (node: Node): number => node.range?.[0] ?? 0;
const valueEnd = (node: Node): number => node.range?.[1] ?? 0;

function inline(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  dress(document.contents, 0);
  return document.toString({ lineWidth: 0, collectionStyle: "flow" }).trimEnd();
}

/** A new scalar in the quotes of the one it replaces. */
function scalarText(value: unknown, old: Scalar | undefined): string {
  if (typeof value === "string" && old?.type === "QUOTE_DOUBLE") return JSON.stringify(value);
  if (typeof value === "string" && old?.type === "QUOTE_SINGLE" && !/[\n\t\\]/.test(value))
    return `'${value.replaceAll("'", "''")}'`;
  return typeof value === "string" && value.includes("\n") ? JSON.stringify(value) : inline(value);
}

function block(entry: unknown, indent: number): string {
  const document = new Document(entry, { aliasDuplicateObjects: false });
  dress(document.contents, indent > 0 ? 1 : 0);
  const lines = document.toString({ lineWidth: 0 }).trimEnd().split("\n");
  return lines.map((line) => `${line === "" ? "" : " ".repeat(indent) + line}\n`).join("");
}

function afterColon(value: unknown, indent: number): string {
  const filled = Array.isArray(value)
    ? value.length > 0
    : isFields(value) && Object.keys(value).length > 0;
  if (!filled) return ` ${scalarText(value, undefined)}`;
  return `\n${block(value, indent + 2).trimEnd()}`;
}
