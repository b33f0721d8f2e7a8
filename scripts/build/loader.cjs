// The head of a program (dist/cli.cjs): finds the program's parts (docs/adr/0010).
//
// What hooks and looks need lies in packs, compiled ahead by the build. V8 refuses what another version
// of it has compiled, and then compiles as always. All other parts are files of their own. Every part
// is loaded here and nowhere else, so that there is one of each.

/**
 * A `require` for the program. `packsOf`: in which packs a part lies. Each command has its own, with all
 * that it needs, so that nothing else is read; what several need lies in each of theirs.
 */
// oxlint-disable-next-line no-unused-vars -- called in the line that the build adds (pack.cjs)
function programRequire(nodeRequire, folder, packsOf, openPack = readPack) {
  const { basename } = nodeRequire("node:path");
  const [, , first, second] = process.argv;
  // Each hook is a call of its own kind.
  const command = first === "hook" ? second : first;
  const chunks = `${folder}/chunks`;
  const loaded = new Map();
  const packs = new Map();
  const require = (id) => (id.startsWith(".") ? part(basename(id)) : nodeRequire(id));
  const packedRequire = (id) => (slow.has(id) ? whenUsed(nodeRequire, id) : require(id));
  const packed = (name) => {
    const having = packsOf[name];
    if (having === undefined) return undefined;
    const pack = having.includes(command) ? command : having[0];
    if (!packs.has(pack)) packs.set(pack, openPack(nodeRequire, `${folder}/packs/${pack}`));
    return packs.get(pack)[name];
  };
  const part = (name) => {
    const known = loaded.get(name);
    if (known) return known.exports;
    const file = `${chunks}/${name}`;
    const module = { exports: {} };
    loaded.set(name, module);
    const run = packed(name);
    if (run) run(module.exports, packedRequire, module, file, chunks);
    else compile(nodeRequire, file)(module.exports, require, module, file, chunks);
    return module.exports;
  };
  // The entry shares what it has with the parts.
  packedRequire.entry = (name, module) => loaded.set(name, module);
  return packedRequire;
}

/** Node's own modules that it has not loaded already, each for some ms: only when they are used. */
const slow = new Set(
  ["child_process", "crypto", "fs/promises", "module", "os", "util"].map((id) => `node:${id}`),
);

function whenUsed(nodeRequire, id) {
  let module;
  return new Proxy({}, { get: (_, name) => (module ??= nodeRequire(id))[name] });
}

function readPack(nodeRequire, path) {
  const { readFileSync } = nodeRequire("node:fs");
  const { Script } = nodeRequire("node:vm");
  const filename = `${path}.cjs`;
  let cachedData;
  try {
    cachedData = readFileSync(`${path}.cache`);
  } catch {
    // Without it everything works as well, only later.
  }
  // ASCII alone, the build sees to it: read without decoding, and half as long in memory.
  return new Script(readFileSync(filename, "latin1"), { filename, cachedData }).runInThisContext();
}

function compile(nodeRequire, filename) {
  const { readFileSync } = nodeRequire("node:fs");
  const { compileFunction } = nodeRequire("node:vm");
  const names = ["exports", "require", "module", "__filename", "__dirname"];
  return compileFunction(readFileSync(filename, "utf8"), names, { filename });
}
