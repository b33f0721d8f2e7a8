// Every place of every fixture, broken in every way that its JSON Schema knows: each document
// with one fault must be refused, and the fault named by its exact place.
import { describe, expect, test } from "vitest";
import { type Fixture, newTask, own, seeds } from "../../test/fixtures/documents.ts";
import { languages, render } from "../core/messages.ts";
import { loadCodec } from "./codec.ts";
import { type Finding, pointerTo, stepsOf } from "./format.ts";
import { formats } from "./registry.ts";
import { loadJsonSchemas } from "./validators.ts";

// --- the mutations of a document ---

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: { readonly pattern?: string };
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
}

interface Mutation {
  readonly kind: string;
  /** Where the one fault is. */
  readonly pointer: string;
  readonly document: unknown;
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A copy with another value at a place; `undefined` takes the place away. */
function changed(document: unknown, pointer: string, value: unknown): unknown {
  const copy = structuredClone(document) as Fields;
  const steps = stepsOf(pointer);
  const last = steps.pop() ?? "";
  let inner = copy;
  for (const step of steps) inner = inner[step] as Fields;
  if (value === undefined) delete inner[last];
  else inner[last] = value;
  return copy;
}

function* mutationsOf(document: unknown, root: Schema): Generator<Mutation> {
  const todo: [Schema, unknown, string][] = [[root, document, ""]];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const [schema, value, pointer] = next;
    const to = (kind: string, wrong: unknown, place = pointer): Mutation => ({
      kind,
      pointer: place,
      document: changed(document, place, wrong),
    });
    if (pointer !== "") for (const [kind, wrong] of wrongValues(schema)) yield to(kind, wrong);
    if (Array.isArray(value)) {
      value.forEach((item, n) => todo.push([schema.items ?? {}, item, pointer + pointerTo(n)]));
    } else if (isFields(value)) {
      for (const [kind, key, wrong] of wrongKeys(schema, value))
        yield to(kind, wrong, pointer + pointerTo(key));
      for (const [key, item] of Object.entries(value))
        todo.push([schemaOf(schema, key), item, pointer + pointerTo(key)]);
    }
  }
}

function schemaOf({ properties = {}, additionalProperties: rest }: Schema, key: string): Schema {
  return properties[key] ?? (typeof rest === "object" ? rest : {});
}

const samples: Readonly<Record<string, readonly unknown[]>> = {
  null: [null],
  boolean: [true],
  number: [7, -1.5],
  string: ["7", "true"],
  array: [[], ["a"]],
  object: [{}, { a: 1 }],
};

function* wrongValues(schema: Schema): Generator<[kind: string, wrong: unknown]> {
  const types = [schema.type ?? []].flat();
  if (types.length > 0) {
    for (const [type, values] of Object.entries(samples)) {
      const fits = types.includes(type) || (type === "number" && types.includes("integer"));
      if (!fits) for (const value of values) yield ["type", value];
    }
    if (types.includes("integer")) yield ["type", 1.5];
  }
  if (schema.enum) yield* [["enum", "no such word"] as const, ["enum", ""] as const];
  if (schema.enum?.includes("pending")) yield ["enum", "PENDING"];
  if (schema.const !== undefined) yield ["const", "no such word"];
  if (typeof schema.const === "number") yield ["const", schema.const + 1];
  if (schema.pattern !== undefined) {
    const pattern = new RegExp(schema.pattern, "u");
    for (const wrong of ["", " ", "../../x", "a\nb", "/..", "\u0000"])
      if (!pattern.test(wrong)) yield ["pattern", wrong];
  }
  if (schema.minimum !== undefined) yield ["range", schema.minimum - 1];
  if (schema.maximum !== undefined) yield ["range", schema.maximum + 1];
  if (schema.exclusiveMinimum !== undefined) yield ["range", schema.exclusiveMinimum];
  if (schema.minItems) yield ["range", []];
}

function* wrongKeys(
  { required = [], additionalProperties: rest, propertyNames, properties }: Schema,
  value: Fields,
): Generator<[kind: string, key: string, value: unknown]> {
  for (const key of required) yield ["missing", key, undefined];
  if (rest === false) {
    yield ["unknown", "zz_unknown", 1];
    const [near] = Object.keys(properties ?? {});
    if (near !== undefined) yield ["unknown", `${near}s`, null];
    yield ["unknown", "constructor", {}];
  }
  const [entry] = Object.values(value);
  if (propertyNames?.pattern !== undefined && entry !== undefined)
    for (const key of ["", "no such id", "../x", "a/b~c"])
      if (!new RegExp(propertyNames.pattern, "u").test(key)) yield ["key", key, entry];
}

// --- what is said about them ---

const encoder = new TextEncoder();
const schemas = await loadJsonSchemas();
const counts: Record<string, number> = {};

function complaintsAbout(found: Finding): string[] {
  const { text, expected, got, level } = found;
  const complaints = level === "error" ? [] : [`level ${level}`];
  if (!expected) complaints.push("nothing expected");
  if (!got) complaints.push("nothing got");
  if (!found.line || !found.column) complaints.push("no line");
  for (const part of [text, expected, got])
    for (const language of languages) {
      const said = part ? render(language, part) : "";
      if (/\{\w+\}|undefined|\[object|null 또는 null/.test(said)) complaints.push(said);
    }
  return complaints;
}

/** How many mutations a fixture has. */
async function tryAll(fixture: Fixture): Promise<number> {
  let tried = 0;
  const codec = await loadCodec(fixture.format);
  const read = codec.read(fixture.bytes);
  if (!read.ok) throw new Error(`${fixture.path} does not read`);
  for (const { kind, pointer, document } of mutationsOf(read.value, schemas[fixture.format])) {
    const bytes = encoder.encode(codec.print(document as never));
    const broken = await codec.inspect(bytes);
    const title = `${kind} at ${pointer}`;
    const findings = broken.ok ? [] : broken.findings;
    // The quick reader says no as well, and about the same place.
    const quick = codec.read(bytes);
    const places = [findings, quick.ok ? [] : quick.findings].map((all) =>
      all.map((found) => found.pointer),
    );
    expect([title, ...places]).toEqual([title, [pointer], [pointer]]);
    expect([title, ...findings.flatMap(complaintsAbout)]).toEqual([title]);
    const place = formats[fixture.format].open ? "open" : "strict";
    counts[`${kind} (${place})`] = (counts[`${kind} (${place})`] ?? 0) + 1;
    tried++;
  }
  return tried;
}

describe("one fault, refused and named by its exact place", () => {
  for (const fixture of [...seeds, ...newTask, ...own])
    test(`S4.3 S3.7 in ${fixture.path}`, async () => {
      expect(await tryAll(fixture)).toBeGreaterThan(40);
    });

  test("S4.3 there are more than 6,000 such documents, of every kind", () => {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThan(6000);
    const kinds = new Set(Object.keys(counts).map((name) => name.split(" ")[0]));
    for (const kind of ["type", "missing", "enum", "const", "pattern", "range", "key"])
      expect(kinds).toContain(kind);
    expect(counts["unknown (strict)"]).toBeGreaterThan(50);
    expect(counts["unknown (open)"]).toBeUndefined();
  });
});
