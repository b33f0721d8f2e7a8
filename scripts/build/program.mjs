// Bundles a program so that a call of it is cheap (docs/adr/0010, 0012): CommonJS, its sentences apart,
// what its hot calls need in one file, from which the snapshot is made that they start from.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { importTs } from "../run-ts.mjs";
import { lazyTexts } from "./texts.mjs";

const root = resolve(import.meta.dirname, "../..");

/** `<dist>/<name>.cjs`, which does not begin by itself yet: see startProgram. */
export async function bundleProgram({ name, file, dist, version }) {
  const bundle = await rolldown({
    input: { [name]: file },
    platform: "node",
    external: /^node:/,
    // What the entry has, its parts may use: it need not be split for them.
    preserveEntrySignatures: "allow-extension",
    plugins: [await lazyTexts(root), plainExports],
    transform: { define: { HOLDFAST_VERSION: JSON.stringify(version) } },
  });
  await bundle.write({
    dir: dist,
    format: "cjs",
    entryFileNames: "[name].cjs",
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

/** `<dist>/start` with what its hot calls start from, and the starter `<dist>/holdfast`. */
export async function startProgram({ name, dist, calls: { look, step, rest, call } }) {
  const start = join(dist, "start");
  mkdirSync(start);
  const { makeStartSnapshots, startFlags } = await importTs(join(root, "src/os/start-snapshot.ts"));
  const entry = `${name}.cjs`;
  findParts([], { name: "look", dist, entry, groups: look });
  findParts([], { name: "step", dist, entry, groups: step });
  // Read by a Node that was started with these: what it takes was compiled by one like it.
  findParts(startFlags, { name: "rest", dist, entry, beside: "look", groups: rest });
  findParts([], { name: "call", dist, entry, alone: true, groups: call });
  const program = addLoader({ name, dist, begin: "void exports.begin(process.argv.slice(2));" });
  copyFileSync(join(import.meta.dirname, "builder.cjs"), join(start, "builder.cjs"));
  const starter = readFileSync(join(import.meta.dirname, "holdfast.sh"), "utf8");
  writeFileSync(join(dist, "holdfast"), starter.replace("@flags@", startFlags.join(" ")));
  for (const file of [program, join(dist, "holdfast")]) chmodSync(file, 0o755);
  // Without them everything works as well, only later.
  const why = await makeStartSnapshots(start);
  if (why !== undefined) console.error(`No start-up snapshot: ${why}`);
}

/** Our loader at its head, and at its end what begins it. Returns the program's path. */
export function addLoader({ name, dist, begin = "" }) {
  const entry = `${name}.cjs`;
  const program = join(dist, entry);
  const lines = [
    "#!/usr/bin/env node",
    readFileSync(join(import.meta.dirname, "loader.cjs"), "utf8"),
    'const held = programOf(require, {}, { folder: __dirname, more: "call" });',
    `held.loaded.set(${JSON.stringify(entry)}, module);`,
    "require = held.require;",
    readFileSync(program, "utf8"),
    `${begin}\n`,
  ];
  writeFileSync(program, lines.join("\n"));
  return program;
}

// --- internal ---

/**
 * What a part exports is a value, not a function that returns it: it is set at the part's end, and hundreds of such
 * functions would be made at every start and called at every use. Where a value is another later, it stays as it is.
 */
const plainExports = {
  name: "plain-exports",
  generateBundle(_, bundle) {
    for (const part of Object.values(bundle)) {
      if (part.type !== "chunk") continue;
      const { code } = part;
      part.code = code.replace(exported, (all, name, value) =>
        changes(code, value) ? all : `exports.${name}=${value}`,
      );
    }
  },
};

/** As rolldown prints it. */
const exported =
  /Object\.defineProperty\(exports,"([\w$]+)",\{enumerable:true,get:function\(\)\{return ([\w$]+)\}\}\)/g;

/** Is it assigned to, other than where it is declared? */
function changes(code, name) {
  const times = (pattern) => code.match(new RegExp(pattern, "g"))?.length ?? 0;
  const own = name.replaceAll("$", "\\$");
  const declared = times(`(?:var|let|const) ${own}=(?![=>])`);
  return times(`(?<![\\w$.])${own}(?:=(?![=>])|\\+\\+|--|[-+*/%&|^?<>]+=)`) > declared;
}

/** See parts.cjs. Nothing may go wrong in the calls: what is compiled then would be the complaint. */
function findParts(flags, plan) {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-parts-"));
  try {
    const file = join(folder, "plan.json");
    writeFileSync(file, JSON.stringify(plan));
    const { status, stderr } = spawnSync(
      process.execPath,
      [...flags, join(import.meta.dirname, "parts.cjs"), file],
      { encoding: "utf8", env: { PATH: process.env.PATH, HOME: folder } },
    );
    if (status !== 0 || stderr !== "") throw new Error(`${plan.name} could not be made: ${stderr}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
