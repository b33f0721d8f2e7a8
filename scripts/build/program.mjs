// Bundles a program so that a call of it is cheap (docs/adr/0010, 0012): CommonJS, each command and the sentences of
// each topic in a file of its own, loaded when they are asked for.
import { resolve } from "node:path";
import { rolldown } from "rolldown";
import { lazyTexts } from "./texts.mjs";

const root = resolve(import.meta.dirname, "../..");

/** `<dist>/chunks/<name>.cjs`, and beside it what it loads later. */
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
    entryFileNames: "chunks/[name].cjs",
    chunkFileNames: "chunks/[name]-[hash].cjs",
    // Functions and classes keep their names, for whoever reads where something failed.
    minify: {
      compress: false,
      mangle: { toplevel: false, keepNames: true },
      codegen: { removeWhitespace: true },
    },
  });
  await bundle.close();
}
