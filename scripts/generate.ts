// From the zod schemas: JSON Schema for people's editors, and validators compiled to plain
// functions, so that nothing at run time loads zod or ajv (docs/adr/0004).
//
//   src/formats/generated/first/{name}.js   stops at the first complaint: the hot path
//   src/formats/generated/all/{name}.js     collects all of them, with what is known: after a failure
//   src/formats/generated/schemas.js        every JSON Schema, for `holdfast schema`
//   src/formats/generated/index.js          loads them by name
//   dist/schemas/{name}.json                the same schemas as files of the package
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { z } from "zod";
import { render } from "../src/core/messages.ts";
import { type FormatName, formatNames, formats } from "../src/formats/registry.ts";
import { schemas } from "../src/formats/schemas.ts";

type Schema = Record<string, unknown>;

const root = resolve(import.meta.dirname, "..");
const folder = join(root, "src", "formats", "generated");

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
  if (types.some((type) => typeof type !== "string") || new Set(types).size < types.length) {
    throw new Error(`can not flatten: ${JSON.stringify(schema)}`);
  }
  const merged: Schema = Object.assign({}, ...branches, rest);
  if (Array.isArray(merged["enum"]) && types.includes("null"))
    merged["enum"] = [...merged["enum"], null];
  return { ...merged, type: types };
}

function jsonSchema(name: FormatName): Schema {
  const format = formats[name];
  const { $schema, ...body } = flatten(
    z.toJSONSchema(schemas[name](), { target: "draft-7", io: "input" }),
  ) as Schema;
  const description = `${render("en", format.title)} · ${format.path}`;
  return { $schema, title: `Holdfast ${name}`, description, ...body };
}

function compile(schema: Schema, allErrors: boolean): string {
  const ajv = new Ajv({
    allErrors,
    verbose: allErrors,
    strict: true,
    allowUnionTypes: true,
    code: { source: true, esm: true, lines: true, optimize: 2 },
  });
  const code = standalone.default(ajv, ajv.compile(schema));
  if (code.includes("require("))
    throw new Error("a validator needs ajv's runtime: use a pattern instead");
  return code;
}

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}

rmSync(folder, { recursive: true, force: true });
const all = Object.fromEntries(formatNames.map((name) => [name, jsonSchema(name)])) as Record<
  FormatName,
  Schema
>;
for (const name of formatNames) {
  write(`first/${name}.js`, compile(all[name], false));
  write(`all/${name}.js`, compile(all[name], true));
}
write("schemas.js", `export default ${JSON.stringify(all, null, 2)};\n`);
const loaders = (kind: string): string =>
  formatNames
    .map((name) => `  ${JSON.stringify(name)}: () => import("./${kind}/${name}.js"),`)
    .join("\n");
write(
  "index.js",
  `export const first = {\n${loaders("first")}\n};\nexport const all = {\n${loaders("all")}\n};\nexport const schemas = () => import("./schemas.js");\n`,
);
write(
  "index.d.ts",
  `type Load = () => Promise<{ default: unknown }>;\nexport const first: Record<string, Load>;\nexport const all: Record<string, Load>;\nexport const schemas: Load;\n`,
);
for (const name of formatNames) {
  const file = join(root, "dist", "schemas", `${name}.json`);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, `${JSON.stringify(all[name], null, 2)}\n`);
}
