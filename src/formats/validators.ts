// The door to what the build generated: typed here, because generated code has no types.
import type { FormatName } from "./registry.ts";
import * as generated from "./generated/index.js";

/** As ajv writes it: the complaints of the last call hang on the function. */
export interface Validator {
  (document: unknown): boolean;
  errors?: readonly unknown[] | null;
}

type Loaders = Readonly<Record<FormatName, () => Promise<{ readonly default: Validator }>>>;

export async function loadValidator(name: FormatName): Promise<Validator> {
  return (await (generated.first as Loaders)[name]()).default;
}

export async function loadAllErrors(name: FormatName): Promise<Validator> {
  return (await (generated.all as Loaders)[name]()).default;
}

/** The JSON Schemas, as editors take them. */
export async function loadJsonSchemas(): Promise<Readonly<Record<FormatName, object>>> {
  return (await generated.schemas()).default as Readonly<Record<FormatName, object>>;
}
