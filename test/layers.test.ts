// Which folder may import which, and each package's only home. Names a violation with its line.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../src");

/** The direction of DESIGN: pure middle ← durable edges ← engine ← app ← doors. */
const layers: Readonly<Record<string, readonly string[]>> = {
  core: [],
  os: [],
  formats: ["core"],
  workflows: ["core", "formats"],
  store: ["core", "formats", "os"],
  agents: ["core", "formats", "os"],
  git: ["core", "os", "store"],
  engine: ["core", "formats", "workflows", "os", "store", "agents", "git"],
  app: ["core", "formats", "workflows", "os", "store", "agents", "git", "engine"],
  mcp: ["core", "app"],
  server: ["core", "app", "mcp"],
  cli: ["core", "app", "server", "mcp"],
  "index.ts": [
    "core",
    "formats",
    "workflows",
    "store",
    "agents",
    "git",
    "engine",
    "app",
    "server",
    "mcp",
  ],
};

/** Where a package (or Node module) may be imported; one that is not listed may not be used. */
const homes: Readonly<Record<string, readonly string[]>> = {
  zod: ["formats", "app"],
  yaml: ["formats"],
  fflate: ["engine"],
  hono: ["server"],
  "@hono/node-server": ["server"],
  "@hono/node-server/utils/response": ["server"],
  "@modelcontextprotocol/server": ["mcp"],
  "@modelcontextprotocol/server/stdio": ["mcp"],
  "@photostructure/sqlite": ["store"],
  "node:module": ["store"],
  // The suite every engine of the database has to pass; no program imports it.
  vitest: ["store"],
  "fast-check": ["store"],
  "node:crypto": ["core", "store", "git", "engine", "app", "server"],
  "node:child_process": ["os", "agents", "git", "engine", "server"],
  "node:dns": ["app"],
  "node:dns/promises": ["app"],
  "node:fs": ["os", "store", "agents", "git", "engine", "server", "cli"],
  "node:fs/promises": ["store", "agents", "git", "engine", "app"],
  "node:http": ["app", "server"],
  "node:https": ["app"],
  "node:net": ["app", "server"],
  "node:os": ["os", "store", "agents", "git", "engine"],
  "node:path": ["store", "agents", "git", "engine", "app", "server", "cli"],
  "node:perf_hooks": ["server"],
  "node:stream": ["git", "engine"],
  "node:stream/promises": ["git", "engine"],
  "node:timers/promises": ["git", "engine"],
  "node:url": ["app", "cli"],
  "node:util": ["engine", "cli"],
  "node:zlib": ["git"],
};

const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

const importLine =
  /^\s*(?:import|export)\b[^;]*?from\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|^\s*import\s+"([^"]+)"/gm;

function violations(file: string, text: string): string[] {
  const layer = file.split("/")[0] ?? "";
  const found: string[] = [];
  for (const match of text.matchAll(importLine)) {
    const target = match[1] ?? match[2] ?? match[3] ?? "";
    const line = text.slice(0, match.index + match[0].length).split("\n").length;
    if (target.startsWith(".")) {
      const to = relative(root, join(root, dirname(file), target)).split("/")[0] ?? "";
      if (to !== layer && !layers[layer]?.includes(to))
        found.push(`${file}:${line} ${layer} may not import ${to}`);
    } else if (!homes[target]?.includes(layer)) {
      found.push(`${file}:${line} ${target} may not be imported in ${layer}`);
    }
  }
  return found;
}

test("every import follows the direction of the layers, and every package stays in its home", () => {
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.flatMap(({ file, text }) => violations(file, text))).toEqual([]);
});

test("a wrong direction, a dynamic import and a stray package are each named with their line", () => {
  const planted =
    'import { a } from "../app/a.ts";\nconst b = await import("../store/b.ts");\nimport { z } from "zod";\n';
  expect(violations("core/planted.ts", planted)).toEqual([
    "core/planted.ts:1 core may not import app",
    "core/planted.ts:2 core may not import store",
    "core/planted.ts:3 zod may not be imported in core",
  ]);
});

test("the core asks neither the clock nor chance: time and ids come in as arguments", () => {
  const impure =
    /\bDate\.now\(|new Date\(\)|Math\.random\(|randomUUID|performance\.now\(|process\./;
  const pure = sources.filter(({ file }) => /^(core|formats|workflows)\//.test(file));
  const found = pure.filter(({ text }) => impure.test(text)).map(({ file }) => file);
  expect(found).toEqual([]);
});

test("S7.7 nothing asks which Node runs it, or for what only some have, but the check of the oldest", () => {
  const asking = /process\.version\b|\bversions(?:\.node|\.sqlite|\[)|"node:sqlite"/;
  const found = sources.filter(({ text }) => asking.test(text)).map(({ file }) => file);
  expect(found).toEqual(["app/oldest-node.ts"]);
});
