// The door to what the build generated: typed here, because generated code has no types.
import type { FormatName } from "./registry.ts";
import * as generated from "./generated/index.js";

/** Of all formats: their schemas, and the code that reads and checks them. */
export const { rules } = generated;

/** As ajv writes it: the complaints of the last call hang on the function. */
export interface Validator {
  (document: unknown): boolean;
  errors?: readonly unknown[] | null;
}

/** Not yet the function: where parts are loaded when they are used (docs/adr/0012), few calls ever use it. */
export interface ValidatorModule {
  readonly default: Validator;
}

type Loaders = Readonly<Record<FormatName, () => Promise<ValidatorModule>>>;

export function loadValidator(name: FormatName): Promise<ValidatorModule> {
  return (generated.first as Loaders)[name]();
}

/** Yes or no; not every format has one. */
export async function loadSound(
  name: FormatName,
): Promise<((document: unknown) => boolean) | undefined> {
  return (await (generated.sound as Partial<Loaders>)[name]?.())?.default;
}

export function loadAllErrors(name: FormatName): Promise<ValidatorModule> {
  return (generated.all as Loaders)[name]();
}

/** The JSON Schemas, as editors take them. */
export async function loadJsonSchemas(): Promise<Readonly<Record<FormatName, object>>> {
  return (await generated.schemas()).default as Readonly<Record<FormatName, object>>;
}
