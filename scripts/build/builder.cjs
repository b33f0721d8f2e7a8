// HOLDFAST_PARTS=<name> node --snapshot-blob <file> --build-snapshot builder.cjs: what hot calls start from
// (docs/adr/0012). It lies beside <name>.js. All parts are evaluated here; nothing of the program is
// called before it is started: what it finds out about its surroundings is not to be kept.
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const vm = require("node:vm");
const { codes } = require("internal/errors");
const { loadBuiltinModule } = require("internal/modules/helpers");
const { refreshOptions } = require("internal/options");
const { setupUserModules } = require("internal/process/pre_execution");
const { internalBinding } = require("internal/test/binding");
const { patchProcessObject } = internalBinding("process_methods");

const program = load(path.join(__dirname, process.env.HOLDFAST_PARTS));
for (const name of program.names) program.part(name);
useNode(fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-start-")));
forgetErrors(loadBuiltinModule("fs").constructor);
start("not yet");
internalBinding("mksnapshot").setDeserializeMainFunction(start);

/**
 * Where a call begins. Node would first get ready for any program: its loader of modules, `fetch`, the
 * inspector, reports and warnings. That takes longer than a look at the state, and none of it is used here.
 */
function start(when) {
  // Called once ahead, so that it is compiled.
  if (when === "not yet") return;
  refreshOptions();
  patchProcessObject(process);
  // Taken off every snapshot.
  Error.stackTraceLimit = 10;
  const [, file, ...words] = process.argv;
  const { env } = process;
  delete env.NODE_EXTRA_CA_CERTS;
  // As the starter was given it.
  if (env.HOLDFAST_CERTIFICATES) env.NODE_EXTRA_CA_CERTS = env.HOLDFAST_CERTIFICATES;
  delete env.HOLDFAST_CERTIFICATES;
  // A channel to who started us, as Node would take it: it is not for those whom we start.
  delete env.NODE_CHANNEL_FD;
  delete env.NODE_CHANNEL_SERIALIZATION_MODE;
  void program.begin(path.dirname(path.resolve(file)), words);
}

/**
 * Node makes a class, or several, for each of its 330 kinds of errors: a tenth of all objects here. Modules that
 * are loaded hold those that they throw. One that is loaded later finds its own in the same module of Node, made
 * once more.
 */
function forgetErrors(BuiltinModule) {
  for (const code of Object.getOwnPropertyNames(codes)) delete codes[code];
  let again;
  const made = (code) => {
    again ??= new BuiltinModule("internal/errors").compileForInternalLoader();
    return again.codes[code];
  };
  Object.setPrototypeOf(codes, new Proxy({}, { get: (_, code) => made(code) }));
}

/** As the program asks for Node's modules. One of them needs what was left out above. */
function required(id) {
  if (id === "node:module") setupUserModules();
  return require(id);
}

/** With what is compiled already: V8 refuses what another version of it has made, and does it itself. */
function load(file) {
  const filename = `${path.basename(file)}.js`;
  const cachedData = fs.readFileSync(`${file}.cache`);
  const source = fs.readFileSync(`${file}.js`, "latin1");
  return new vm.Script(source, { filename, cachedData }).runInThisContext()(required);
}

/**
 * What a call uses of Node, once: what was compiled for it is kept as well. Without it a step compiles
 * some ninety functions of Node's anew.
 */
function useNode(folder) {
  const [file, other] = [path.join(folder, "a"), path.join(folder, "b")];
  const bytes = Buffer.concat([Buffer.from("text"), Buffer.from([1, 2]), Buffer.from("00", "hex")]);
  fs.mkdirSync(path.join(folder, "c"), { recursive: true });
  const handle = fs.openSync(file, "wx", 0o600);
  fs.writeSync(handle, bytes, 0);
  fs.writeSync(handle, bytes);
  fs.fsyncSync(handle);
  fs.fstatSync(handle, { bigint: true });
  fs.readSync(handle === 0 ? handle : fs.openSync(file), Buffer.allocUnsafe(8));
  fs.closeSync(handle);
  fs.linkSync(file, other);
  fs.renameSync(other, path.join(folder, "d"));
  fs.symlinkSync(file, other);
  fs.readlinkSync(other);
  for (const at of [file, other, folder, path.join(folder, "no")]) {
    if (!fs.existsSync(at)) continue;
    const stats = fs.lstatSync(at);
    stats.isFile();
    stats.isDirectory();
    stats.isFIFO();
    stats.isSocket();
    stats.isSymbolicLink();
    fs.statSync(at, { bigint: true, throwIfNoEntry: false });
    fs.realpathSync(at);
    fs.realpathSync.native(at);
    path.basename(path.normalize(path.join(path.dirname(at), "..")));
    path.isAbsolute(at);
  }
  fs.readFileSync(file);
  fs.readFileSync(file, "utf8");
  fs.writeFileSync(file, "");
  fs.accessSync(file);
  bytes.equals(bytes.subarray(0));
  bytes.compare(Buffer.from(bytes), 0, 1, 0, 1);
  Buffer.compare(bytes, Buffer.from(new ArrayBuffer(8), 0, 4));
  for (const encoding of ["utf8", "latin1"]) bytes.indexOf("t", 0, encoding);
  bytes.includes(1, 1);
  bytes.slice(1);
  Buffer.byteLength("text");
  bytes.copy(Buffer.allocUnsafeSlow(8));
  for (const encoding of ["utf8", "latin1", "hex", "base64"]) {
    Buffer.from(bytes.toString(encoding, 0, 4), encoding);
    bytes.write("00", 0, encoding);
  }
  os.hostname();
  fs.unlinkSync(other);
  fs.readdirSync(folder, { withFileTypes: true });
  fs.readdirSync(folder);
  fs.rmSync(folder, { recursive: true });
  setImmediate(() => undefined);
  process.cwd();
  // As it is done at the end, but for the end.
  const { reallyExit } = process;
  process.reallyExit = () => undefined;
  process.exit();
  Object.assign(process, { reallyExit, _exiting: false });
}
