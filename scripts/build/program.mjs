// Bundles a program so that a call of it is cheap (docs/adr/0010): CommonJS, its sentences apart, what
// its hot calls need in packs that are compiled ahead.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { lazyTexts } from "./texts.mjs";

const root = resolve(import.meta.dirname, "../..");

/** `<dist>/<name>.cjs`, not yet able to find its parts: packing comes next. */
export async function bundleProgram({ name, file, dist, version }) {
  const bundle = await rolldown({
    input: { [name]: file },
    platform: "node",
    external: /^node:/,
    // What the entry has, its parts may use: it need not be split for them.
    preserveEntrySignatures: "allow-extension",
    plugins: [await lazyTexts(root)],
    transform: { define: { HOLDFAST_VERSION: JSON.stringify(version) } },
  });
  await bundle.write({
    dir: dist,
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunks/[name]-[hash].cjs",
    // Names stay, for whoever reads where something failed.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
}

/** See pack.cjs. Nothing may go wrong in the calls: what is compiled then would be the complaint. */
export function packProgram({ name, dist, packs }) {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-pack-"));
  try {
    const plan = join(folder, "plan.json");
    writeFileSync(plan, JSON.stringify({ dist, entry: `${name}.cjs`, packs }));
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, "pack.cjs"), plan],
      { encoding: "utf8", env: { PATH: process.env.PATH, HOME: folder } },
    );
    if (status !== 0 || stderr !== "") throw new Error(`the packs could not be made: ${stderr}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
