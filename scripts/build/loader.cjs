// The head of dist/start/look.js and step.js: the program as its hot calls find it in a start-up snapshot
// (docs/adr/0012). Their parts are evaluated when the snapshot is made. What some projects need besides
// is compiled ahead in rest.js; any other part is read from its file. Every part is loaded here and
// nowhere else, so that there is one of each.

/**
 * `parts`: each as a function; `place`: where the program lies, known when it is called; `rest`: the parts
 * of rest.js, read when one is missing.
 */
// oxlint-disable-next-line no-unused-vars -- called in a line that the build adds (parts.cjs)
function programOf(nodeRequire, parts, place, rest) {
  const { basename } = nodeRequire("node:path");
  const loaded = new Map();
  const require = (id) => {
    if (id.startsWith(".")) return part(basename(id));
    return slow.has(id) ? whenUsed(nodeRequire, id) : nodeRequire(id);
  };
  const part = (name) => {
    const known = loaded.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const run = parts[name] ?? more(name) ?? compile(nodeRequire, fileOf(name));
    run(module.exports, require, module, fileOf(name), `${place.folder}/chunks`);
    return module.exports;
  };
  const fileOf = (name) => `${place.folder}/chunks/${name}`;
  const more = (name) => (rest ??= readRest(nodeRequire, `${place.folder}/start/rest`))[name];
  return { part, loaded };
}

/** Node's own modules that it has not loaded already, each for some ms: only when they are used. */
const slow = new Set(
  ["child_process", "crypto", "fs/promises", "module", "util"].map((id) => `node:${id}`),
);

function whenUsed(nodeRequire, id) {
  let module;
  return new Proxy({}, { get: (_, name) => (module ??= nodeRequire(id))[name] });
}

function readRest(nodeRequire, path) {
  const { readFileSync } = nodeRequire("node:fs");
  const { Script } = nodeRequire("node:vm");
  const filename = `${path}.js`;
  try {
    const cachedData = readFileSync(`${path}.cache`);
    const script = new Script(readFileSync(filename, "latin1"), { filename, cachedData });
    return script.cachedDataRejected ? {} : script.runInThisContext();
  } catch {
    // Without it everything works as well, only later.
    return {};
  }
}

function compile(nodeRequire, filename) {
  const { readFileSync } = nodeRequire("node:fs");
  const { compileFunction } = nodeRequire("node:vm");
  const names = ["exports", "require", "module", "__filename", "__dirname"];
  return compileFunction(readFileSync(filename, "utf8"), names, { filename });
}
