// YAML documents: a guarded reader on top of `yaml`, which alone is not safe on hostile text:
// 100,000 nested brackets abort the whole process inside its regular expressions, and its own
// duplicate check is quadratic (32,000 keys take 8 s). So the tokens are watched as they are
// lexed, before anything is built from them, and keys are compared here.
import {
  Composer,
  Document,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  isMap,
  isScalar,
  isSeq,
} from "yaml";
import { type Message, msg } from "../core/messages.ts";
import { maxDepth, survives } from "./_json-scan.ts";
import { type Parsed, type Place, placeAt } from "./_text.ts";
import { type Finding, stepsOf } from "./format.ts";

export function parseYaml(text: string): Parsed {
  const read = readYaml(text);
  return read.ok ? { ok: true, value: read.value } : read;
}

export type YamlRead =
  | { readonly ok: true; readonly value: unknown; readonly root: Node | null }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** As parseYaml, with the tree and its source ranges for edits. */
export function readYaml(text: string): YamlRead {
  try {
    const root = compose(text);
    return { ok: true, value: plain(root, 0), root };
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    const finding = { level: "error" as const, pointer: "", text: thrown.text };
    return { ok: false, findings: [{ ...finding, ...placeAt(text, thrown.offset) }] };
  }
}

/** A new document. Small maps of scalars stay on one line: `cp-1: { status: pending, iteration: 0 }`. */
export function printYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  dress(document.contents, 0);
  return document.toString({ lineWidth: 0 });
}

/** Line and column of each pointer; for a missing field, of the nearest parent that exists. */
export function locateYaml(text: string, pointers: readonly string[]): Map<string, Place> {
  const read = readYaml(text);
  const root = read.ok ? read.root : null;
  return new Map(
    pointers.map((pointer) => [pointer, placeAt(text, offsetOf(root, stepsOf(pointer)))]),
  );
}

export function keyText(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  const value = key.value;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}

/**
 * The looks of what we write: maps of scalars two levels down or more stay on one line, and
 * times are quoted as the sources do (a YAML 1.1 reader would turn a bare one into a date).
 */
export function dress(node: unknown, depth: number): void {
  if (isMap(node)) {
    if (depth >= 2 && node.items.length > 0 && node.items.every((pair) => isScalar(pair.value)))
      node.flow = true;
    for (const pair of node.items) dress(pair.value, depth + 1);
  } else if (isSeq(node)) {
    // Items of a list keep their lines: contracts read better so.
    for (const item of node.items) dress(item, isMap(item) ? 0 : depth + 1);
  } else if (
    isScalar(node) &&
    typeof node.value === "string" &&
    /^\d{4}-\d\d-\d\d/.test(node.value)
  ) {
    node.type = "QUOTE_DOUBLE";
  }
}

// --- internal ---

class Refused {
  readonly text: Message;
  readonly offset: number;
  constructor(text: Message, offset: number) {
    this.text = text;
    this.offset = offset;
  }
}

function compose(text: string): Node | null {
  const lines = new LineCounter();
  const parser = new Parser(lines.addNewLine);
  const guard = new TokenGuard();
  const tokens = [];
  for (const lexeme of new Lexer().lex(text)) {
    guard.see(lexeme);
    tokens.push(...parser.next(lexeme));
  }
  tokens.push(...parser.end());
  const documents = [
    ...new Composer({ uniqueKeys: false, merge: false, prettyErrors: false }).compose(tokens),
  ];
  const [document, second] = documents;
  const bad = document?.errors[0] ?? second?.errors[0];
  if (bad)
    throw new Refused(msg("format.not_yaml", { detail: firstLine(bad.message) }), bad.pos[0]);
  if (second) throw new Refused(msg("format.several_documents"), second.range[0]);
  return document?.contents ?? null;
}

function firstLine(message: string): string {
  return message.split("\n")[0] ?? message;
}

/** Refuses aliases, anchors, tags and depth at the first token that shows them. */
class TokenGuard {
  private offset = 0;
  private column = 0;
  private flow = 0;
  private readonly indents: number[] = [];

  see(lexeme: string): void {
    const first = lexeme.charCodeAt(0);
    // The lexer marks document ends and scalars by control characters of no width.
    if (lexeme.length === 1 && (first === 0x02 || first === 0x18 || first === 0x1f)) return;
    this.check(lexeme, lexeme[0] ?? "");
    this.offset += lexeme.length;
    const lastBreak = lexeme.lastIndexOf("\n");
    this.column = lastBreak < 0 ? this.column + lexeme.length : lexeme.length - lastBreak - 1;
  }

  private check(lexeme: string, first: string): void {
    if (first === " " || first === "\n" || first === "\t" || first === "#" || first === "\r")
      return;
    if (first === "&" || (first === "*" && lexeme.length > 1))
      throw new Refused(msg("format.alias"), this.offset);
    if (first === "!")
      throw new Refused(msg("format.tag", { tag: lexeme.slice(0, 40) }), this.offset);
    if (lexeme === "[" || lexeme === "{") this.flow++;
    else if (lexeme === "]" || lexeme === "}") this.flow--;
    else if (this.flow <= 0) this.indent();
    if (this.flow + this.indents.length > maxDepth)
      throw new Refused(msg("format.too_deep", { max: maxDepth }), this.offset);
  }

  /** In block style depth is columns: `- - - x` and keys further and further to the right. */
  private indent(): void {
    while ((this.indents.at(-1) ?? -1) > this.column) this.indents.pop();
    if ((this.indents.at(-1) ?? -1) < this.column) this.indents.push(this.column);
  }
}

/** The tree as plain data; maps get own keys only, so that none can reach a prototype. */
function plain(node: unknown, depth: number): unknown {
  if (node === null || node === undefined) return null;
  const offset = (node as Node).range?.[0] ?? 0;
  if (depth > maxDepth) throw new Refused(msg("format.too_deep", { max: maxDepth }), offset);
  if (isMap(node)) {
    const map: Record<string, unknown> = {};
    const seen = new Set<string>();
    for (const { key, value } of node.items) {
      const name = checkedKey(key, seen, offset);
      map[name] = plain(value, depth + 1);
    }
    return map;
  }
  if (isSeq(node)) return node.items.map((item) => plain(item, depth + 1));
  if (isScalar(node)) return scalar(node.value, node.source ?? "", offset);
  throw new Refused(msg("format.alias"), offset);
}

function checkedKey(key: unknown, seen: Set<string>, mapOffset: number): string {
  const offset = (key as Node | null)?.range?.[0] ?? mapOffset;
  const name = keyText(key);
  if (name === undefined) throw new Refused(msg("format.key_not_text"), offset);
  if (name === "<<") throw new Refused(msg("format.alias"), offset);
  if (name === "__proto__") throw new Refused(msg("format.forbidden_key", { key: name }), offset);
  if (seen.has(name)) throw new Refused(msg("format.duplicate_key", { key: name }), offset);
  seen.add(name);
  return name;
}

function scalar(value: unknown, source: string, offset: number): unknown {
  if (typeof value === "bigint")
    throw new Refused(msg("format.lossy_number", { token: source }), offset);
  if (typeof value === "number") {
    const decimal = /^[-+]?[\d.]/.test(source) && !/^[-+]?0[xo]/.test(source);
    const kept = decimal ? survives(source.replace("+", "")) : Number.isSafeInteger(value);
    if (!kept)
      throw new Refused(msg("format.lossy_number", { token: source.slice(0, 40) }), offset);
  }
  return value;
}

function offsetOf(root: Node | null, steps: readonly string[]): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const step of steps) {
    if (isMap(node)) {
      const pair = node.items.find((item) => keyText(item.key) === step);
      if (!pair) return offset;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = (node as Node | undefined)?.range?.[0] ?? offset;
    } else return offset;
  }
  return offset;
}
