// Reads JSON text strictly, without building it: where is the first thing wrong, and where do
// given pointers stand? JSON.parse keeps the last of two equal keys in silence, rounds large
// numbers and says at best a position; a state file that people edit with jq deserves more.
//
// Iterative (a stack of our own), linear, and only run when JSON.parse failed, when the text is
// not in our own printed form, or when a complaint needs its line.

export const maxDepth = 64;

export type JsonProblem =
  | { readonly kind: "syntax"; readonly offset: number; readonly found: string }
  | { readonly kind: "duplicate"; readonly offset: number; readonly key: string }
  | { readonly kind: "forbidden_key"; readonly offset: number; readonly key: string }
  | { readonly kind: "number"; readonly offset: number; readonly token: string }
  | { readonly kind: "too_deep"; readonly offset: number };

/** Pointers that are looked for, as a tree of their steps. */
interface Wanted {
  readonly pointers: string[];
  readonly next: Map<string, Wanted>;
}

interface Frame {
  readonly object: boolean;
  readonly keys: Set<string>;
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
  const scanner = new Scanner(text, treeOf(pointers), places);
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
  const [mantissa = "", exponent = "0"] = token.toLowerCase().replace("-", "").split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const trimmed = digits.replace(/0+$/, "");
  const power = Number(token.toLowerCase().split("e")[1] ?? exponent) - fraction.length;
  return trimmed === "" ? "0" : `${trimmed}e${power + digits.length - trimmed.length}`;
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

  constructor(text: string, root: Wanted, places: Map<string, number>) {
    this.text = text;
    this.root = root;
    this.places = places;
  }

  run(): void {
    this.value(this.root);
    while (this.stack.length > 0) this.member();
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
    const step = frame.object ? this.key(frame) : String(frame.count);
    frame.count++;
    this.value(frame.wanted?.next.get(step));
  }

  private key(frame: Frame): string {
    this.space();
    const offset = this.at;
    if (this.text.charCodeAt(offset) !== QUOTE) this.bad();
    const key = this.string();
    if (key === "__proto__") throw new Stop({ kind: "forbidden_key", offset, key });
    if (frame.keys.has(key)) throw new Stop({ kind: "duplicate", offset, key });
    frame.keys.add(key);
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
      this.stack.push({ object: char === "{", keys: new Set(), wanted, count: 0 });
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
    try {
      return JSON.parse(this.text.slice(start, this.at)) as string;
    } catch {
      return this.bad(start);
    }
  }

  private number(): void {
    const start = this.at;
    while (isNumberSign(this.text.charCodeAt(this.at))) this.at++;
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

  private bad(offset = this.at): never {
    const found = this.text.slice(offset, offset + 12).split("\n")[0] ?? "";
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
