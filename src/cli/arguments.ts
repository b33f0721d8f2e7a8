// From words on the command line to the input of an operation. The flags are not declared here:
// they are the fields of the operation's input schema, so that no door can lack one.
import { parseArgs } from "node:util";
import { closest } from "../core/closest.ts";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";

/** The part of a JSON Schema from which flags are made. */
export interface InputSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

export interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
}

/** Flags that every command takes (S7.2). */
export const commonFlags = {
  json: { type: "boolean" },
  cwd: { type: "string" },
  lang: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

export interface ParsedWords {
  readonly input: Record<string, unknown>;
  readonly common: { json?: boolean; cwd?: string; lang?: string; help?: boolean };
}

export const flagName = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `positional` are the fields that take the words without a flag. */
export function parseWords(
  words: readonly string[],
  schema: InputSchema,
  positional: string | readonly string[] | undefined,
): ParsedWords {
  const properties = schema.properties ?? {};
  const placed = placedFields(positional);
  const fields = Object.keys(properties).filter((field) => !placed.includes(field));
  const options = Object.fromEntries(
    fields.map((field) => [flagName(field), optionOf(properties[field] ?? {})]),
  );
  checkFlags(words, [...Object.keys(options), ...Object.keys(commonFlags)]);
  const { values, positionals } = parse(words, { ...commonFlags, ...options });
  const input: Record<string, unknown> = {};
  for (const field of fields) {
    const value = values[flagName(field)];
    if (value !== undefined) input[field] = typed(field, value, properties[field] ?? {});
  }
  takePositionals(positionals, placed, properties, input);
  return { input, common: values };
}

export function placedFields(positional: string | readonly string[] | undefined) {
  return [positional ?? []].flat();
}

// --- internal ---

type Options = Record<string, { type: "boolean" | "string"; short?: string; multiple?: boolean }>;

function optionOf({ type }: FieldSchema): Options[string] {
  if (type === "boolean") return { type: "boolean" };
  return type === "array" ? { type: "string", multiple: true } : { type: "string" };
}

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

interface Parsed {
  readonly values: Values;
  readonly positionals: readonly string[];
}

function parse(words: readonly string[], options: Options): Parsed {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (cause) {
    // What is left after checkFlags: a flag without its value, or a value for a switch.
    const detail = cause instanceof Error ? (cause.message.split(". ")[0] ?? "") : String(cause);
    throw new Fault("invalid_input", msg("cli.bad_flag", { detail }), {
      hint: msg("cli.see_help"),
      cause,
    });
  }
}

/** parseArgs would say that a flag is unknown, but not which one was meant. */
function checkFlags(words: readonly string[], known: readonly string[]): void {
  for (const word of words) {
    if (word === "--") return;
    const flag = /^--([^=]+)/.exec(word)?.[1];
    if (flag === undefined || known.includes(flag)) continue;
    const near = closest(flag, known);
    const hint = near ? msg("cli.did_you_mean", { word: `--${near}` }) : msg("cli.see_help");
    throw new Fault("invalid_input", msg("cli.unknown_flag", { flag }), { hint });
  }
}

function typed(field: string, value: unknown, { type }: FieldSchema): unknown {
  if (type !== "number" && type !== "integer") return value;
  const number = Number(value);
  if (value === "" || !Number.isFinite(number))
    throw new Fault(
      "invalid_input",
      msg("cli.not_a_number", { flag: flagName(field), value: String(value) }),
    );
  return number;
}

function takePositionals(
  words: readonly string[],
  fields: readonly string[],
  properties: Readonly<Record<string, FieldSchema>>,
  input: Record<string, unknown>,
): void {
  const last = fields.at(-1);
  const many = last !== undefined && properties[last]?.type === "array";
  const extra = words[fields.length];
  if (extra !== undefined && !many)
    throw new Fault("invalid_input", msg("cli.too_many_words", { word: extra }), {
      hint: msg("cli.see_help"),
    });
  for (const [place, field] of fields.entries()) {
    const word = words[place];
    if (word === undefined) return;
    input[field] = many && field === last ? words.slice(place) : word;
  }
}
