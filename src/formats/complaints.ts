// What a compiled validator found, as findings a person and an agent can act on: the exact
// place, what should stand there, what does.
import { closest } from "../core/closest.ts";
import { type Message, msg } from "../core/messages.ts";
import { type Finding, mostFindings, pointerTo, stepsOf } from "./format.ts";
import { patternText } from "./patterns.ts";

interface PropertySchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
}

/** The part of an ajv error that we read. */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The offending key, where the complaint is about a name and not a value. */
  readonly propertyName?: string;
  /** Only in the validators that collect all complaints. */
  readonly parentSchema?: { readonly properties?: Readonly<Record<string, PropertySchema>> };
}

export function findingsOf(
  errors: readonly SchemaError[],
  document: unknown,
  secrets: readonly string[] = [],
): Finding[] {
  const findings = new Map<string, Finding>();
  for (const found of errors) {
    // propertyNames reports the name's own complaint, and then itself: one is enough.
    if (found.keyword === "propertyNames") continue;
    const pointer = placeOf(found);
    // A number where a word of a list should be fails `type` and `enum`: the list says more.
    const saysMore = found.keyword === "enum" || found.keyword === "const";
    if (findings.has(pointer) && !saysMore) continue;
    findings.set(pointer, findingOf(found, pointer, document, secrets));
    if (findings.size >= mostFindings) break;
  }
  return [...findings.values()];
}

/** What stands there, in a few words. */
export function describe(value: unknown): Message {
  if (value === undefined) return msg("format.got.nothing");
  if (value === null) return msg("format.type.null");
  if (Array.isArray(value)) return msg("format.got.items", { count: value.length });
  if (typeof value === "object") return msg("format.type.object");
  const type = oneType(typeof value);
  return msg("format.got.value", {
    type,
    value: typeof value === "string" ? quote(value) : JSON.stringify(value),
  });
}

// --- internal ---

function placeOf({ instancePath, keyword, params, propertyName }: SchemaError): string {
  if (propertyName !== undefined) return instancePath + pointerTo(propertyName);
  if (keyword === "required") return instancePath + pointerTo(String(params["missingProperty"]));
  if (keyword === "additionalProperties")
    return instancePath + pointerTo(String(params["additionalProperty"]));
  return instancePath;
}

function findingOf(
  found: SchemaError,
  pointer: string,
  document: unknown,
  secrets: readonly string[],
): Finding {
  const expected = expectedOf(found);
  const value = found.propertyName ?? valueAt(document, pointer);
  const got = isSecret(pointer, value, secrets) ? hidden(value) : describe(value);
  return { level: "error", pointer, text: sentence(found, expected, got), expected, got };
}

function sentence(
  { keyword, params, parentSchema }: SchemaError,
  expected: Message,
  got: Message,
): Message {
  if (keyword === "required")
    return msg("format.missing", { field: String(params["missingProperty"]), expected });
  if (keyword !== "additionalProperties") return msg("format.mismatch", { expected, got });
  const field = String(params["additionalProperty"]);
  const known = Object.keys(parentSchema?.properties ?? {});
  const near = closest(field, known);
  return near === undefined
    ? msg("format.unknown", { field, known: known.join(", ") || "–" })
    : msg("format.unknown_closest", { field, closest: near });
}

function expectedOf({ keyword, params, parentSchema }: SchemaError): Message {
  switch (keyword) {
    case "type":
      return typeText(params["type"]);
    case "enum":
      return msg("format.expected.one_of", { values: list(params["allowedValues"]) });
    case "const":
      return msg("format.expected.exactly", { value: JSON.stringify(params["allowedValue"]) });
    case "pattern":
      return patternText(String(params["pattern"]));
    case "minimum":
      return msg("format.expected.at_least", { limit: String(params["limit"]) });
    case "maximum":
      return msg("format.expected.at_most", { limit: String(params["limit"]) });
    case "exclusiveMinimum":
      return msg("format.expected.above", { limit: String(params["limit"]) });
    case "minItems":
      return msg("format.expected.items", { limit: String(params["limit"]) });
    case "required":
      return schemaText(parentSchema?.properties?.[String(params["missingProperty"])]);
    case "additionalProperties":
      return msg("format.expected.absent");
    default:
      return msg("format.expected.something_else", { keyword });
  }
}

/** What a schema asks for, in a few words. */
function schemaText(schema: PropertySchema | undefined): Message {
  if (schema?.enum) return msg("format.expected.one_of", { values: list(schema.enum) });
  if (schema?.const !== undefined)
    return msg("format.expected.exactly", { value: JSON.stringify(schema.const) });
  if (schema?.pattern) return patternText(schema.pattern);
  return schema?.type ? typeText(schema.type) : msg("format.expected.anything");
}

function typeText(type: unknown): Message {
  const types = Array.isArray(type) ? type : [type];
  return types.map(oneType).reduce((one, other) => msg("format.type.or", { one, other }));
}

const typeNames = ["string", "number", "integer", "boolean", "null", "array", "object"] as const;

function oneType(type: unknown): Message {
  const name = typeNames.find((known) => known === type);
  return name
    ? msg(`format.type.${name}`)
    : msg("format.expected.something_else", { keyword: String(type) });
}

function list(values: unknown): string {
  return (Array.isArray(values) ? values : [values])
    .map((value) => (value === null ? "null" : String(value)))
    .join(" | ");
}

function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const step of stepsOf(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/**
 * A secret, something that stands where one should hang below, or an address anywhere in a
 * format that has secrets: a webhook pasted into the wrong field is one too (S2.3).
 */
function isSecret(pointer: string, value: unknown, secrets: readonly string[]): boolean {
  if (typeof value !== "string" || secrets.length === 0) return false;
  if (/:\/\/|slack/i.test(value)) return true;
  return secrets.some((secret) => secret === pointer || secret.startsWith(`${pointer}/`));
}

function hidden(value: unknown): Message {
  return msg("format.got.hidden", { type: oneType(typeof value) });
}

/** Short, on one line, and never a way to smuggle control characters to a terminal. */
function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
