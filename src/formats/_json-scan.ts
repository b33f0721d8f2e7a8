// Reads JSON text strictly, without building it: where is the first thing wrong, and where do
// given pointers stand? JSON.parse keeps the last of two equal keys in silence, rounds large
// numbers and says at best a position; a state file that people edit with jq deserves more.
//
// Iterative (a stack of our own), linear, and only run when JSON.parse failed, when the text is
// not in our own printed form, or when a complaint needs its line.
import { maxDepth } from "./_json-plain.ts";
import { isBroken } from "./_text.ts";

export type JsonProblem =
  | { readonly kind: "syntax"; readonly offset: number; readonly found: string }
  | { readonly kind: "duplicate"; readonly offset: number; readonly key: string }
  | { readonly kind: "forbidden_key"; readonly offset: number; readonly key: string }
  | { readonly kind: "number"; readonly offset: number; readonly token: string }
  | { readonly kind: "surrogate"; readonly offset: number }
  | { readonly kind: "too_deep"; readonly offset: number };

/** Pointers that are looked for, as a tree of their steps. */
interface Wanted {
  readonly pointers: string[];
  readonly next: Map<string, Wanted>;
}

interface Frame {
  readonly object: boolean;
  /** A list has none. */
  readonly keys: Set<string> | undefined;
  readonly wanted: Wanted | undefined;
  count: number;
}

export interface Scan {
  readonly problem: JsonProblem | undefined;
  /** Offset of the value at each pointer that was looked for and exists. */
  readonly places: ReadonlyMap<string, number>;
}

export function scanJson(
  text: string,
  pointers: ReadonlyMap<string, readonly string[]> = new Map(),
): Scan {
  const places = new Map<string, number>();
  const scanner = new Scanner(text, treeOf(pointers), places, pointers.size);
  try {
    scanner.run();
    return { problem: undefined, places };
  } catch (thrown) {
    if (thrown instanceof Stop) return { problem: thrown.problem, places };
    throw thrown;
  }
}

/** Does the number come back the same after parsing and printing? 1.0 does, 2^63 does not. */
export function survives(token: string): boolean {
  const value = Number(token);
  return Number.isFinite(value) && digitsOf(token) === digitsOf(String(value));
}

// --- internal ---

class Stop {
  readonly problem: JsonProblem;
  constructor(problem: JsonProblem) {
    this.problem = problem;
  }
}

function treeOf(pointers: ReadonlyMap<string, readonly string[]>): Wanted {
  const root: Wanted = { pointers: [], next: new Map() };
  for (const [pointer, steps] of pointers) {
    let node = root;
    for (const step of steps) {
      const next = node.next.get(step) ?? { pointers: [], next: new Map() };
      node.next.set(step, next);
      node = next;
    }
    node.pointers.push(pointer);
  }
  return root;
}

/** Significant digits and the power of ten of the last one: "1.50e3" → "15e2". */
function digitsOf(token: string): string {
  const [mantissa = "", exponent = "0"] = token.toLowerCase().replace(/^-/, "").split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = whole + fraction;
  // By hand: /0+$/ is quadratic on 0.1000…0001.
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  let begin = 0;
  while (digits[begin] === "0") begin++;
  if (end <= begin) return "0";
  return `${digits.slice(begin, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;

class Scanner {
  private at = 0;
  private readonly stack: Frame[] = [];
  private readonly text: string;
  private readonly root: Wanted;
  private readonly places: Map<string, number>;
  /** Once this many places are found there is nothing more to look for. */
  private readonly most: number;

  constructor(text: string, root: Wanted, places: Map<string, number>, most: number) {
    this.text = text;
    this.root = root;
    this.places = places;
    this.most = most;
  }

  run(): void {
    this.value(this.root);
    while (this.stack.length > 0) {
      if (this.most > 0 && this.places.size === this.most) return;
      this.member();
    }
    this.space();
    if (this.at < this.text.length) this.bad();
  }

  /** The next member of the innermost container, or its end. */
  private member(): void {
    const frame = this.stack.at(-1);
    if (frame === undefined) return;
    this.space();
    const code = this.text.charCodeAt(this.at);
    if (code === (frame.object ? 125 : 93)) {
      this.at++;
      this.stack.pop();
      return;
    }
    if (frame.count > 0) {
      if (code !== COMMA) this.bad();
      this.at++;
    }
    const key = frame.object ? this.key(frame) : "";
    const wanted = frame.wanted?.next.get(frame.object ? key : String(frame.count));
    frame.count++;
    this.value(wanted);
  }

  private key(frame: Frame): string {
    this.space();
    const offset = this.at;
    if (this.text.charCodeAt(offset) !== QUOTE) this.bad();
    const key = this.string();
    if (key === "__proto__") throw new Stop({ kind: "forbidden_key", offset, key });
    if (frame.keys?.has(key)) throw new Stop({ kind: "duplicate", offset, key });
    frame.keys?.add(key);
    this.space();
    if (this.text.charCodeAt(this.at) !== COLON) this.bad();
    this.at++;
    return key;
  }

  private value(wanted: Wanted | undefined): void {
    this.space();
    for (const pointer of wanted?.pointers ?? []) this.places.set(pointer, this.at);
    const char = this.text[this.at];
    if (char === "{" || char === "[") {
      if (this.stack.length >= maxDepth) throw new Stop({ kind: "too_deep", offset: this.at });
      this.at++;
      const object = char === "{";
      const keys = object ? new Set<string>() : undefined;
      this.stack.push({ object, keys, wanted, count: 0 });
    } else if (char === '"') this.string();
    else if (char === "t") this.word("true");
    else if (char === "f") this.word("false");
    else if (char === "n") this.word("null");
    else this.number();
  }

  private string(): string {
    const start = this.at;
    let escaped = false;
    for (let i = start + 1; i < this.text.length; i++) {
      const code = this.text.charCodeAt(i);
      if (code === QUOTE) {
        this.at = i + 1;
        return escaped ? this.decoded(start) : this.text.slice(start + 1, i);
      }
      if (code < 32) this.bad(i);
      if (code === BACKSLASH) {
        escaped = true;
        i++;
      }
    }
    return this.bad(this.text.length);
  }

  private decoded(start: number): string {
    let text: string;
    try {
      text = JSON.parse(this.text.slice(start, this.at)) as string;
    } catch {
      return this.bad(start);
    }
    if (isBroken(text)) throw new Stop({ kind: "surrogate", offset: start });
    return text;
  }

  private number(): void {
    const start = this.at;
    let isWhole = true;
    for (let code = this.text.charCodeAt(start); isNumberSign(code);) {
      if (code < 48 || code > 57) isWhole = false;
      code = this.text.charCodeAt(++this.at);
    }
    // Most numbers are small and whole: nothing to prove.
    const length = this.at - start;
    const isSmall = length === 1 || (length < 16 && this.text.charCodeAt(start) !== 48);
    if (isWhole && isSmall && length > 0) return;
    const token = this.text.slice(start, this.at);
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(token)) this.bad(start);
    if (!survives(token)) throw new Stop({ kind: "number", offset: start, token });
  }

  private word(word: string): void {
    if (!this.text.startsWith(word, this.at)) this.bad();
    this.at += word.length;
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.at++;
    }
  }

  /** One character is shown, not more: the text around it may be a secret (S2.3). */
  private bad(offset = this.at): never {
    const code = this.text.codePointAt(offset);
    const found = code === undefined ? "" : String.fromCodePoint(code);
    throw new Stop({ kind: "syntax", offset, found });
  }
}

/** Digits, and + - . e E. */
function isNumberSign(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    code === 43 ||
    code === 45 ||
    code === 46 ||
    code === 69 ||
    code === 101
  );
}
