// The server's routes, all of them: the operations, and the few things that are no operation.
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { callerOf } from "../app/caller.ts";
import type { OpenContext } from "../app/context.ts";
import { isProven } from "../app/own-run.ts";
import type { Serving } from "../app/serving.ts";
import { version } from "../app/version.ts";
import { openStream } from "./events.ts";
import type { Guard } from "./guard.ts";
import { createRate, perMinute } from "./limits.ts";
import { type Lag, metricsText } from "./metrics.ts";
import { openApi } from "./openapi.ts";
import { addOperations } from "./operations.ts";
import { apiPage } from "./pages.ts";
import { type Asked, Routes, bearerOf } from "./routes.ts";
import { createPage, pagePaths } from "./static.ts";
import type { Streams } from "./streams.ts";

export interface AppParts {
  readonly serving: Serving;
  readonly guard: Guard;
  readonly streams: Streams;
  readonly mostStreams: number;
  readonly lag: Lag;
  readonly complain: (cause: unknown) => void;
  /** Of the rate limit; for tests. */
  readonly now?: () => number;
  readonly rates?: Readonly<Record<"read" | "write", number>>;
}

export function createApp(parts: AppParts): Routes {
  const { serving, guard, streams, mostStreams, lag, complain } = parts;
  const rate = createRate(parts.now ?? Date.now, parts.rates ?? perMinute);
  const isRun = async (word: string): Promise<boolean> => {
    const caller = callerOf(word);
    return caller !== null && isProven(serving.home.path, caller);
  };
  const page = createPage();
  const routes = new Routes({
    guard,
    rate,
    complain,
    isRun,
    missing: (asked) => page.missing(asked),
  });
  addOperations(routes, serving);
  const get = (
    path: string,
    handle: (asked: Asked) => Response | Promise<Response>,
    access: "token" | "open" = "token",
  ): void => routes.add({ method: "GET", path, access, handle });

  for (const path of pagePaths) get(path, (asked) => page.document(asked), "open");
  get("/assets/{file}", (asked) => page.asset(asked), "open");
  get("/healthz", () => Response.json({ ok: true, version }), "open");
  get("/api", ({ language }) => apiPage(language));
  get("/api/openapi.json", async () => Response.json(await openApi()));
  get("/api/server", async () => Response.json(await serverView(serving)));
  get("/api/events", (asked) => openStream(asked, streams, mostStreams));
  get("/api/tasks/{id}/zip", (asked) => zip(asked, serving));
  get("/metrics", async () => {
    const text = metricsText(
      await serving.figures(),
      streams,
      lag.read(),
      process.memoryUsage.rss(),
    );
    const type = "text/plain; version=0.0.4; charset=utf-8";
    return new Response(text, { headers: { "content-type": type } });
  });
  routes.add({
    method: "POST",
    path: "/session",
    access: "token",
    handle: () => Response.json({ ok: true }, { headers: { "set-cookie": guard.cookie } }),
  });
  routes.add({
    method: "POST",
    path: "/mcp",
    access: "run",
    handle: (asked) => mcp(asked, serving, complain),
  });
  return routes;
}

/** What the page says at its edge: who works, what today cost. */
export interface ServerView {
  readonly version: string;
  readonly slots: { readonly used: number; readonly total: number };
  readonly agents: Readonly<Record<string, number>>;
  readonly today: { readonly costUsd: number; readonly tokens: number };
}

async function serverView(serving: Serving): Promise<ServerView> {
  const { slots, agents, today } = await serving.figures();
  return { version, slots, agents, today };
}

// --- internal ---

/** Who shows a run's proof acts for that run; who shows the server's token, as its user. */
async function mcp(
  { request, body, language }: Asked,
  serving: Serving,
  complain: (cause: unknown) => void,
): Promise<Response> {
  const { answerOverHttp } = await import("../mcp/http.ts");
  const caller = callerOf(bearerOf(request));
  const open = (): OpenContext => serving.context(language, request.signal, caller);
  return answerOverHttp({ request, body, caller, open }, complain);
}

async function zip({ path, language, request }: Asked, serving: Serving): Promise<Response> {
  const context = serving.context(language, request.signal);
  try {
    const outputs = await context.outputs();
    const file = await outputs.zip(path["id"] ?? "", undefined, context.cwd);
    // Our own id, made of letters, digits and `_`: nothing in it ends the header or leaves a folder.
    const name = basename(file.path).replaceAll(/[^\w.-]/g, "_");
    return new Response((await openAsBlob(file.path)).stream(), {
      headers: {
        "content-type": "application/zip",
        "content-length": String(file.bytes),
        "content-disposition": `attachment; filename="${name}"`,
      },
    });
  } finally {
    await context.close();
  }
}
