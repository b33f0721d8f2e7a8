// Prints a new version of a JSON document that this process printed before: parts that are still the
// same objects are not printed again, their bytes are kept. Gives exactly what the codec gives, or
// nothing, and then the codec is asked.
import { isFrozen } from "./_document-frozen.ts";

/** The indentation of text the codec has just printed; undefined where parts can not be kept. */
export function indentOf(text: string): string | undefined {
  const indent = /^\{\n([ \t]+)"/.exec(text)?.[1];
  return text.endsWith("\n}\n") && !text.includes("\r") && !text.includes(mended)
    ? indent
    : undefined;
}

export function printParts(value: unknown, indent: string): Uint8Array | undefined {
  const page = new Page(indent);
  if (!isPlain(value) || !page.print(value, 0)) return undefined;
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

interface Kept {
  readonly indent: string;
  readonly depth: number;
  readonly bytes: Uint8Array;
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
  print(value: unknown, depth: number): boolean {
    if (!isObject(value)) {
      const text = JSON.stringify(value);
      this.#text += text;
      return !text.includes(mended);
    }
    const found = kept.get(value);
    if (found?.indent === this.#indent && found.depth === depth) {
      this.#flush();
      this.#pieces.push(found.bytes);
      return true;
    }
    if (depth < deepest && isPlain(value)) {
      const keys = Object.keys(value);
      if (keys.length > 0 && keys.length <= mostFields)
        return this.#printFields(value, keys, depth);
    }
    const placed = this.#placed(value, depth);
    if (placed.includes(mended)) return false;
    // What is not frozen may be another by the next time.
    if (placed.length >= worthKeeping && isFrozen(value)) this.#keep(value, depth, placed);
    else this.#text += placed;
    return true;
  }

  #printFields(value: Readonly<Record<string, unknown>>, keys: string[], depth: number): boolean {
    let before = "{";
    for (const key of keys) {
      const part = value[key];
      // JSON leaves them out, or asks them how they are written.
      if (part === undefined || typeof part === "function" || typeof part === "symbol")
        return false;
      const name = JSON.stringify(key);
      this.#text += `${before}${this.#lineAt(depth + 1)}${name}: `;
      if (name.includes(mended) || !this.print(part, depth + 1)) return false;
      before = ",";
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

  #keep(value: object, depth: number, text: string): void {
    const bytes = Buffer.from(text, "utf8");
    kept.set(value, { indent: this.#indent, depth, bytes });
    this.#flush();
    this.#pieces.push(bytes);
  }

  #flush(): void {
    if (this.#text !== "") this.#pieces.push(Buffer.from(this.#text, "utf8"));
    this.#text = "";
  }

  #lineAt(depth: number): string {
    return `\n${this.#indent.repeat(depth)}`;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value) && !("toJSON" in value);
}
