// Large parts of a JSON document that are read when they are asked for. A step in a plan of 10,000 units
// looks at a few of them, and to parse all took longer than the rest of the call (docs/adr/0010).
//
// Who asks notices nothing: a part is a field like any other, parsed by its first reader and frozen. Who
// would ask without need can find out more: `lateAt` has the bytes of a part, `withFields` makes another
// version without reading what stays, and store/_document-print.ts takes its bytes over.
//
// Only of text that JSON.stringify has printed, with an indentation: there a line says by its indentation
// how deep it stands, as no text can hold a line end. So each part is found by a few native searches.
import { freeze, isNowFrozen } from "./frozen.ts";

/** By field, or for any of them (`*`): is it a part, or are some of its own fields? */
export interface LateFields {
  readonly [field: string]: true | LateFields;
}

export class Late {
  /** As it stands in the file, from bracket to bracket. */
  readonly bytes: Buffer;
  readonly indent: string;
  /** How many brackets it stands in. */
  readonly depth: number;
  /** Of a list that was made of another: of which, and what became of it. */
  readonly edit: Edit | undefined;
  /** Instead of itself: who holds the newest version need not hold them all. */
  readonly mark: object = {};
  #value: object | undefined;

  constructor(bytes: Buffer, indent: string, depth: number, edit?: Edit) {
    this.bytes = bytes;
    this.indent = indent;
    this.depth = depth;
    this.edit = edit;
  }

  get isRead(): boolean {
    return this.#value !== undefined;
  }

  read(): object {
    if (this.#value === undefined) {
      this.#value = parse(this.bytes) as object;
      freeze(this.#value);
      printed.set(this.#value, this);
    }
    return this.#value;
  }
}

export interface Edit {
  /** The mark of the list before. */
  readonly of: object;
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

/** A list of texts without some of them, and with others at its end. Undefined: it has to be read. */
export function editList(
  list: Late,
  gone: readonly string[],
  come: readonly string[],
): Late | undefined {
  const { bytes, indent, depth } = list;
  const item = (text: string): string => `\n${indent.repeat(depth + 1)}${JSON.stringify(text)}`;
  const last = Buffer.from(`\n${indent.repeat(depth)}]`);
  if (list.isRead || !isFlat(bytes)) return undefined;
  let body = bytes.subarray(1, Math.max(1, bytes.length - last.length));
  for (const text of gone) {
    const at = body.indexOf(item(text));
    const end = at + Buffer.byteLength(item(text));
    if (at < 0) return undefined;
    // With the comma behind it; the last one with the one before it.
    const isLast = end === body.length;
    const before = body.subarray(0, isLast ? Math.max(0, at - 1) : at);
    body = Buffer.concat([before, body.subarray(isLast ? end : end + 1)]);
  }
  const added = come.map(item).join();
  const comma = body.length > 0 && come.length > 0 ? "," : "";
  const isEmpty = body.length === 0 && come.length === 0;
  const parts = [
    Buffer.from("["),
    body,
    Buffer.from(comma + added),
    isEmpty ? Buffer.from("]") : last,
  ];
  return new Late(Buffer.concat(parts), indent, depth, { of: list.mark, gone, come });
}

/** No list or object in a list: so each item has a line. A text with a bracket may as well be one. */
export function isFlat(list: Buffer): boolean {
  return list[0] === 0x5b && !list.includes(0x5b, 1) && !list.includes(0x7b, 1);
}

/** Undefined: not as we print it, and to be parsed as a whole. */
export function readLate(file: Uint8Array, late: LateFields): object | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  const indent = /^\{\n([ \t]{1,10})"/.exec(bytes.toString("latin1", 0, 16))?.[1];
  if (indent === undefined || bytes.toString("latin1", bytes.length - 3) !== "\n}\n")
    return undefined;
  const made = objectAt(bytes, 0, indent, 0, late);
  return made?.end === bytes.length - 1 ? made.value : undefined;
}

/** The part that this field is; undefined: it is no late one. */
export function lateAt(whole: unknown, field: string): Late | undefined {
  return isObject(whole) ? lates.get(whole)?.get(field) : undefined;
}

/** Is anything in it late? */
export function hasLate(whole: object): boolean {
  return holding.has(whole);
}

/** The part that was read as this. */
export function lateOf(value: object): Late | undefined {
  return printed.get(value);
}

/** Of a document with late parts, how it is indented. */
export function lateIndent(whole: unknown): string | undefined {
  return isObject(whole) ? indents.get(whole) : undefined;
}

/** The very same in both? False where that is not known without reading it. */
export function isSameField(one: object, other: object, field: string): boolean {
  const [a, b] = [lateAt(one, field), lateAt(other, field)];
  if (a !== undefined || b !== undefined) return a === b;
  return (one as Fields)[field] === (other as Fields)[field];
}

/** As `{ ...whole, ...fields }`, without reading what is late; `edited`: fields that still are. */
export function withFields<T extends object>(
  whole: T,
  fields: Partial<T>,
  edited: ReadonlyMap<string, Late> = noEdits,
): T {
  const parts = lates.get(whole);
  if (parts === undefined) return { ...whole, ...fields };
  const made: Fields = {};
  const kept = new Map<string, Late>();
  for (const name of Object.keys(whole)) {
    const late = Object.hasOwn(fields, name) ? undefined : (edited.get(name) ?? parts.get(name));
    if (late) addLate(made, kept, name, late);
    else made[name] = (Object.hasOwn(fields, name) ? fields : whole)[name as keyof T];
  }
  for (const name of Object.keys(fields)) if (!(name in made)) made[name] = fields[name as keyof T];
  return finished(made, kept, indents.get(whole)) as T;
}

// --- internal ---

type Fields = Record<string, unknown>;

/** Smaller ones are parsed faster than they are kept apart. */
const worthWaiting = 1024;
const [newline, quote, comma, colon, brace] = [0x0a, 0x22, 0x2c, 0x3a, 0x7b];
const closing: Readonly<Record<number, string>> = { 0x5b: "]", 0x7b: "}" };

const noEdits: ReadonlyMap<string, Late> = new Map();
const holding = new WeakSet<object>();
const lates = new WeakMap<object, ReadonlyMap<string, Late>>();
const indents = new WeakMap<object, string>();
const printed = new WeakMap<object, Late>();

/** An object that begins at its brace, so deep inside. */
function objectAt(
  bytes: Buffer,
  begin: number,
  indent: string,
  depth: number,
  fields: LateFields,
): { readonly value: object; readonly end: number } | undefined {
  const line = `\n${indent.repeat(depth + 1)}`;
  const made: Fields = {};
  const parts = new Map<string, Late>();
  for (let at = begin; ;) {
    const name = at + 1 + line.length;
    const after = bytes.indexOf(quote, name + 1);
    const key = bytes.toString("utf8", name + 1, after);
    const from = after + 3;
    const end = endOf(bytes, from, line);
    if (bytes[name] !== quote || bytes[after + 1] !== colon || key.includes("\\") || end < from)
      return undefined;
    const long = end - from >= worthWaiting && closing[bytes[from] ?? 0] !== undefined;
    const late = long ? (fields[key] ?? fields["*"]) : undefined;
    if (late === true) {
      addLate(made, parts, key, new Late(bytes.subarray(from, end), indent, depth + 1));
    } else if (late === undefined || bytes[from] !== brace)
      made[key] = parse(bytes.subarray(from, end));
    else {
      const inner = objectAt(bytes, from, indent, depth + 1, late);
      if (inner?.end !== end) return undefined;
      made[key] = inner.value;
    }
    if (bytes[end] === comma) at = end;
    else
      return { value: finished(made, parts, indent), end: end + line.length - indent.length + 1 };
  }
}

/** Behind a value that begins here, in an object whose fields begin with `line`; -1: it has no end. */
function endOf(bytes: Buffer, from: number, line: string): number {
  const close = closing[bytes[from] ?? 0];
  if (close === undefined) {
    const end = bytes.indexOf(newline, from);
    return bytes[end - 1] === comma ? end - 1 : end;
  }
  if (bytes[from + 1] === close.charCodeAt(0)) return from + 2;
  const last = bytes.indexOf(line + close, from, "latin1");
  return last < 0 ? -1 : last + line.length + 1;
}

function addLate(to: Fields, parts: Map<string, Late>, name: string, late: Late): void {
  Object.defineProperty(to, name, { get: () => late.read(), enumerable: true });
  parts.set(name, late);
}

/** Frozen here: to look into every field would read it. */
function finished(made: Fields, parts: Map<string, Late>, indent: string | undefined): object {
  if (parts.size > 0) holding.add(made);
  for (const name of Object.keys(made)) {
    if (parts.has(name)) continue;
    const part = made[name];
    freeze(part);
    if (isObject(part) && holding.has(part)) holding.add(made);
  }
  Object.freeze(made);
  isNowFrozen(made);
  lates.set(made, parts);
  if (indent !== undefined) indents.set(made, indent);
  return made;
}

function parse(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString("utf8"));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
