// A change somebody else made to one of our documents: what is different, and is it a step that a
// person may take (S5.3)? Settings, comments, fields of their own and what a format names
// (`failed` → `completed`) may be changed by hand; the engine's own words may not.
import { type Message, msg } from "../core/messages.ts";
import { type Format, pointerTo, stepsOf } from "../formats/format.ts";
import type { FormatName } from "../formats/registry.ts";
import { loadJsonSchemas } from "../formats/validators.ts";

export interface Difference {
  readonly pointer: string;
  /** undefined: not there. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Lists are compared as a whole: where an entry went can not be told from places. */
export function differencesOf(before: unknown, after: unknown, at = ""): Difference[] {
  if (isFields(before) && isFields(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => differencesOf(before[key], after[key], at + pointerTo(key)));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ pointer: at, before, after }];
}

/** True, or what is refused. A document whose values are all the same differs in comments only. */
export async function mayPerson(
  format: Format,
  name: FormatName,
  before: unknown,
  after: unknown,
  differences: readonly Difference[],
): Promise<true | Message> {
  if (differences.length === 0) return true;
  if (before === undefined) return msg("foreign.nothing_to_compare");
  const schema = (await loadJsonSchemas())[name] as Schema;
  for (const { pointer } of differences) {
    const own = format.open && !isKnown(schema, stepsOf(pointer));
    if (!own && !format.personMay?.(pointer, before, after))
      return format.notByHand?.(pointer) ?? msg("foreign.not_by_hand", { pointer });
  }
  return true;
}

/** For people and the journal: short, and without secrets. */
export function shown(differences: readonly Difference[], secrets: readonly string[]): string {
  const lines = differences.slice(0, 10).map(({ pointer, before, after }) => {
    if (secrets.some((secret) => secret === pointer || secret.startsWith(`${pointer}/`)))
      return `${pointer}: (hidden)`;
    return `${pointer}: ${short(before)} → ${short(after)}`;
  });
  if (differences.length > lines.length) lines.push(`… ${differences.length - lines.length} more`);
  return lines.length === 0 ? "(comments)" : lines.join("; ");
}

// --- internal ---

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Does the schema have a word for this place? */
function isKnown(schema: Schema, steps: readonly string[]): boolean {
  let at: Schema = schema;
  for (const step of steps) {
    const property = at.properties?.[step];
    if (property) at = property;
    else if (
      typeof at.additionalProperties === "object" &&
      Object.keys(at.additionalProperties).length > 0
    )
      at = at.additionalProperties;
    else return at.properties === undefined;
  }
  return true;
}

function short(value: unknown): string {
  if (value === undefined) return "–";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
