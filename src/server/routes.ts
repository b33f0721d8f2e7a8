// The only way to a route: `add` puts it into the table and wraps it with the guard. What is not in
// the table is refused, so no route can be without its checks; a test walks all of them.
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { type Language, msg } from "../core/messages.ts";
import { Fault } from "../core/errors.ts";
import { type Refusal, faultResponse, refusalResponse } from "./errors.ts";
import type { Guard } from "./guard.ts";
import { type Rate, mostBody, perMinute, readBody } from "./limits.ts";

export type Method = "GET" | "POST" | "DELETE";
export type App = Hono<{ Bindings: HttpBindings }>;

/** A request that passed every check. */
export interface Asked {
  readonly request: Request;
  readonly language: Language;
  /** What stands in the path's braces. */
  readonly path: Readonly<Record<string, string>>;
  /** The body's fields; none of a GET. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The connection itself; none where a test calls without one. */
  readonly connection: HttpBindings | undefined;
}

export interface Route {
  readonly method: Method;
  /** `/api/tasks/{id}` */
  readonly path: string;
  /**
   * "open" holds nothing of anybody's: it is served to who does not know the token yet. "run" is also
   * for an agent in a run of ours, which shows its own proof instead.
   */
  readonly access: "token" | "run" | "open";
  readonly handle: (asked: Asked) => Response | Promise<Response>;
}

export interface RoutesParts {
  readonly guard: Guard;
  readonly rate: Rate;
  readonly complain: (cause: unknown) => void;
  /** Does the word behind `Bearer` prove a run? */
  readonly isRun: (word: string) => Promise<boolean>;
  /** For whom no route fits: the page's own screen, where a browser asks. */
  readonly missing: (asked: Pick<Asked, "request">) => Response | undefined;
}

export class Routes {
  readonly app: App = new Hono();
  readonly #table: Route[] = [];
  readonly #parts: RoutesParts;

  constructor(parts: RoutesParts) {
    this.#parts = parts;
    this.app.notFound((context) => this.#elsewhere(context.req.raw));
    this.app.onError((thrown, context) => this.#failed(thrown, languageOf(context.req.raw)));
  }

  get table(): readonly Route[] {
    return this.#table;
  }

  add(route: Route): void {
    this.#table.push(route);
    const pattern = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
    this.app.on(route.method, pattern, (context) => this.#guarded(route, context));
  }

  // --- internal ---

  async #guarded(route: Route, context: Context<{ Bindings: HttpBindings }>): Promise<Response> {
    const request = context.req.raw;
    const language = languageOf(request);
    const refusal = await this.#refusal(route, request);
    if (refusal) return sealed(refusalResponse(refusal, language));
    try {
      const body = route.method === "GET" ? {} : await bodyOf(request);
      if (body === "too large") return sealed(refusalResponse(tooLarge, language));
      const connection = context.env as HttpBindings | undefined;
      const path = context.req.param() as Record<string, string>;
      return sealed(await route.handle({ request, language, path, body, connection }));
    } catch (thrown) {
      return this.#failed(thrown, language);
    }
  }

  async #refusal(route: Route, request: Request): Promise<Refusal | undefined> {
    const { guard, rate } = this.#parts;
    const foreign = guard.foreign(request, route.access === "open");
    if (foreign) return foreign;
    const unknown = route.access === "open" ? undefined : guard.unknown(request);
    if (unknown && !(route.access === "run" && (await this.#parts.isRun(bearerOf(request)))))
      return unknown;
    // Hono answers HEAD with what GET would do.
    if (request.method !== route.method) return wrongMethod(request, [route.method]);
    if (route.method !== "GET" && !isJson(request)) return notJson;
    const kind = route.method === "GET" ? "read" : "write";
    const seconds = rate.take(kind);
    return seconds === null ? undefined : tooMany(perMinute[kind], seconds);
  }

  /** Who does not know the token does not learn which routes there are, beyond the page's. */
  #elsewhere(request: Request): Response {
    const { guard, missing } = this.#parts;
    const language = languageOf(request);
    const path = new URL(request.url).pathname;
    const methods = this.#table.filter((route) => fits(route, path)).map(({ method }) => method);
    if (methods.length === 0 && guard.foreign(request, true) === undefined) {
      const page = missing({ request });
      if (page) return sealed(page);
    }
    const refusal =
      guard.foreign(request) ??
      guard.unknown(request) ??
      (methods.length > 0 ? wrongMethod(request, methods) : undefined);
    if (refusal) return sealed(refusalResponse(refusal, language));
    return this.#failed(new Fault("not_found", msg("http.unknown_route", { path })), language);
  }

  #failed(thrown: unknown, language: Language): Response {
    return sealed(faultResponse(thrown, language, this.#parts.complain));
  }
}

/** "" where there is none. */
export function bearerOf({ headers }: Request): string {
  return /^Bearer (\S+)$/.exec(headers.get("authorization") ?? "")?.[1] ?? "";
}

/** The first of our languages that the client wants; English for who says nothing. */
export function languageOf({ headers }: Request): Language {
  const wanted = (headers.get("accept-language") ?? "")
    .split(",")
    .map((part) => {
      const [tag = "", weight = "q=1"] = part.trim().toLowerCase().split(";");
      return { tag, weight: Number(weight.trim().replace("q=", "")) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  return wanted.find(({ tag }) => /^(?:ko|en)(?:-|$)/.test(tag))?.tag.startsWith("ko")
    ? "ko"
    : "en";
}

// --- internal ---

const notJson: Refusal = {
  code: "unsupported_type",
  text: msg("http.not_json"),
  hint: msg("http.not_json.hint"),
};

const tooLarge: Refusal = {
  code: "too_large",
  text: msg("http.too_large", { limit: mostBody }),
  hint: msg("http.too_large.hint"),
};

function wrongMethod(request: Request, methods: readonly Method[]): Refusal {
  const { method, url } = request;
  const allowed = [...new Set(methods)].join(", ");
  return {
    code: "method_not_allowed",
    text: msg("http.wrong_method", { path: new URL(url).pathname, method }),
    hint: msg("http.wrong_method.hint", { allowed }),
    headers: { allow: allowed },
  };
}

function tooMany(limit: number, seconds: number): Refusal {
  return {
    code: "too_many_requests",
    text: msg("http.too_many", { limit }),
    hint: msg("http.too_many.hint", { seconds }),
    headers: { "retry-after": String(seconds) },
  };
}

/** A form of another site can only say text/plain and two kinds of form data. */
function isJson({ headers }: Request): boolean {
  return /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(
    headers.get("content-type") ?? "",
  );
}

const decoder = new TextDecoder("utf-8", { fatal: true });

async function bodyOf(request: Request): Promise<Record<string, unknown> | "too large"> {
  const bytes = await readBody(request);
  if (bytes === undefined) return "too large";
  // An action that takes nothing may be asked for with nothing.
  if (bytes.length === 0) return {};
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Told below: what the parser says would repeat what may be a secret.
  }
  throw new Fault("invalid_input", msg("http.bad_body"), { hint: msg("http.not_json.hint") });
}

function fits({ path }: Route, given: string): boolean {
  const [parts, wanted] = [given.split("/"), path.split("/")];
  return (
    parts.length === wanted.length &&
    wanted.every((part, place) => part.startsWith("{") || part === parts[place])
  );
}

const headers = {
  // Nothing here is a page, unless it says so itself.
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
} as const;

/** What every answer says to a browser, unless it has said something of its own. */
export function sealed(response: Response): Response {
  for (const [name, value] of Object.entries(headers))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}
