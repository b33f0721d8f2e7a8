// Builds dist/: the program and the library, bundled, with only Node's own modules left outside.
// Bundling is what makes a call cheap: imports dominate start-up (docs/adr/0005, 0010, 0012).
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { build as buildWithVite } from "vite";
import { bundleProgram } from "./build/program.mjs";
import { importTs } from "./run-ts.mjs";

const root = resolve(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const dist = join(root, "dist");

/** A program of its own, in one file: the chunks of the command line stay as they are. */
async function bundleSampleAgent() {
  const input = { "sample-agent": join(root, "src/agents/sample/main.ts") };
  const bundle = await rolldown({ input, platform: "node", external: /^node:/ });
  await bundle.write({ dir: dist, format: "esm", codeSplitting: false });
  await bundle.close();
}

/** The page, and each of its files packed beside it: the server hands them out as they are. */
async function buildPage() {
  await buildWithVite({ configFile: join(root, "vite.web.config.ts"), logLevel: "warn" });
  const page = join(dist, "web");
  const assets = readdirSync(join(page, "assets")).map((name) => join("assets", name));
  for (const name of ["index.html", ...assets]) {
    const path = join(page, name);
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  }
}

/** What others import. */
async function bundleLibrary() {
  const bundle = await rolldown({
    input: { index: join(root, "src/index.ts") },
    platform: "node",
    external: /^node:/,
    transform: { define: { HOLDFAST_VERSION: JSON.stringify(version) } },
  });
  await bundle.write({ dir: dist, format: "esm", chunkFileNames: "chunks/[name]-[hash].js" });
  await bundle.close();
}

/** What people and agents call, dist/cli.cjs: its start-up is most of what a hook costs. */
async function bundleCommandLine() {
  await bundleProgram({ name: "entry", file: join(root, "src/cli/entry.ts"), dist, version });
  const program = join(dist, "cli.cjs");
  copyFileSync(join(import.meta.dirname, "build", "cli.cjs"), program);
  chmodSync(program, 0o755);
}

/** Removes what an older build left, then writes everything anew. */
export async function build() {
  rmSync(dist, { recursive: true, force: true });
  await importTs(join(root, "scripts/generate/formats.ts"));
  await importTs(join(root, "scripts/generate/operations.ts"));
  await bundleLibrary();
  await bundleCommandLine();
  await bundleSampleAgent();
  await buildPage();
  const types = spawnSync(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"],
    {
      cwd: root,
      stdio: "inherit",
    },
  );
  if (types.status !== 0) throw new Error("the types could not be written");
}
