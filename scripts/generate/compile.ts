// From a zod schema to JSON Schema and to a validator that is a plain function.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { z } from "zod";

export type Schema = Record<string, unknown>;

export const root = resolve(import.meta.dirname, "../..");

export function toJsonSchema(schema: z.ZodType): Schema {
  return flatten(z.toJSONSchema(schema, { target: "draft-7", io: "input" })) as Schema;
}

/** `allErrors` also keeps the schema beside each complaint, for “did you mean”. */
export function compile(schema: Schema, allErrors: boolean): string {
  const ajv = new Ajv({
    allErrors,
    verbose: allErrors,
    strict: true,
    allowUnionTypes: true,
    // Lengths in UTF-16 units: counting characters would need ajv's runtime.
    unicode: false,
    logger: false,
    code: { source: true, esm: true, lines: true, optimize: 2 },
  });
  const code = standalone.default(ajv, ajv.compile(schema));
  if (code.includes("require("))
    throw new Error("a validator needs ajv's runtime: use a pattern instead");
  return code;
}

export function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A module that loads `./{folder}/{name}.js` by name, and the types it lacks. */
export function writeIndex(
  file: string,
  tables: Readonly<Record<string, readonly string[]>>,
): void {
  const lines: string[] = [];
  for (const [folder, names] of Object.entries(tables)) {
    const loaders = names.map(
      (name) => `  ${JSON.stringify(name)}: () => import("./${folder}/${fileOf(name)}.js"),`,
    );
    lines.push(`export const ${folder} = {`, ...loaders, "};");
  }
  write(file, `${[...lines, 'export const schemas = () => import("./schemas.js");'].join("\n")}\n`);
  const types = Object.keys(tables).map(
    (folder) => `export const ${folder}: Record<string, Load>;`,
  );
  const load = "type Load = () => Promise<{ default: unknown; schema?: object }>;";
  write(
    file.replace(/\.js$/, ".d.ts"),
    `${[load, ...types, "export const schemas: Load;"].join("\n")}\n`,
  );
}

/** `task create` → `task-create`. */
export function fileOf(name: string): string {
  return name.replaceAll(" ", "-");
}

// --- internal ---

/**
 * `anyOf` of distinct types becomes one schema with several types. Same meaning (keywords for
 * objects say nothing about null), but a complaint inside keeps its exact place instead of
 * becoming “none of the branches fits”.
 */
function flatten(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(flatten);
  if (typeof schema !== "object" || schema === null) return schema;
  const mapped: Schema = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, flatten(value)]),
  );
  const branches = mapped["anyOf"];
  if (!Array.isArray(branches)) return mapped;
  const { anyOf: _, ...rest } = mapped;
  const types = branches.map((branch: Schema) => branch["type"]);
  if (types.some((type) => typeof type !== "string") || new Set(types).size < types.length)
    return mapped;
  const merged: Schema = Object.assign({}, ...branches, rest);
  if (Array.isArray(merged["enum"]) && types.includes("null"))
    merged["enum"] = [...merged["enum"], null];
  return { ...merged, type: types };
}
