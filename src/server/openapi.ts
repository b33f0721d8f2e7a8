// OpenAPI 3.1, made from the table of operations and the schemas of their inputs and outputs.
import * as generated from "../app/generated/index.js";
import { version } from "../app/version.ts";
import { codes } from "../core/errors.ts";
import { msg, render } from "../core/messages.ts";
import { doorCodes } from "./errors.ts";
import { type OperationRoute, operationRoutes, unending } from "./operations.ts";

export interface ObjectSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly [more: string]: unknown;
}

export interface OperationSchemas {
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
}

export async function schemasOf(name: string): Promise<OperationSchemas> {
  const all = (await generated.schemas()).default as Record<string, OperationSchemas>;
  return all[name] ?? { input: {}, output: {} };
}

export async function openApi(): Promise<object> {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of operationRoutes())
    (paths[route.path] ??= {})[route.method.toLowerCase()] = await described(route);
  for (const [path, method, other] of others) (paths[path] ??= {})[method] = other;
  return {
    openapi: "3.1.0",
    info: { title: "Holdfast", version, description: render("en", msg("cli.about")) },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Error: errorSchema },
      responses: {
        Error: {
          description: "Refused, or failed",
          content: json({ $ref: "#/components/schemas/Error" }),
        },
      },
    },
  };
}

/** `{id}` → what stands in the path, by name. */
export function pathFields(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}

// --- internal ---

const json = (schema: object): object => ({ "application/json": { schema } });

async function described({ name, entry, method, path }: OperationRoute): Promise<object> {
  const { input, output } = await schemasOf(name);
  const inPath = pathFields(path);
  const required = input.required ?? [];
  const rest = Object.entries(input.properties ?? {}).filter(
    ([field]) => !inPath.includes(field) && !unending.has(field),
  );
  // A key travels in its own header.
  const fields = rest.filter(([field]) => field !== "key");
  const parameter = (field: string, place: "path" | "query"): object => ({
    name: field,
    in: place,
    required: place === "path" || required.includes(field),
    schema: input.properties?.[field] ?? { type: "string" },
  });
  const inQuery = method === "GET" ? fields.map(([field]) => parameter(field, "query")) : [];
  return {
    operationId: name.replaceAll(" ", "-"),
    summary: render("en", entry.summary),
    parameters: [
      ...inPath.map((field) => parameter(field, "path")),
      ...inQuery,
      ...(rest.length > fields.length ? [idempotencyKey] : []),
    ],
    ...(method === "GET"
      ? {}
      : {
          requestBody: {
            required: fields.some(([field]) => required.includes(field)),
            content: json({
              type: "object",
              properties: Object.fromEntries(fields),
              required: required.filter((field) => !inPath.includes(field)),
              additionalProperties: false,
            }),
          },
        }),
    responses: {
      200: { description: "Done", content: json(withoutDialect(output)) },
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: render("en", msg("op.task.key")),
  schema: { type: "string", maxLength: 200 },
};

function withoutDialect(schema: object): object {
  const { $schema: _, ...rest } = schema as { $schema?: string };
  return rest;
}

const errorSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "hint"],
      properties: {
        code: { enum: [...Object.keys(codes), ...Object.keys(doorCodes)] },
        message: { type: "string" },
        hint: { type: "string" },
        allowed: { type: "array", items: { type: "string" } },
      },
    },
  },
};

const text = (type: string, description: string): object => ({
  200: { description, content: { [type]: { schema: { type: "string" } } } },
  default: { $ref: "#/components/responses/Error" },
});

const inQuery = (name: string, description: string): object => ({
  name,
  in: "query",
  required: false,
  description,
  schema: { type: "string" },
});

/** What is no operation: a stream, a file, figures. */
const others: readonly (readonly [path: string, method: string, other: object])[] = [
  [
    "/api/events",
    "get",
    {
      operationId: "events",
      summary: render("en", msg("page.events")),
      parameters: [
        inQuery("after", "Events behind this number; Last-Event-ID says the same"),
        inQuery("task", "Only those of this task"),
      ],
      responses: text("text/event-stream", "Without end"),
    },
  ],
  [
    "/api/tasks/{id}/zip",
    "get",
    {
      operationId: "task-zip",
      summary: render("en", msg("page.zip")),
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      responses: text("application/zip", "The file"),
    },
  ],
  [
    "/api/server",
    "get",
    {
      operationId: "server",
      summary: render("en", msg("page.server")),
      responses: text("application/json", "Slots, agents, today's cost"),
    },
  ],
  [
    "/mcp",
    "post",
    {
      operationId: "mcp",
      summary: render("en", msg("page.mcp")),
      requestBody: { required: true, content: json({ type: "object" }) },
      responses: text("application/json", "An answer of the Model Context Protocol"),
    },
  ],
  [
    "/metrics",
    "get",
    {
      operationId: "metrics",
      summary: render("en", msg("page.metrics")),
      responses: text("text/plain", "In Prometheus' form"),
    },
  ],
  [
    "/healthz",
    "get",
    {
      operationId: "healthz",
      summary: render("en", msg("page.healthz")),
      security: [],
      responses: {
        200: {
          description: "It is up",
          content: json({
            type: "object",
            properties: { ok: { const: true }, version: { type: "string" } },
          }),
        },
      },
    },
  ],
];
