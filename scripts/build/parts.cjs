// node parts.cjs <plan.json>: finds out which parts of the program some calls need, by making them, and
// writes these parts in one file (dist/start/<name>.js) with what V8 has compiled of them (<name>.cache).
// So nobody has to keep a list. Snapshots are made from them (docs/adr/0012).
//
// The plan: { name, dist, entry, beside, alone, groups: [{ env, before, calls: [{ words, input }], again }] }.
// The calls are made twice; `again`, where that would not do. Those `before` them only prepare what they
// find. It is a program; or a table of parts, for the program `beside` it, made before, or for the entry
// `alone`, and what that has itself is left out.
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const planFile = process.argv[2];
// A short call ends its process; here the next one is to be made.
process.exit = () => undefined;
const { name, dist, entry, beside, alone, groups } = JSON.parse(fs.readFileSync(planFile, "utf8"));
const head = fs.readFileSync(path.join(__dirname, "loader.cjs"), "utf8");
const fileOf = (start) => path.join(dist, "start", `${start}.js`);

async function main() {
  // With the entry alone every other part is found as a file, and known then.
  const first = scriptOf(beside ? fs.readFileSync(fileOf(beside), "latin1") : programWith([entry]));
  const names = new Set();
  for (const { before = [], ...group } of groups) {
    await callAll({ ...group, calls: before }, open(first, {}));
    for (const part of await callAll(group, open(first, {}))) names.add(part);
  }
  const table = beside !== undefined || alone;
  if (table) for (const part of open(first, {})().names) names.delete(part);
  const source = table ? tableOf([...names], true) : programWith([...names]);
  fs.writeFileSync(fileOf(name), source);
  const script = scriptOf(source);
  const again = table ? () => open(first, script.runInThisContext())() : open(script, {});
  for (const group of groups) await callAll({ ...group, calls: group.again ?? group.calls }, again);
  // Now it is known which functions are used: those are kept compiled, the others are not.
  fs.writeFileSync(path.join(dist, "start", `${name}.cache`), script.createCachedData());
}

/** How to have the program anew for a call, with `more` parts or none. */
function open(script, more) {
  return () => script.runInThisContext()(require, more);
}

function scriptOf(source) {
  return new vm.Script(source, { filename: fileOf(name) });
}

/** `(require, more) => ({ names, part, loaded, begin(folder, words) })`: the program with these parts. */
function programWith(names) {
  return [
    "(function (nodeRequire, more) {",
    // Of the whole program: where it lies is only known when it is called.
    `let __dirname, __filename; const place = { more: 'rest', late: ${!alone} };`,
    head,
    `const names = ${JSON.stringify(names)};`,
    `const parts = ${tableOf(names, false)};`,
    "const { part, loaded } = programOf(nodeRequire, parts, place, more);",
    "function begin(folder, words) {",
    "  place.folder = folder; __dirname = `${folder}/chunks`; __filename = `${__dirname}/part.cjs`;",
    `  return part(${JSON.stringify(entry)}).begin(words);`,
    "}",
    "return { names, part, loaded, begin };",
    "})",
  ].join("\n");
}

/** `placed`: each knows where it lies itself. */
function tableOf(names, placed) {
  const given = `exports,require,module${placed ? ",__filename,__dirname" : ""}`;
  const parts = names.map((part) => `${JSON.stringify(part)}(${given}){${sourceOf(part)}\n}`);
  return `({\n${parts.join(",\n")}\n})`;
}

/** In ASCII: so it is read without decoding, and takes half the memory. */
function sourceOf(part) {
  const source = fs.readFileSync(path.join(dist, part === entry ? "" : "chunks", part), "utf8");
  // There an escape would not be one.
  if (/\braw`[^`]*[^\0-\x7f][^`]*`/.test(source))
    throw new Error(`${part}: a raw text may only hold ASCII`);
  return source.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The names of the parts they have loaded. */
async function callAll({ calls, env }, program) {
  Object.assign(process.env, env);
  const names = new Set();
  for (const { words, input = "" } of calls) {
    const file = path.join(path.dirname(planFile), "input");
    fs.writeFileSync(file, input);
    // The lowest that is free becomes standard input.
    fs.closeSync(0);
    if (fs.openSync(file) !== 0) throw new Error("standard input could not be replaced");
    const { begin, loaded } = program();
    await begin(dist, words);
    if (process.exitCode) throw new Error(`${words.join(" ")} ended with ${process.exitCode}`);
    for (const part of loaded.keys()) names.add(part);
  }
  return names;
}

void main();
