// Runs a TypeScript file on any supported Node: `node scripts/run-ts.mjs file.ts [args]`.
// Node 20 can not strip types, and rolldown, which builds the product, is here already.
import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

/** Bundles the file (packages stay outside) and imports the result. */
export async function importTs(file) {
  const root = resolve(import.meta.dirname, "..");
  const folder = join(root, "node_modules", ".cache", "run-ts", `${process.pid}-${Date.now()}`);
  mkdirSync(folder, { recursive: true });
  try {
    const bundle = await rolldown({
      input: file,
      platform: "node",
      external: /^(?![./]|[A-Za-z]:)/,
      // The bundle lies elsewhere: keep what the source says about its own place.
      transform: { define: { "import.meta.dirname": JSON.stringify(resolve(file, "..")) } },
    });
    await bundle.write({ dir: folder, entryFileNames: "main.mjs", sourcemap: "inline" });
    return await import(pathToFileURL(join(folder, "main.mjs")).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.filename === resolve(process.argv[1])) {
  const [file, ...args] = process.argv.slice(2);
  if (!file) throw new Error("usage: node scripts/run-ts.mjs file.ts [args]");
  process.argv = [process.argv[0], file, ...args];
  await importTs(resolve(file));
}
