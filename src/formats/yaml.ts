// YAML documents: a guarded reader on top of `yaml` (_yaml-guard.ts says why). Keys are compared
// here: the library's own duplicate check is quadratic (32,000 keys take 8 s).
import { type CST, Composer, Document, type Node, Parser, isMap, isScalar, isSeq } from "yaml";
import { msg } from "../core/messages.ts";
import { maxDepth } from "./_json-plain.ts";
import { survives } from "./_json-scan.ts";
import { type Parsed, type Place, isBroken, placeAt, placesOf, wellFormed } from "./_text.ts";
import { Refused, lexGuarded } from "./_yaml-guard.ts";
import { type Finding, stepsOf } from "./format.ts";

export function parseYaml(text: string): Parsed {
  const read = readYaml(text);
  return read.ok ? { ok: true, value: read.value } : read;
}

export type YamlRead =
  | { readonly ok: true; readonly value: unknown; readonly root: Node | null }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** As parseYaml, with the tree and its source ranges for edits. */
export function readYaml(text: string, options: { keepSourceTokens?: boolean } = {}): YamlRead {
  try {
    const root = compose(text, options);
    return { ok: true, value: plain(root, 0), root };
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    const finding = { level: "error" as const, pointer: "", text: thrown.text };
    return { ok: false, findings: [{ ...finding, ...placeAt(text, thrown.offset) }] };
  }
}

/** A new document. Small maps of scalars stay on one line: `cp-1: { status: pending, iteration: 0 }`. */
export function printYaml(value: unknown): string {
  const document = new Document(wellFormed(value), { aliasDuplicateObjects: false });
  dress(document.contents, 0);
  return document.toString({ lineWidth: 0 });
}

/** Line and column of each pointer; for a missing field, of the nearest parent that exists. */
export function locateYaml(text: string, pointers: readonly string[]): Map<string, Place> {
  const read = readYaml(text);
  const root = read.ok ? read.root : null;
  return placesOf(
    text,
    pointers,
    pointers.map((pointer) => offsetOf(root, stepsOf(pointer))),
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
    for (const pair of node.items) {
      if (isScalar(pair.key) && wantsQuotes(String(pair.key.value))) pair.key.type = "QUOTE_DOUBLE";
      dress(pair.value, depth + 1);
    }
  } else if (isSeq(node)) {
    // Items of a list keep their lines: contracts read better so.
    for (const item of node.items) dress(item, isMap(item) ? 0 : depth + 1);
  } else if (isScalar(node) && typeof node.value === "string" && wantsQuotes(node.value)) {
    node.type = "QUOTE_DOUBLE";
  }
}

// --- internal ---

/** Times, as above; and what no other style can hold: all control signs but line breaks. */
function wantsQuotes(text: string): boolean {
  return /^\d{4}-\d\d-\d\d|(?!\n)\p{C}|[\u2028\u2029]/u.test(text);
}

function compose(text: string, options: { keepSourceTokens?: boolean }): Node | null {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const collect = (found: Iterable<CST.Token>): void => {
    for (const token of found) {
      // One complaint is enough: a million of them would cost a stack trace each.
      if (token.type === "error") throw notYaml(token.offset, token.message);
      tokens.push(token);
    }
  };
  for (const lexeme of lexGuarded(text)) collect(parser.next(lexeme));
  collect(parser.end());
  const off = { uniqueKeys: false, merge: false, prettyErrors: false };
  const composer = new Composer({ ...options, ...off });
  Object.assign(composer, { onError: refuseFirst() });
  const [document, second] = [...composer.compose(tokens)];
  const bad = document?.errors[0] ?? second?.errors[0];
  if (bad) throw notYaml(bad.pos[0], bad.message);
  if (second) throw new Refused(msg("format.several_documents"), second.range[0]);
  return document?.contents ?? null;
}

type ErrorSource = number | readonly number[] | { readonly offset: number };

/**
 * In place of the composer's own collector of errors. The composer catches what is thrown at
 * it and reports that again: so the first is kept.
 */
function refuseFirst(): (s: ErrorSource, code: string, text: string, warn?: boolean) => void {
  let first: Refused | undefined;
  return (source, _code, text, isWarning) => {
    if (isWarning === true) return;
    const at = typeof source === "object" && "offset" in source ? source.offset : source;
    first ??= notYaml(typeof at === "number" ? at : (at[0] ?? 0), text);
    throw first;
  };
}

function notYaml(offset: number, message: string): Refused {
  const detail = message.split("\n")[0] ?? message;
  return new Refused(msg("format.not_yaml", { detail }), offset);
}

/** The tree as plain data; maps get own keys only, so that none can reach a prototype. */
function plain(node: unknown, depth: number): unknown {
  if (node === null || node === undefined) return null;
  const offset = (node as Node).range?.[0] ?? 0;
  if (depth >= maxDepth && !isScalar(node))
    throw new Refused(msg("format.too_deep", { max: maxDepth }), offset);
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
  if (name !== undefined && isBroken(name)) throw new Refused(msg("format.lone_surrogate"), offset);
  if (name === undefined) throw new Refused(msg("format.key_not_text"), offset);
  if (name === "<<") throw new Refused(msg("format.alias"), offset);
  if (name === "__proto__") throw new Refused(msg("format.forbidden_key", { key: name }), offset);
  if (seen.has(name)) throw new Refused(msg("format.duplicate_key", { key: name }), offset);
  seen.add(name);
  return name;
}

function scalar(value: unknown, source: string, offset: number): unknown {
  if (typeof value === "string" && isBroken(value))
    throw new Refused(msg("format.lone_surrogate"), offset);
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
