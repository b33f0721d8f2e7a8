// What a Python file imports: statements at their beginning only, so that `raise … from e` and a text
// that looks like one are none. Lists in brackets and lines that go on count as one statement.
import type { Import } from "./imports.ts";

interface Token {
  readonly kind: "word" | "string" | "sign" | "end";
  readonly text: string;
  readonly line: number;
}

export function importsOfPython(text: string): Import[] {
  const tokens = tokensOf(text);
  const found: Import[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind !== "word") continue;
    const begins = isBeginning(tokens[at - 1]);
    if (token.text === "import" && begins) found.push(...plain(tokens, at));
    else if (token.text === "from" && begins) found.push(...from(tokens, at));
    else found.push(...dynamic(tokens, at));
  }
  return found;
}

// --- internal ---

function isBeginning(before: Token | undefined): boolean {
  return before === undefined || before.kind === "end" || /^[;:]$/.test(before.text);
}

/** `import a.b as c, d` */
function plain(tokens: readonly Token[], at: number): Import[] {
  const found: Import[] = [];
  for (let next = at + 1; ;) {
    const name = dotted(tokens, next);
    if (name.text !== "") found.push({ target: name.text, names: [], line: tokens[at]?.line ?? 0 });
    next = name.after;
    if (tokens[next]?.text === "as") next += 2;
    if (tokens[next]?.text !== ",") return found;
    next++;
  }
}

/** `from ..a import (b as c, d)` */
function from(tokens: readonly Token[], at: number): Import[] {
  const module = dotted(tokens, at + 1);
  if (tokens[module.after]?.text !== "import" || module.text === "") return [];
  const names: string[] = [];
  for (let next = module.after + 1; next < tokens.length; next++) {
    const token = tokens[next];
    if (token === undefined || token.kind === "end" || token.text === ";") break;
    if (token.text === "as") next++;
    else if (token.kind === "word" || token.text === "*") names.push(token.text);
  }
  return [{ target: module.text, names, line: tokens[at]?.line ?? 0 }];
}

/** `importlib.import_module("a.b")`, `__import__("a")` */
function dynamic(tokens: readonly Token[], at: number): Import[] {
  const [word, open, name] = tokens.slice(at, at + 3);
  const calls = word?.text === "import_module" || word?.text === "__import__";
  if (!calls || open?.text !== "(" || name?.kind !== "string") return [];
  return [{ target: name.text, names: [], line: word.line }];
}

function dotted(tokens: readonly Token[], at: number): { text: string; after: number } {
  let text = "";
  let after = at;
  for (; after < tokens.length; after++) {
    const token = tokens[after];
    const fits = token?.kind === "word" ? /(?:^|\.)$/.test(text) : token?.text === ".";
    if (token === undefined || !fits || token.text === "import" || token.text === "as") break;
    text += token.text;
  }
  return { text, after };
}

const piece =
  /(?<skip>[^\S\n]+|#[^\n]*|\\\r?\n)|(?<open>(?:[rRbBuUfFtT]{0,2})(?:"""|'''|"|'))|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<line>\n)|(?<sign>[^])/uy;

function tokensOf(text: string): Token[] {
  const found: Token[] = [];
  let [at, line, depth] = [0, 1, 0];
  while (at < text.length) {
    piece.lastIndex = at;
    const parts = piece.exec(text)?.groups ?? {};
    const { skip, open, word, sign = "" } = parts;
    if (open !== undefined) {
      const { value, end } = stringFrom(text, at + open.length, open.replace(/^[a-zA-Z]+/, ""));
      found.push({ kind: "string", text: value, line });
      line += linesIn(text, at, end);
      at = end;
    } else if (parts["line"] !== undefined) {
      if (depth === 0) found.push({ kind: "end", text: "", line });
      line++;
      at++;
    } else if (skip !== undefined) {
      line += linesIn(text, at, at + skip.length);
      at += skip.length;
    } else if (word !== undefined) {
      found.push({ kind: "word", text: word, line });
      at += word.length;
    } else {
      if (/[([{]/.test(sign)) depth++;
      if (/[)\]}]/.test(sign)) depth = Math.max(0, depth - 1);
      found.push({ kind: "sign", text: sign, line });
      at += Math.max(1, sign.length);
    }
  }
  return found;
}

function stringFrom(text: string, begin: number, quote: string): { value: string; end: number } {
  for (let at = begin; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text.startsWith(quote, at))
      return { value: text.slice(begin, at), end: at + quote.length };
    // One quote ends with its line, whatever comes: what follows is code again.
    else if (quote.length === 1 && text[at] === "\n") return { value: "", end: at };
  }
  return { value: "", end: text.length };
}

function linesIn(text: string, begin: number, end: number): number {
  let lines = 0;
  for (let at = begin; at < end; at++) if (text[at] === "\n") lines++;
  return lines;
}
