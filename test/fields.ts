// Is a field used by anybody? It is if what programs, people or agents get to see is another where the
// field says something else. For tests of formats as wholes: a field that is written and never used is
// a promise to nobody.
import { loadJsonSchemas } from "../src/formats/validators.ts";
import type { FormatName } from "../src/formats/registry.ts";

export type Path = readonly (string | number)[];

/** Every value that holds no other, with its way there. */
export function leavesOf(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** The same, with another word in this place. */
export function otherwise<T>(document: T, path: Path): T {
  const copy = structuredClone(document);
  let at = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
  const last = path.at(-1) ?? "";
  at[last] = another(at[last]);
  return copy;
}

/** `/tasks/T1/name` as the schema calls it: names that are data become `*`. */
export async function fieldsOf(format: FormatName): Promise<Set<string>> {
  const root = (await loadJsonSchemas())[format] as Schema;
  const found = new Set<string>();
  const walk = (node: Schema, path: string): void => {
    if (node.$ref !== undefined) {
      const parts = node.$ref.split("/").slice(1);
      return walk(
        parts.reduce<Schema>((at, key) => at[key] as Schema, root),
        path,
      );
    }
    for (const one of [...(node.anyOf ?? []), ...(node.allOf ?? []), ...(node.oneOf ?? [])])
      walk(one, path);
    for (const [name, inner] of Object.entries(node.properties ?? {})) {
      found.add(`${path}/${name}`);
      walk(inner, `${path}/${name}`);
    }
    if (typeof node.items === "object") walk(node.items, `${path}/*`);
    if (typeof node.additionalProperties === "object") walk(node.additionalProperties, `${path}/*`);
  };
  walk(root, "");
  return found;
}

/** The fields of a format on the way to a value: those whose names the schema knows. */
export function fieldOf(path: Path, fields: ReadonlySet<string>): string {
  let name = "";
  for (const key of path) {
    const known = `${name}/${key}`;
    if (fields.has(known)) name = known;
    else if (fields.has(name) && ![...fields].some((each) => each.startsWith(`${name}/*/`)))
      return name;
    else name = `${name}/*`;
  }
  return name.replace(/(?:\/\*)+$/, "");
}

// --- internal ---

interface Schema {
  readonly [key: string]: unknown;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema | boolean;
  readonly additionalProperties?: Schema | boolean;
}

function another(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return "other";
  // A later day of the same form.
  if (/^\d{4}-\d\d-\d\d/.test(value)) return value.replace(/^\d{4}/, "2031");
  return `${value}-other`;
}
