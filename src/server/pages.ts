// The list of all operations for people, whole in itself. Nothing is loaded from elsewhere; the only
// style is the one whose hash the policy names, and no script runs.
import { createHash } from "node:crypto";
import { type Language, type Message, msg, render } from "../core/messages.ts";
import { type FieldSchema, pathFields, schemasOf } from "./openapi.ts";
import { operationRoutes, unending } from "./operations.ts";
import { pagePaths } from "./static.ts";

export async function apiPage(language: Language): Promise<Response> {
  const say = (message: Message): string => escaped(render(language, message));
  const form = "{error: {code, message, hint, allowed?}}";
  const operations = await Promise.all(
    operationRoutes().map(async ({ name, entry, method, path }) => {
      const { input, output } = await schemasOf(name);
      const { fields } = await entry.load();
      const required = new Set([...(input.required ?? []), ...pathFields(path)]);
      const taken = Object.entries(input.properties ?? {}).filter(
        ([field]) => !unending.has(field),
      );
      const rows = taken.map(([field, schema]) => {
        const means = fields[field];
        const must = required.has(field) ? ` <em>${say(msg("page.required"))}</em>` : "";
        const said = means === undefined ? "" : say(means);
        return `<tr><th scope="row"><code>${escaped(field)}</code>${must}</th><td>${escaped(typeOf(schema))}</td><td>${said}</td></tr>`;
      });
      const takes = rows.length === 0 ? `<p>${say(msg("page.none"))}</p>` : table(rows);
      const gives = Object.keys(output.properties ?? {}).map(escaped);
      return section(method, path, say(entry.summary), [
        `<h3>${say(msg("page.input"))}</h3>`,
        takes,
        `<h3>${say(msg("page.output"))}</h3>`,
        `<p>${gives.map((field) => `<code>${field}</code>`).join(" ")}</p>`,
      ]);
    }),
  );
  const others = otherRoutes.map(([method, path, text]) => section(method, path, say(text), []));
  const body = [
    `<main><h1>${say(msg("page.title"))}</h1>`,
    `<p>${say(msg("page.about", { form }))} <a href="/api/openapi.json">openapi.json</a></p>`,
    ...operations,
    ...others,
    `</main>`,
  ].join("\n");
  return page(render(language, msg("page.title")), body, language);
}

// --- internal ---

const otherRoutes = [
  ["GET", "/api/events", msg("page.events")],
  ["GET", "/api/tasks/{id}/zip", msg("page.zip")],
  ["GET", "/api/openapi.json", msg("page.openapi")],
  ["GET", "/api", msg("page.index")],
  ["GET", "/metrics", msg("page.metrics")],
  ["GET", "/healthz", msg("page.healthz")],
  ["POST", "/session", msg("page.session")],
  ["POST", "/mcp", msg("page.mcp")],
  ["GET", "/api/server", msg("page.server")],
  ["GET", "/assets/{file}", msg("page.asset")],
  ...pagePaths.map((path) => ["GET", path, msg("page.enter")] as const),
] as const satisfies readonly (readonly [string, string, Message])[];

const style = `
:root { color-scheme: light dark; --ink: #1c2128; --quiet: #57606a; --ground: #fff; --line: #d0d7de; --mark: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --quiet: #9198a1; --ground: #0d1117; --line: #30363d; --mark: #79c0ff; }
}
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
details { border-top: 1px solid var(--line); padding: .6rem 0; }
summary { cursor: pointer; }
summary span { color: var(--quiet); }
h3 { font-size: .9rem; color: var(--quiet); margin: .8rem 0 .2rem; }
code { font: .92em ui-monospace, monospace; overflow-wrap: anywhere; }
summary code { color: var(--mark); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem 1rem .25rem 0; font-weight: normal; }
em { color: var(--quiet); font-size: .85em; }
a { color: var(--mark); }
`;

function page(title: string, body: string, language: Language): Response {
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return new Response(html, {
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
  });
}

function section(method: string, path: string, said: string, inside: readonly string[]): string {
  const name = `<code>${method} ${escaped(path)}</code>`;
  return `<details><summary>${name} <span>${said}</span></summary>${inside.join("\n")}</details>`;
}

function table(rows: readonly string[]): string {
  return `<table>${rows.join("")}</table>`;
}

function typeOf({ type, enum: values }: FieldSchema): string {
  if (values !== undefined) return values.map(String).join(" | ");
  return [type ?? ""].flat().join(" | ");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`);
}
