// From a JSON Schema to a small function that says yes or no: no complaint, no schema beside it. What
// ajv writes of the same schema is twenty times as long, and a hook that only looks pays for each line
// (docs/adr/0010). Where it says no, ajv's validator is loaded to say why; a test holds both to the
// same answer.
import { patterns } from "../../src/formats/patterns.ts";
import type { Schema } from "./compile.ts";

/** An ES module with one function, `default`. */
export function compileSound(schema: Schema): string {
  const writer = new Writer();
  const root = writer.functionOf(schema);
  return `${[helpers, ...writer.lines, `export default ${root};`].join("\n")}\n`;
}

// --- internal ---

/** Where a check has no use for one the bundler drops it. */
const helpers = [
  `import { isStamp, isUnit } from "../../usual.ts";`,
  `const isObject = (v) => typeof v === "object" && v !== null && !Array.isArray(v);`,
].join("\n");

const usual: Readonly<Record<string, string>> = {
  [patterns.time]: "isStamp",
  [patterns.unitId]: "isUnit",
};

/** Of what our schemas use; anything else stops the build. */
const known = new Set(
  `$schema title description type properties const enum pattern minimum maximum required
   additionalProperties items propertyNames minLength maxLength minItems maxItems default`.split(
    /\s+/,
  ),
);

class Writer {
  readonly lines: string[] = [];
  readonly #names = new Map<string, string>();

  /** The name of a function of one value; equal schemas share theirs. */
  functionOf(schema: Schema): string {
    return this.#named("f", `(v) => ${this.#conditions(schema, "v").join(" && ") || "true"}`);
  }

  #conditions(schema: Schema, v: string): string[] {
    for (const key of Object.keys(schema))
      if (!known.has(key)) throw new Error(`sound.ts does not know “${key}”`);
    const types = [schema["type"] ?? []].flat() as string[];
    const own = types.map((type) => this.#ofType(type, schema, v).join(" && "));
    const found = own.length > 1 ? [`(${own.map((one) => `(${one})`).join(" || ")})`] : own;
    if ("const" in schema) found.push(`${v} === ${JSON.stringify(schema["const"])}`);
    const values = schema["enum"] as unknown[] | undefined;
    if (values)
      found.push(`(${values.map((one) => `${v} === ${JSON.stringify(one)}`).join(" || ")})`);
    return found;
  }

  #ofType(type: string, schema: Schema, v: string): string[] {
    switch (type) {
      case "null":
        return [`${v} === null`];
      case "string":
        return [`typeof ${v} === "string"`, ...this.#ofText(schema, v)];
      case "boolean":
        return [`typeof ${v} === "boolean"`];
      case "integer":
        return [`Number.isInteger(${v})`, ...limits(schema, v, "minimum", "maximum")];
      case "number":
        return [`Number.isFinite(${v})`, ...limits(schema, v, "minimum", "maximum")];
      case "array":
        return [`Array.isArray(${v})`, ...this.#ofList(schema, v)];
      case "object":
        return [`isObject(${v})`, ...this.#ofObject(schema, v)];
      default:
        throw new Error(`sound.ts does not know the type “${type}”`);
    }
  }

  #ofText(schema: Schema, v: string): string[] {
    const { pattern } = schema as { pattern?: string };
    const length = limits(schema, `${v}.length`, "minLength", "maxLength");
    if (pattern === undefined) return length;
    // The same blanks are trimmed that the pattern knows.
    if (pattern === patterns.filled) return [...length, `${v}.trim() !== ""`];
    const fits = `${this.#named("p", String(new RegExp(pattern, "u")))}.test(${v})`;
    const quick = usual[pattern];
    return [...length, quick ? `(${quick}(${v}) || ${fits})` : fits];
  }

  #ofList(schema: Schema, v: string): string[] {
    const length = limits(schema, `${v}.length`, "minItems", "maxItems");
    const { items } = schema as { items?: Schema };
    if (items === undefined || isFree(items)) return length;
    return [...length, `${v}.every(${this.functionOf(items)})`];
  }

  #ofObject(schema: Schema, v: string): string[] {
    const properties = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
    const required = new Set((schema["required"] ?? []) as string[]);
    const found: string[] = [];
    for (const [key, part] of properties) {
      const at = `${v}[${JSON.stringify(key)}]`;
      const fits = isFree(part) ? "true" : `${this.functionOf(part)}(${at})`;
      if (required.delete(key)) found.push(isFree(part) ? `${at} !== undefined` : fits);
      else if (!isFree(part)) found.push(`(${at} === undefined || ${fits})`);
    }
    for (const key of required) found.push(`${v}[${JSON.stringify(key)}] !== undefined`);
    return [
      ...found,
      ...this.#ofOthers(
        schema,
        properties.map(([key]) => key),
        v,
      ),
    ];
  }

  /** Keys that are not named, and what stands there. */
  #ofOthers(schema: Schema, named: readonly string[], v: string): string[] {
    const { additionalProperties: more = {}, propertyNames: names } = schema as {
      additionalProperties?: Schema | boolean;
      propertyNames?: Schema;
    };
    const free = more === true || (typeof more === "object" && isFree(more));
    const parts = [
      ...(names === undefined ? [] : [`${this.functionOf(names)}(k)`]),
      ...(free ? [] : [this.#ofOther(more, named, v)]),
    ];
    return parts.length === 0 ? [] : [`Object.keys(${v}).every((k) => ${parts.join(" && ")})`];
  }

  #ofOther(more: Schema | boolean, named: readonly string[], v: string): string {
    const fits = typeof more === "object" ? `${this.functionOf(more)}(${v}[k])` : "false";
    return named.length === 0 ? fits : `(${JSON.stringify(named)}.includes(k) || ${fits})`;
  }

  #named(prefix: string, code: string): string {
    let name = this.#names.get(code);
    if (name === undefined) {
      name = `${prefix}${this.#names.size}`;
      this.#names.set(code, name);
      this.lines.push(`const ${name} = ${code};`);
    }
    return name;
  }
}

function isFree(schema: Schema): boolean {
  return Object.keys(schema).every((key) => key === "description" || key === "title");
}

function limits(schema: Schema, v: string, least: string, most: string): string[] {
  return [
    ...(least in schema ? [`${v} >= ${String(schema[least])}`] : []),
    ...(most in schema ? [`${v} <= ${String(schema[most])}`] : []),
  ];
}
