// The page (web/), as the build left it beside the program. It holds nothing of anybody's, so it is
// served to who does not know the token yet; all it shows it asks for at the guarded routes.
//
// Only what lay in the folder when it was first asked for is served, by its exact name: there is no
// path to walk out of. A name carries the hash of its content, so a browser may keep it for ever;
// the one file without such a name says where they are and is asked for anew each time.
import { readFileSync, readdirSync } from "node:fs";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import type { Asked } from "./routes.ts";

/** Addresses at which the page opens; what it shows there is its own affair. */
export const pagePaths = [
  "/",
  "/board",
  "/t/{id}",
  "/t/{id}/{tab}",
  "/g",
  "/g/{run}",
  "/recall",
  "/costs",
  "/memory",
  "/contracts",
  "/new",
  "/edit/{id}",
  "/settings",
] as const;

export interface Page {
  /** The same document at each of its addresses. */
  document(asked: Asked): Response;
  asset(asked: Asked): Response;
  /** The document again, as a 404, for a browser that opened an address nobody knows. */
  missing(asked: Pick<Asked, "request">): Response | undefined;
}

export function createPage(): Page {
  let files: ReadonlyMap<string, Buffer> | undefined;
  const answer = (
    asked: Pick<Asked, "request">,
    name: string,
    more: Record<string, string>,
    status = 200,
  ): Response => {
    files ??= readFiles();
    const packed = /\bgzip\b/.test(asked.request.headers.get("accept-encoding") ?? "");
    const zipped = packed ? files.get(`${name}.gz`) : undefined;
    const bytes = zipped ?? files.get(name);
    const type = types[/\.(\w+)$/.exec(name)?.[1] ?? ""];
    if (bytes === undefined || type === undefined) {
      const { pathname } = new URL(asked.request.url);
      throw new Fault("not_found", msg("http.unknown_route", { path: pathname }));
    }
    const headers = { "content-type": type, vary: "accept-encoding", ...more };
    return new Response(new Uint8Array(bytes), {
      status,
      headers: zipped === undefined ? headers : { ...headers, "content-encoding": "gzip" },
    });
  };
  return {
    document: (asked) => answer(asked, "index.html", documentHeaders),
    missing: (asked) =>
      isOpenedByBrowser(asked.request)
        ? answer(asked, "index.html", documentHeaders, 404)
        : undefined,
    asset: (asked) =>
      answer(asked, `assets/${asked.path["file"] ?? ""}`, {
        "cache-control": "public, max-age=31536000, immutable",
      }),
  };
}

// --- internal ---

/** Nothing inline, nothing from elsewhere. Pictures: our own, and the icon with its count. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const documentHeaders = { "content-security-policy": policy, "cache-control": "no-cache" };

/** A person typed it or followed a link. Programs, and whoever asks below /api, get JSON. */
function isOpenedByBrowser({ method, url, headers }: Request): boolean {
  const { pathname } = new URL(url);
  if (method !== "GET" || /^\/(?:api|assets)(?:\/|$)/.test(pathname)) return false;
  return /\btext\/html\b/.test(headers.get("accept") ?? "");
}

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** Beside the program, beside the folder it lies in, or, for the sources, where the build puts it. */
const places = ["web/", "../web/", "../../dist/web/"].map((name) => new URL(name, import.meta.url));

function readFiles(): ReadonlyMap<string, Buffer> {
  for (const place of places) {
    const names = namesIn(place);
    if (!names.includes("index.html")) continue;
    const assets = namesIn(new URL("assets/", place)).map((name) => `assets/${name}`);
    const wanted = [...names.filter((name) => name.startsWith("index.html")), ...assets];
    return new Map(wanted.map((name) => [name, readFileSync(new URL(name, place))]));
  }
  return new Map();
}

function namesIn(folder: URL): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
