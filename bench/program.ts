// Programs that a bench starts: bundled as the product is, called as a hook calls it.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

/** As a service is bundled, whose start does not count for much. Returns the program's path. */
export async function bundleProgram(file: string, folder: string): Promise<string> {
  const name = basename(file, ".ts");
  const made = await rolldown({
    input: { [name]: file },
    platform: "node",
    external: /^node:/,
    transform: { define: { HOLDFAST_VERSION: '"bench"' } },
  });
  await made.write({ dir: folder, format: "esm", chunkFileNames: "chunks/[name]-[hash].js" });
  await made.close();
  // As the product's own: without it Node reads each file twice to find out what it is.
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  return join(folder, `${name}.js`);
}

/** As the command line is bundled: CommonJS, its sentences apart. Returns the program's path. */
export function bundleAsProduct(file: string, folder: string): string {
  const name = basename(file, ".ts");
  const what = JSON.stringify({ name, file, dist: folder, version: "bench" });
  const built = pathToFileURL(join(import.meta.dirname, "../scripts/build/program.mjs")).href;
  // In a process of its own: the build runs TypeScript itself, which here would wait for us.
  const lines = `import { bundleProgram } from "${built}"; await bundleProgram(${what});`;
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", lines], {
    encoding: "utf8",
  });
  if (child.status !== 0) throw new Error(`${name} could not be bundled: ${child.stderr}`);
  return join(folder, "chunks", `${name}.cjs`);
}

/**
 * Nothing that makes Node itself slower: with NODE_EXTRA_CA_CERTS the empty process takes 72 ms of CPU
 * instead of 27, and everything looks cheap beside it.
 */
export function environment(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: home, HOLDFAST_HOME: home, LANG: "C" };
}

/** What is installed as `holdfast`. */
export const program = join(import.meta.dirname, "..", "dist", "cli.cjs");

/** What Node says to these words; an error if it fails. */
export function call(words: readonly string[], home: string, node = process.execPath): string {
  const child = spawnSync(node, words, { encoding: "utf8", env: environment(home) });
  if (child.status !== 0) throw new Error(`${words.join(" ")}: ${child.stderr}`);
  return child.stdout;
}
