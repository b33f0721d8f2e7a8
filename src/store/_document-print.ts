// Prints a new version of a JSON document that this process printed before: parts that are still the
// same objects are not printed again, their bytes are kept; and so are those of parts that it has read
// late, or not at all. Gives exactly what the codec gives, or nothing, and then the codec is asked.
import { isFrozen } from "../formats/frozen.ts";
import { type Late, isFlat, lateAt, lateOf } from "../formats/late.ts";
import { between, sharedEnds } from "./_document-lists.ts";

/** The indentation of text the codec has just printed; undefined where parts can not be kept. */
export function indentOf(text: string): string | undefined {
  const indent = /^\{\n([ \t]+)"/.exec(text)?.[1];
  return text.endsWith("\n}\n") && !text.includes("\r") && !text.includes(mended)
    ? indent
    : undefined;
}

/** `before`: the version that was printed last, from which this one was made. */
export function printParts(
  value: unknown,
  indent: string,
  before?: unknown,
): Uint8Array | undefined {
  const page = new Page(indent);
  if (!isPlain(value) || !page.print(value, 0, before)) return undefined;
  return page.bytes();
}

// --- internal ---

/** Half a character can not be written: the codec mends the value, and prints that. */
const mended = "\\ud";
/** Smaller parts are printed faster than they are found again. */
const worthKeeping = 1024;
/** Deeper inside, and in objects with more fields, a part is printed as a whole. */
const deepest = 3;
const mostFields = 64;
const newline = 0x0a;

interface Kept {
  readonly indent: string;
  readonly depth: number;
  readonly bytes: Buffer;
  /** A list with each item on a line of its own. */
  readonly lines: boolean;
}

/** By the object itself: kept for as long as somebody holds it. */
const kept = new WeakMap<object, Kept>();

class Page {
  readonly #indent: string;
  readonly #pieces: Uint8Array[] = [];
  /** What comes after the last piece. */
  #text = "";

  constructor(indent: string) {
    this.#indent = indent;
  }

  bytes(): Uint8Array {
    this.#text += "\n";
    this.#flush();
    return Buffer.concat(this.#pieces);
  }

  /** False: this can not be printed in parts. */
  print(value: unknown, depth: number, before: unknown): boolean {
    if (!isObject(value)) {
      const text = JSON.stringify(value);
      this.#text += text;
      return !text.includes(mended);
    }
    const found = this.#found(value, depth);
    if (found) return this.#push(found.bytes);
    if (depth < deepest && isPlain(value)) {
      const keys = Object.keys(value);
      if (keys.length > 0 && keys.length <= mostFields)
        return this.#printFields(value, keys, depth, before);
    }
    if (Array.isArray(value) && Array.isArray(before)) {
      const last = this.#found(before, depth);
      const bytes = last?.lines && spliced(last.bytes, before, value, this.#lineAt(depth + 1));
      if (bytes) return this.#keep(value, depth, bytes, true);
    }
    const placed = this.#placed(value, depth);
    if (placed.includes(mended)) return false;
    if (placed.length >= worthKeeping)
      return this.#keep(value, depth, Buffer.from(placed, "utf8"), isLines(value));
    this.#text += placed;
    return true;
  }

  #printFields(
    value: Readonly<Record<string, unknown>>,
    keys: readonly string[],
    depth: number,
    before: unknown,
  ): boolean {
    const earlier = isPlain(before) ? before : {};
    let separator = "{";
    for (const key of keys) {
      const late = this.#late(lateAt(value, key), depth + 1);
      const part = late ?? value[key];
      // JSON leaves them out, or asks them how they are written.
      if (part === undefined || typeof part === "function" || typeof part === "symbol")
        return false;
      const name = JSON.stringify(key);
      this.#text += `${separator}${this.#lineAt(depth + 1)}${name}: `;
      if (name.includes(mended)) return false;
      if (late) this.#push(late.bytes);
      else if (!this.print(part, depth + 1, earlier[key])) return false;
      separator = ",";
    }
    this.#text += `${this.#lineAt(depth)}}`;
    return true;
  }

  /** As it stands so deep inside: printed inside lists, which are cut off again. */
  #placed(value: unknown, depth: number): string {
    let wrapped = value;
    let outside = 0;
    for (let n = 0; n < depth; n++) {
      wrapped = [wrapped];
      // A bracket and the line after it.
      outside += 1 + this.#lineAt(n + 1).length;
    }
    const text = JSON.stringify(wrapped, null, this.#indent);
    // At the end each line is one step less deep than at the beginning.
    return text.slice(outside, text.length - outside + depth * this.#indent.length);
  }

  #found(value: object, depth: number): Kept | undefined {
    const found = kept.get(value);
    if (found?.indent === this.#indent && found.depth === depth) return found;
    const late = this.#late(lateOf(value), depth);
    return late && { indent: late.indent, depth, bytes: late.bytes, lines: isFlat(late.bytes) };
  }

  #late(late: Late | undefined, depth: number): Late | undefined {
    return late?.indent === this.#indent && late.depth === depth ? late : undefined;
  }

  #keep(value: object, depth: number, bytes: Buffer, lines: boolean): true {
    // What is not frozen may be another by the next time.
    if (isFrozen(value)) kept.set(value, { indent: this.#indent, depth, bytes, lines });
    return this.#push(bytes);
  }

  #push(bytes: Buffer): true {
    this.#flush();
    this.#pieces.push(bytes);
    return true;
  }

  #flush(): void {
    if (this.#text !== "") this.#pieces.push(Buffer.from(this.#text, "utf8"));
    this.#text = "";
  }

  #lineAt(depth: number): string {
    return `\n${this.#indent.repeat(depth)}`;
  }
}

/**
 * The bytes of a list that was made from the one before, whose items stand on a line each: the lines
 * they share are taken as they are.
 */
function spliced(
  last: Buffer,
  before: readonly unknown[],
  after: readonly unknown[],
  line: string,
): Buffer | undefined {
  const { begin, end } = sharedEnds(before, after);
  const added = between(after, { begin, end });
  const text = added.map((item) => `${line}${JSON.stringify(item)}`).join();
  if (begin + end <= after.length / 2 || !isLines(added) || text.includes(mended)) return undefined;
  // A line's end belongs to the next one; the item before it has a comma, unless it is the last.
  const comma = begin > 0 && begin < before.length ? 1 : 0;
  const head = last.subarray(0, lineStart(last, before.length, begin) - comma);
  const tail = last.subarray(lineStart(last, before.length, before.length - end));
  const parts = [head];
  if (text !== "") parts.push(Buffer.from(begin > 0 ? `,${text}` : text, "utf8"));
  if (end > 0 && (begin > 0 || text !== "")) parts.push(Buffer.from(","));
  return Buffer.concat([...parts, tail]);
}

/** Where the line of this item begins, or after the last one the line of the bracket. */
function lineStart(bytes: Buffer, items: number, item: number): number {
  let at = item < items / 2 ? -1 : bytes.length;
  if (item < items / 2) for (let n = 0; n <= item; n++) at = bytes.indexOf(newline, at + 1);
  else for (let n = items; n >= item; n--) at = bytes.lastIndexOf(newline, at - 1);
  return at;
}

function isLines(value: object): boolean {
  if (!Array.isArray(value)) return false;
  return value.every((item) => typeof item === "string" || typeof item === "number");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value) && !("toJSON" in value);
}
