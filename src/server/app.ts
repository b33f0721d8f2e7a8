// The server's routes, all of them: the operations, and the few things that are no operation.
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import type { Serving } from "../app/serving.ts";
import { version } from "../app/version.ts";
import { openStream } from "./events.ts";
import type { Guard } from "./guard.ts";
import { createRate, perMinute } from "./limits.ts";
import { type Lag, metricsText } from "./metrics.ts";
import { openApi } from "./openapi.ts";
import { addOperations } from "./operations.ts";
import { apiPage, entryPage } from "./pages.ts";
import { type Asked, Routes } from "./routes.ts";
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
  const routes = new Routes({ guard, rate, complain });
  addOperations(routes, serving);
  const get = (
    path: string,
    handle: (asked: Asked) => Response | Promise<Response>,
    access: "token" | "open" = "token",
  ): void => routes.add({ method: "GET", path, access, handle });

  get("/", ({ language }) => entryPage(language), "open");
  get("/healthz", () => Response.json({ ok: true, version }), "open");
  get("/api", ({ language }) => apiPage(language));
  get("/api/openapi.json", async () => Response.json(await openApi()));
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
  return routes;
}

// --- internal ---

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
