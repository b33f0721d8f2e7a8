// Prints a new version of a JSON document that this process printed before: parts that are still the
// same objects are not printed again, their bytes are kept. Gives exactly what the codec gives, or
// nothing, and then the codec is asked.
import { between, isFrozen, sharedEnds } from "../formats/frozen.ts";

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
  return isPlain(value) ? new Page(indent).print(value, before) : undefined;
}

// --- internal ---

/** Half a character can not be written: the codec mends the value, and prints that. */
const mended = "\\ud";
/** Smaller parts are printed faster than they are found again. */
const mostFields = 64;
/** Deeper inside, smaller parts are not looked into. */
const deepest = 3;
const newline = 0x0a;
/** Stands for a part while all the rest is printed at once. A document may well have it: see `print`. */
const hole = "\0part";
const holePrinted = JSON.stringify(hole);

interface Kept {
  readonly indent: string;
  readonly depth: number;
  readonly bytes: Buffer;
  /** A list with each item on a line of its own. */
  readonly lines: boolean;
}

/** Goes into the next hole. */
interface Part extends Pick<Kept, "depth" | "lines"> {
  readonly pieces: readonly Buffer[];
  readonly value: object;
}

/** By the object itself: kept for as long as somebody holds it. */
const kept = new WeakMap<object, Kept>();

class Page {
  readonly #indent: string;
  readonly #parts: Part[] = [];
  #inParts = true;

  constructor(indent: string) {
    this.#indent = indent;
  }

  /** Undefined: this can not be printed in parts. */
  print(value: object, before: unknown): Uint8Array | undefined {
    const frame = this.#framed(value, 0, before);
    if (!this.#inParts) return undefined;
    const text = `${JSON.stringify(frame, null, this.#indent)}\n`;
    const texts = text.split(holePrinted);
    if (texts.length !== this.#parts.length + 1 || text.includes(mended)) return undefined;
    return this.#filled(texts);
  }

  #filled(texts: readonly string[]): Uint8Array {
    let size = 0;
    for (const text of texts) size += Buffer.byteLength(text);
    for (const { pieces } of this.#parts) for (const piece of pieces) size += piece.length;
    const page = Buffer.allocUnsafeSlow(size);
    let at = 0;
    for (let place = 0; place < texts.length; place++) {
      at += page.write(texts[place] ?? "", at);
      const part = this.#parts[place];
      if (part === undefined) continue;
      const begin = at;
      for (const piece of part.pieces) {
        page.set(piece, at);
        at += piece.length;
      }
      this.#keep(part, page.subarray(begin, at));
    }
    return page;
  }

  /** As the value, with holes for its parts. */
  #framed(value: object, depth: number, before: unknown): unknown {
    const found = this.#found(value, depth);
    if (found) return this.#part({ ...found, pieces: [found.bytes], value });
    if (Array.isArray(value)) {
      const long = value.length > mostFields || isObject(value[0]);
      return long ? this.#long(value, depth, before) : value;
    }
    if (!isPlain(value)) return value;
    const keys = Object.keys(value);
    if (keys.length > mostFields) return this.#long(value, depth, before);
    return depth < deepest ? this.#framedFields(value, keys, depth, before) : value;
  }

  #framedFields(
    value: Readonly<Record<string, unknown>>,
    keys: readonly string[],
    depth: number,
    before: unknown,
  ): object {
    const earlier = isPlain(before) ? before : {};
    let framed: Record<string, unknown> | undefined;
    for (const key of keys) {
      const field = value[key];
      // JSON leaves them out, or asks them how they are written; and one field is none.
      if (field === undefined || typeof field === "function" || typeof field === "symbol")
        this.#inParts = false;
      if (key === "__proto__") this.#inParts = false;
      const part = isObject(field) ? this.#framed(field, depth + 1, earlier[key]) : field;
      if (part !== field) (framed ??= { ...value })[key] = part;
    }
    return framed ?? value;
  }

  #long(value: object, depth: number, before: unknown): string {
    if (Array.isArray(value) && Array.isArray(before)) {
      const last = this.#found(before, depth);
      const pieces = last?.lines && spliced(last.bytes, before, value, this.#lineAt(depth + 1));
      if (pieces) return this.#part({ depth, lines: true, pieces, value });
    }
    const placed = this.#placed(value, depth);
    if (placed.includes(mended)) this.#inParts = false;
    return this.#part({
      depth,
      lines: isLines(value),
      pieces: [Buffer.from(placed, "utf8")],
      value,
    });
  }

  #part(part: Part): string {
    this.#parts.push(part);
    return hole;
  }

  /** As it stands in this page, each time: so no page before it is held. */
  #keep({ value, depth, lines }: Part, bytes: Buffer): void {
    // What is not frozen may be another by the next time.
    if (isFrozen(value)) kept.set(value, { indent: this.#indent, depth, bytes, lines });
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
    return found?.indent === this.#indent && found.depth === depth ? found : undefined;
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
): readonly Buffer[] | undefined {
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
  return [...parts, tail];
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
  // Of a frozen list, `every` takes five times as long.
  for (let n = 0; n < value.length; n++)
    if (typeof value[n] !== "string" && typeof value[n] !== "number") return false;
  return true;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value) && !("toJSON" in value);
}
