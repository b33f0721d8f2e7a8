// What a Java file imports, and what it names without: classes of its own package need no import, and
// a full name in the code needs none either.
import type { Import } from "./imports.ts";

export interface JavaUses {
  readonly imports: Import[];
  /** Every plain word of the code. */
  readonly words: ReadonlySet<string>;
}

export function usesOfJava(text: string): JavaUses {
  const imports: Import[] = [];
  const words = new Set<string>();
  let line = 1;
  let wanted: { line: number; name: string } | null = null;
  for (const [token] of text.matchAll(pieces)) {
    const isCode = !/^(?:\s|\/[/*]|"|')/.test(token);
    if (isCode && /^[\p{L}_$]/u.test(token)) {
      for (const word of token.split(".")) words.add(word.trim());
      const name = token.replace(/\s/g, "");
      if (token === "import") wanted = { line, name: "" };
      else if (wanted !== null && name !== "static") wanted.name = name;
      // A full name in the code: an import in all but its word.
      else if (wanted === null && fullName.test(name))
        imports.push({ target: name, names: [], line });
    } else if (isCode && token === ".*" && wanted !== null) wanted.name += ".*";
    else if (isCode && token === ";" && wanted !== null) {
      if (wanted.name !== "") imports.push({ target: wanted.name, names: [], line: wanted.line });
      wanted = null;
    }
    line += token.split("\n").length - 1;
  }
  return { imports, words };
}

// --- internal ---

/** Blanks, comments, text blocks, texts, signs in quotes; dotted names; all else sign by sign. */
const pieces =
  /\s+|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|"""[^]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|[\p{L}_$][\p{L}\p{N}_$]*(?:\s*\.\s*[\p{L}_$][\p{L}\p{N}_$]*)*|\.\*|[^]/gu;
const fullName = /^(?:[a-z][\w$]*\.){2,}[A-Z]/;
