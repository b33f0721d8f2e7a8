// Where the entries of a YAML collection stand in the source: an edit in place needs to know
// each key, colon, dash and comma by its offset.
import { type CST, type Node, type YAMLMap, type YAMLSeq, isMap, isSeq } from "yaml";
import { keyText } from "./yaml.ts";

/** A key and its value, or an item of a list. */
export interface Entry {
  readonly key: string;
  readonly value: Node | null;
  /** Of the key, the `?` before it, the dash, or the item of a flow list. */
  readonly start: number;
  /** Just behind the colon or dash; undefined where a flow map has a bare key. */
  readonly after: number | undefined;
  /** Behind the last character of the value; for a block, behind its last line break. */
  readonly end: number;
  /** The comma before it, in flow style. */
  readonly comma: number | undefined;
}

/** Needs a tree that was read with its source tokens. */
export function entriesOf(node: YAMLMap | YAMLSeq): Entry[] {
  if (isMap(node))
    return node.items.map((pair) => {
      const item: CST.CollectionItem = pair.srcToken ?? { start: [] };
      const colon = item.sep?.find(({ type }) => type === "map-value-ind")?.offset;
      const after = colon === undefined ? undefined : colon + 1;
      return entry(item, keyText(pair.key) ?? "", pair.key, pair.value, after);
    });
  const tokens = ((node.srcToken as CST.FlowCollection | undefined)?.items ?? []).filter(
    ({ start, key, sep, value }) =>
      (key ?? sep ?? value) !== undefined || start.some(({ type }) => type === "seq-item-ind"),
  );
  return node.items.map((value, index) => {
    const item = tokens[index] ?? { start: [] };
    const dash = item.start.find(({ type }) => type === "seq-item-ind")?.offset;
    const after = dash === undefined ? rangeOf(value)[0] : dash + 1;
    return entry(item, String(index), null, value, after);
  });
}

export function rangeOf(node: unknown): readonly [start: number, end: number] {
  const range = (node as Node | null | undefined)?.range;
  return range ? [range[0], range[1]] : [0, 0];
}

/** Offsets and lines of one source text. */
export class Source {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  lineStart(offset: number): number {
    return this.text.lastIndexOf("\n", offset - 1) + 1;
  }

  columnOf(offset: number): number {
    return offset - this.lineStart(offset);
  }

  /** Is there only indentation before it on its line? */
  beginsLine(offset: number): boolean {
    return this.text.slice(this.lineStart(offset), offset).trim() === "";
  }

  /** Behind the line break that ends an entry; blank lines that belong to a text go with it. */
  lineEnd(end: number): number {
    let at = end;
    while (this.text[at - 1] === " ") at--;
    if (this.text[at - 1] === "\n") return at;
    const found = this.text.indexOf("\n", end);
    return found < 0 ? this.text.length : found + 1;
  }

  /** Behind the last visible character of what stands here. */
  textEnd(start: number, end: number): number {
    return start + this.text.slice(start, end).trimEnd().length;
  }
}

// --- internal ---

/** Where a value ends. A block whose last entry is empty claims the comments behind it. */
function endOf(value: unknown): number {
  if ((isMap(value) || isSeq(value)) && value.flow !== true)
    return entriesOf(value).at(-1)?.end ?? 0;
  const [start, end] = rangeOf(value);
  return end > start ? end : 0;
}

function entry(
  item: CST.CollectionItem,
  key: string,
  keyNode: unknown,
  value: unknown,
  after: number | undefined,
): Entry {
  const sign = item.start.find(
    ({ type }) => type === "seq-item-ind" || type === "explicit-key-ind",
  );
  const start = sign?.offset ?? item.key?.offset ?? item.value?.offset ?? rangeOf(value)[0];
  const comma = item.start.find(({ type }) => type === "comma")?.offset;
  const end = Math.max(start, after ?? 0, rangeOf(keyNode)[1], endOf(value));
  return { key, value: (value ?? null) as Node | null, start, after, end, comma };
}
