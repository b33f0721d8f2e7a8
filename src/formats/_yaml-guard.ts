// Watches YAML as it is lexed, before anything is built from it. `yaml` alone is not safe on
// hostile text: 100,000 nested brackets abort the whole process inside its regular expressions,
// a million stray brackets become a million errors with a stack each, and a million `---` as
// many documents.
import { Lexer } from "yaml";
import { type Message, msg } from "../core/messages.ts";
import { maxDepth } from "./_json-plain.ts";

/**
 * Time and memory grow with lexemes, not with bytes: 3 µs each, so that no file costs more than
 * a second. 32,000 plain keys are 224,000 lexemes. Lines and items are counted before anything
 * is lexed, since each makes several.
 */
export const maxLexemes = 250_000;
const maxLines = 64_000;

export class Refused {
  readonly text: Message;
  readonly offset: number;
  constructor(text: Message, offset: number) {
    this.text = text;
    this.offset = offset;
  }
}

/** The lexemes of a text, each safe to parse; throws Refused at the first that is not. */
export function* lexGuarded(text: string): Generator<string> {
  // oxlint-disable-next-line no-control-regex -- YAML forbids them, the lexer uses some as marks
  const control = text.search(/[\x00-\x08\x0b\x0c\x0e-\x1f]/);
  if (control >= 0)
    throw new Refused(msg("format.control_character", { code: codeOf(text, control) }), control);
  const crowd = offsetOfLine(text, maxLines);
  if (crowd >= 0) throw new Refused(msg("format.too_many_parts", { max: maxLines }), crowd);
  const guard = new Guard();
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    guard.see(lexeme);
    if (++count > maxLexemes)
      throw new Refused(msg("format.too_many_parts", { max: maxLexemes }), guard.offset);
    yield lexeme;
  }
}

// --- internal ---

/** Where the line or item with this number ends; -1 where there are fewer. */
function offsetOfLine(text: string, number: number): number {
  let seen = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code === 10 || code === 44) && ++seen >= number) return i;
  }
  return -1;
}

function codeOf(text: string, offset: number): string {
  return `U+${text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, "0")}`;
}

class Guard {
  offset = 0;
  private column = 0;
  private lineBegins = true;
  private flow = 0;
  private begun = false;
  private ended = false;
  private readonly indents: number[] = [];

  see(lexeme: string): void {
    const first = lexeme.charCodeAt(0);
    // The lexer marks document starts, flow ends and scalars by control characters of no width.
    if (lexeme.length === 1 && (first === 0x02 || first === 0x18 || first === 0x1f)) return;
    if (first !== 32 && first !== 10 && first !== 9 && first !== 35 && first !== 13) {
      this.document(lexeme);
      this.check(lexeme, lexeme[0] ?? "");
      this.lineBegins = false;
    }
    this.offset += lexeme.length;
    const lastBreak = lexeme.lastIndexOf("\n");
    if (lastBreak < 0) this.column += lexeme.length;
    else {
      this.column = lexeme.length - lastBreak - 1;
      this.lineBegins = true;
    }
  }

  /** One document, and no directive: `%YAML 1.1` would give `yes` and `0777` other meanings. */
  private document(lexeme: string): void {
    const atMargin = this.column === 0 && this.flow === 0;
    if (atMargin && lexeme.startsWith("%")) throw new Refused(msg("format.directive"), this.offset);
    if (this.ended || (this.begun && atMargin && lexeme === "---"))
      throw new Refused(msg("format.several_documents"), this.offset);
    if (atMargin && lexeme === "...") this.ended = true;
    this.begun = true;
  }

  private check(lexeme: string, first: string): void {
    if (first === "&" || (first === "*" && lexeme.length > 1))
      throw new Refused(msg("format.alias"), this.offset);
    if (first === "!")
      throw new Refused(msg("format.tag", { tag: lexeme.slice(0, 40) }), this.offset);
    if (lexeme === "[" || lexeme === "{") this.flow++;
    // A stray bracket must not buy depth for later.
    else if (lexeme === "]" || lexeme === "}") this.flow = Math.max(0, this.flow - 1);
    else if (this.flow === 0) this.indent(lexeme);
    // One line may look deeper than it is by its `:`; the tree itself is measured exactly later.
    if (this.flow + this.indents.length > maxDepth + 2)
      throw new Refused(msg("format.too_deep", { max: maxDepth }), this.offset);
  }

  /** In block style depth is columns: `- - - x`, `? ? ? x`, keys further and further right. */
  private indent(lexeme: string): void {
    const opens = lexeme === "-" || lexeme === "?" || lexeme === ":";
    if (!this.lineBegins && !opens) return;
    while ((this.indents.at(-1) ?? -1) > this.column) this.indents.pop();
    if ((this.indents.at(-1) ?? -1) < this.column) this.indents.push(this.column);
  }
}
