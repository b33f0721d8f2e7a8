// The routes of the operations, made from their table (DESIGN, idea 5). None holds logic of its own:
// path, query or body become the input, which the operation's schema checks.
import { msg } from "../core/messages.ts";
import { Fault } from "../core/errors.ts";
import { checkInput, inputSchema } from "../app/input.ts";
import { type OperationEntry, type OperationName, operations } from "../app/operations.ts";
import type { Serving } from "../app/serving.ts";
import { toWire } from "../app/wire.ts";
import type { Asked, Method, Routes } from "./routes.ts";

export interface OperationRoute {
  readonly name: OperationName;
  readonly entry: OperationEntry;
  readonly method: Method;
  readonly path: string;
}

/** What has no end has no answer: GET /api/events is for that. */
export const unending: ReadonlySet<string> = new Set(["follow"]);

/** All operations that have a route, in the order of their table. */
export function operationRoutes(): readonly OperationRoute[] {
  return Object.entries(operations as Record<string, OperationEntry>).flatMap(([name, entry]) =>
    entry.http === undefined
      ? []
      : [{ name: name as OperationName, entry, method: entry.http[0], path: entry.http[1] }],
  );
}

export function addOperations(routes: Routes, serving: Serving): void {
  for (const route of operationRoutes())
    routes.add({
      method: route.method,
      path: route.path,
      access: "token",
      handle: (asked) => run(route, asked, serving),
    });
}

// --- internal ---

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly type?: string | readonly string[] }>>;
}

async function run(route: OperationRoute, asked: Asked, serving: Serving): Promise<Response> {
  const { name, entry, method } = route;
  const schema: Schema = await inputSchema(name);
  const given = method === "GET" ? fromQuery(asked.request, schema) : { ...asked.body };
  for (const field of unending)
    if (Object.hasOwn(given, field))
      throw new Fault("invalid_input", msg("http.unending", { field }), {
        hint: msg("http.unending.hint"),
      });
  for (const field of Object.keys(asked.path))
    if (Object.hasOwn(given, field))
      throw new Fault("invalid_input", msg("http.given_twice", { field }));
  const input = { ...given, ...asked.path, ...keyOf(asked, schema) };
  await checkInput(name, input);
  const context = serving.context(asked.language, asked.request.signal);
  try {
    const output = await (await entry.load()).run(context, input);
    // Not every change goes through our engine: a draft is a row, nothing more.
    if (method !== "GET") void serving.journal.look();
    return Response.json(toWire(output, asked.language));
  } finally {
    await context.close();
  }
}

/** Texts, turned into what the schema wants where they are that; the check tells the rest. */
function fromQuery(request: Request, { properties = {} }: Schema): Record<string, unknown> {
  const query = new URL(request.url).searchParams;
  const input: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    const type = properties[name]?.type;
    // Asked with hasOwn: a parameter may be called `constructor`.
    const wanted = Object.hasOwn(properties, name) ? [type ?? []].flat() : [];
    if (wanted.includes("array")) input[name] = values;
    else input[name] = values.length > 1 ? values : typed(values[0] ?? "", wanted);
  }
  return input;
}

function typed(value: string, wanted: readonly string[]): unknown {
  const isNumber = wanted.includes("number") || wanted.includes("integer");
  if (isNumber && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value)) return Number(value);
  if (wanted.includes("boolean") && (value === "true" || value === "false"))
    return value === "true";
  return value;
}

/** `Idempotency-Key` (S1.22), for operations that know one. */
function keyOf({ request }: Asked, { properties = {} }: Schema): { key?: string } {
  const given = request.headers.get("idempotency-key");
  return Object.hasOwn(properties, "key") && given ? { key: given } : {};
}
