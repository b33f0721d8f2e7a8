// Programs that a bench starts: bundled as the product is, called as a hook calls it.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "..");

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

/** Exactly as the build bundles the command line; `args` is a call of it that it may make twice. */
export function packProgram(
  file: string,
  folder: string,
  home: string,
  args: readonly string[],
): string {
  const name = basename(file, ".ts");
  const dist = join(folder, name);
  const env = { HOLDFAST_HOME: home, LC_ALL: "C" };
  const given = {
    name,
    file,
    dist,
    version: "bench",
    groups: [[{ name: "hot", env, calls: [{ words: args }] }]],
  };
  // In a process of its own: this one is a bundle, and the build has to know where it lies.
  const build = pathToFileURL(join(root, "scripts/build/program.mjs")).href;
  const lines = [
    `const { bundleProgram, packProgram } = await import(${JSON.stringify(build)});`,
    `const given = ${JSON.stringify(given)};`,
    `await bundleProgram(given);`,
    `packProgram(given);`,
  ];
  const words = ["--input-type=module", "-e", lines.join("\n")];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${name} could not be made: ${stderr}`);
  return join(dist, `${name}.cjs`);
}

/**
 * Nothing that makes Node itself slower: with NODE_EXTRA_CA_CERTS the empty process takes 72 ms of CPU
 * instead of 27, and everything looks cheap beside it.
 */
export function environment(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: home, HOLDFAST_HOME: home, LANG: "C" };
}

/** What it says; an error if it fails. */
export function call(words: readonly string[], home: string): string {
  const child = spawnSync(process.execPath, words, { encoding: "utf8", env: environment(home) });
  if (child.status !== 0) throw new Error(`${words.join(" ")}: ${child.stderr}`);
  return child.stdout;
}
