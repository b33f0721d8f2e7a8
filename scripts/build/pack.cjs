// node pack.cjs <plan.json>: makes the packs of a program (docs/adr/0010) by calling it as its users do.
// What those calls load goes into a pack, what they run is kept compiled beside it; so nobody has to
// keep a list of parts.
//
// The plan: { dist, entry, packs: [{ name, env, before, calls: [{ words, input }], again, after }] }. A pack
// holds what its calls load and none of those has that it comes `after`; one with the name of a command
// is read by that command first. They are made twice; `again`, where that would not do. Those `before`
// them only prepare what they find.
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const planFile = process.argv[2];
// A short call ends its process; here the next one is to be made.
process.exit = () => undefined;
const { dist, entry, packs } = JSON.parse(fs.readFileSync(planFile, "utf8"));
const program = path.join(dist, entry);
const text = fs.readFileSync(program, "utf8");
const head = fs.readFileSync(path.join(__dirname, "loader.cjs"), "utf8");
const programRequire = vm.runInThisContext(`(() => {\n${head}\nreturn programRequire;\n})()`);

async function main() {
  const packsOf = {};
  for (const { name, before = [], after = [], ...pack } of packs) {
    await callAll({ ...pack, calls: before }, {});
    // Packs that are not there yet: every part is asked for, and found as a file.
    const asked = new Set();
    await callAll(pack, new Proxy({}, { get: (_, part) => void asked.add(part) }), () => ({}));
    for (const part of asked)
      if (!packsOf[part]?.some((other) => after.includes(other))) (packsOf[part] ??= []).push(name);
  }
  fs.mkdirSync(path.join(dist, "packs"), { recursive: true });
  const scripts = new Map(packs.map(({ name }) => [name, scriptOf(name, packsOf)]));
  const open = (_, pack) => scripts.get(path.basename(pack)).runInThisContext();
  for (const pack of packs)
    await callAll({ ...pack, calls: pack.again ?? pack.calls }, packsOf, open);
  // Now it is known which functions are used: those are kept compiled, the others are not.
  for (const [name, script] of scripts)
    fs.writeFileSync(path.join(dist, "packs", `${name}.cache`), script.createCachedData());
  const start = `require = programRequire(require, __dirname, ${JSON.stringify(packsOf)});`;
  const known = `require.entry(${JSON.stringify(entry)}, module);`;
  fs.writeFileSync(program, ["#!/usr/bin/env node", head, start, known, text].join("\n"));
  fs.chmodSync(program, 0o755);
}

function scriptOf(pack, packsOf) {
  const names = Object.keys(packsOf).filter((name) => packsOf[name].includes(pack));
  const source = `({\n${names.map(partOf).join(",\n")}\n})`;
  const filename = path.join(dist, "packs", `${pack}.cjs`);
  fs.writeFileSync(filename, source);
  return new vm.Script(source, { filename });
}

/** A part as a function. In ASCII: so it is read without decoding, and takes half the memory. */
function partOf(name) {
  const source = fs.readFileSync(path.join(dist, "chunks", name), "utf8");
  // There an escape would not be one.
  if (/\braw`[^`]*[^\0-\x7f][^`]*`/.test(source))
    throw new Error(`${name}: a raw text may only hold ASCII`);
  const ascii = source.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${JSON.stringify(name)}(exports,require,module,__filename,__dirname){${ascii}\n}`;
}

async function callAll({ calls, env }, packsOf, openPack) {
  Object.assign(process.env, env);
  for (const { words, input = "" } of calls) {
    const file = path.join(path.dirname(planFile), "input");
    fs.writeFileSync(file, input);
    // The lowest that is free becomes standard input.
    fs.closeSync(0);
    if (fs.openSync(file) !== 0) throw new Error("standard input could not be replaced");
    await call(words, packsOf, openPack);
  }
}

async function call(words, packsOf, openPack) {
  process.argv = [process.execPath, program, ...words];
  const requirePart = programRequire(require, dist, packsOf, openPack);
  const module = { exports: {} };
  requirePart.entry(entry, module);
  const run = vm.compileFunction(text, ["exports", "require", "module", "__filename", "__dirname"]);
  run(module.exports, requirePart, module, program, dist);
  await module.exports.done;
  if (process.exitCode) throw new Error(`${words.join(" ")} ended with ${process.exitCode}`);
}

void main();
