// What a TypeScript or JavaScript file imports. A lexer, not a pattern: the word `import` in a string,
// a comment, a template or a regular expression is none, and a list of names may run over many lines.
import type { Import } from "./imports.ts";

interface Token {
  readonly kind: "word" | "string" | "sign";
  readonly text: string;
  readonly line: number;
}

export function importsOfJavaScript(text: string): Import[] {
  const tokens = new Lexer(text).tokens();
  const found: Import[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind !== "word") continue;
    // `import.meta`, `a.import`: names of something else.
    const target = targetAt(tokens, at);
    if (target !== undefined) found.push({ target: target.text, names: [], line: token.line });
  }
  return found;
}

// --- internal ---

/** More tokens than this stand in no list of names. */
const longest = 4_000;

function targetAt(tokens: readonly Token[], at: number): Token | undefined {
  const word = tokens[at]?.text;
  const [next, after] = [tokens[at + 1], tokens[at + 2]];
  const called = next?.text === "(" && next.kind === "sign" && after?.kind === "string";
  if (word === "require") return called ? after : undefined;
  if (isMember(tokens[at - 1])) return undefined;
  if (word === "import") {
    if (called) return after;
    if (!isStatement(tokens, at)) return undefined;
    if (next?.kind === "string") return next;
    return fromIn(tokens, at + 1);
  }
  if (word !== "export" || !isStatement(tokens, at)) return undefined;
  const opens = next?.text === "type" ? after : next;
  return opens?.text === "{" || opens?.text === "*" ? fromIn(tokens, at + 1) : undefined;
}

/** The text after `from`, before anything that ends or is no list of names. */
function fromIn(tokens: readonly Token[], begin: number): Token | undefined {
  for (let at = begin; at < Math.min(tokens.length, begin + longest); at++) {
    const token = tokens[at];
    const next = tokens[at + 1];
    if (token?.kind === "word" && token.text === "from" && next?.kind === "string") return next;
    // Names may be texts: `import { "a b" as c } from "d"`.
    if (token?.kind === "sign" && !/[{},*]/.test(token.text)) return undefined;
  }
  return undefined;
}

/** At the beginning of a line, or after what ends a statement: not a word in the text of a tag. */
function isStatement(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (before === undefined || before.line < (tokens[at]?.line ?? 0)) return true;
  return before.kind === "sign" && /[;{}]/.test(before.text);
}

function isMember(token: Token | undefined): boolean {
  return token?.kind === "sign" && token.text === ".";
}

/** After these a slash begins a regular expression, though they are words. */
const beforePattern: ReadonlySet<string> = new Set(
  "return typeof case in of do else void delete throw new instanceof yield await default".split(
    " ",
  ),
);

class Lexer {
  readonly #text: string;
  readonly #found: Token[] = [];
  #at = 0;
  #line = 1;
  /** Braces that are open inside each `${` we are in. */
  readonly #templates: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  tokens(): readonly Token[] {
    while (this.#at < this.#text.length) this.#next();
    return this.#found;
  }

  #next(): void {
    const sign = this.#text[this.#at] ?? "";
    const two = this.#text.slice(this.#at, this.#at + 2);
    if (sign === "\n") this.#step();
    else if (/\s/.test(sign)) this.#at++;
    else if (two === "//") this.#skipTo("\n", 0);
    else if (two === "/*") this.#skipTo("*/", 2);
    else if (sign === '"' || sign === "'") this.#string(sign);
    else if (sign === "`") this.#template();
    else if (sign === "/" && this.#patternMay()) this.#pattern();
    else if (/[\p{L}\p{N}_$]/u.test(sign)) this.#word();
    else this.#sign(sign);
  }

  #step(): void {
    if (this.#text[this.#at] === "\n") this.#line++;
    this.#at++;
  }

  #skipTo(end: string, more: number): void {
    const found = this.#text.indexOf(end, this.#at + more);
    const stop = found < 0 ? this.#text.length : found + more;
    while (this.#at < stop) this.#step();
  }

  #push(kind: Token["kind"], text: string, line = this.#line): void {
    this.#found.push({ kind, text, line });
  }

  /** One that does not end on its line is none: an apostrophe in the text of a tag. */
  #string(quote: string): void {
    let at = this.#at + 1;
    let value = "";
    for (; at < this.#text.length && this.#text[at] !== quote; at++) {
      if (this.#text[at] === "\n") return this.#sign(quote);
      if (this.#text[at] === "\\") at++;
      value += this.#text[at] ?? "";
    }
    if (at >= this.#text.length) return this.#sign(quote);
    this.#push("string", value);
    this.#at = at + 1;
  }

  /** Without blanks it is a text like others; what stands in its blanks is code. */
  #template(): void {
    const line = this.#line;
    const begin = ++this.#at;
    while (this.#at < this.#text.length) {
      const sign = this.#text[this.#at];
      if (sign === "\\") this.#at++;
      else if (sign === "`") {
        this.#push("string", this.#text.slice(begin, this.#at), line);
        this.#at++;
        return;
      } else if (sign === "$" && this.#text[this.#at + 1] === "{") {
        this.#at += 2;
        this.#templates.push(0);
        this.#push("sign", "${");
        return;
      }
      this.#step();
    }
  }

  /** The rest of a template after one of its blanks: never a text that is a target. */
  #templateRest(): void {
    while (this.#at < this.#text.length) {
      const sign = this.#text[this.#at];
      if (sign === "\\") this.#at++;
      else if (sign === "`") {
        this.#at++;
        this.#push("sign", "`");
        return;
      } else if (sign === "$" && this.#text[this.#at + 1] === "{") {
        this.#at += 2;
        this.#templates.push(0);
        return;
      }
      this.#step();
    }
  }

  #patternMay(): boolean {
    const last = this.#found.at(-1);
    if (last === undefined) return true;
    if (last.kind === "string") return false;
    if (last.kind === "word") return beforePattern.has(last.text);
    return !/[)\]}`]/.test(last.text);
  }

  #pattern(): void {
    let inClass = false;
    let at = this.#at + 1;
    for (; at < this.#text.length; at++) {
      const sign = this.#text[at];
      if (sign === "\n") return this.#sign("/");
      if (sign === "\\") at++;
      else if (sign === "[") inClass = true;
      else if (sign === "]") inClass = false;
      else if (sign === "/" && !inClass) break;
    }
    this.#push("sign", ")");
    this.#at = at + 1;
  }

  #word(): void {
    const begin = this.#at;
    while (/[\p{L}\p{N}_$]/u.test(this.#text[this.#at] ?? "")) this.#at++;
    this.#push("word", this.#text.slice(begin, this.#at));
  }

  #sign(sign: string): void {
    this.#at++;
    const open = this.#templates.at(-1);
    if (open !== undefined && sign === "{") this.#templates[this.#templates.length - 1] = open + 1;
    if (open !== undefined && sign === "}") {
      if (open === 0) {
        this.#templates.pop();
        return this.#templateRest();
      }
      this.#templates[this.#templates.length - 1] = open - 1;
    }
    this.#push("sign", sign);
  }
}
