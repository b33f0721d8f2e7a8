// The program and its parts (docs/adr/0012). It is the head of dist/start/look.js and step.js, whose parts are
// evaluated when a snapshot is made of them, and of dist/cli.cjs. Other parts lie compiled ahead in a file of
// many, or else each in its own. Every part is loaded here and nowhere else, so that there is one of each.

/**
 * `parts`: each as a function. `place`: where the program lies, known when it is called, and which file of
 * dist/start has `more`; it is read when a part is missing. `late`: a part that is not among them is loaded
 * when it is used, and not already when another asks for it. Each use pays for that, so not in what stays.
 */
// oxlint-disable-next-line no-unused-vars -- called in a line that the build adds (parts.cjs)
function programOf(nodeRequire, parts, place, more) {
  const { basename } = nodeRequire("node:path");
  const loaded = new Map();
  const require = (id) => {
    if (!id.startsWith(".")) return slow.has(id) ? whenUsed(nodeRequire, id) : nodeRequire(id);
    const name = basename(id);
    return place.late && !parts[name] && !loaded.has(name) ? whenUsed(part, name) : part(name);
  };
  const part = (name) => {
    const known = loaded.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const run = parts[name] ?? moreOf(name) ?? compile(nodeRequire, fileOf(name));
    run(module.exports, require, module, fileOf(name), `${place.folder}/chunks`);
    return module.exports;
  };
  const fileOf = (name) => `${place.folder}/chunks/${name}`;
  const moreOf = (name) =>
    (more ??= readTable(nodeRequire, `${place.folder}/start/${place.more}`))[name];
  return { require, part, loaded };
}

/** Node's own modules that it has not loaded already, each for some ms: only when they are used. */
const slow = new Set(
  ["child_process", "crypto", "fs/promises", "module", "util"].map((id) => `node:${id}`),
);

function whenUsed(load, id) {
  return new Proxy({ load, id }, standIn);
}

/** Of what is loaded at its first use. That it is no promise is known without it: all that await it ask. */
const standIn = {
  get: (held, name) => (name === "then" ? undefined : loadedOf(held)[name]),
  has: (held, name) => name in loadedOf(held),
  ownKeys: (held) => Reflect.ownKeys(loadedOf(held)),
  getOwnPropertyDescriptor: (held, name) => {
    const found = Reflect.getOwnPropertyDescriptor(loadedOf(held), name);
    // Else it would have to be one of the stand-in's own.
    return found && { ...found, configurable: true };
  },
};

function loadedOf(held) {
  return (held.module ??= held.load(held.id));
}

function readTable(nodeRequire, path) {
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
