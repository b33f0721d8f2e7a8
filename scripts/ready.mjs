// Makes a fresh clone ready: installs what package-lock.json names, then builds; each only when
// something changed since. Imports nothing but Node, since it runs before the install.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "..");
const lock = join(root, ".ready.lock");

/** What decides whether to install, and whether to build. */
const installInputs = ["package.json", "package-lock.json", ".npmrc"];
const buildInputs = [
  "package.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "vite.web.config.ts",
  "scripts",
  "src",
  "web",
];

export async function ready() {
  await withLock(async () => {
    await when(
      join(root, "node_modules", ".holdfast-installed"),
      installInputs,
      "Installing",
      install,
    );
    await when(join(root, "dist", ".holdfast-built"), buildInputs, "Building", async () =>
      (await import("./build.mjs")).build(),
    );
  });
}

/** Runs a program of the project; ends this process if it fails. */
export function must(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

// --- internal ---

function install() {
  // Scripts of packages are not run: nothing here needs one, and a stolen package could use it. The other two undo
  // what npm would take from NODE_ENV=production and from the call that runs prepack: the build needs all of it.
  const flags = ["--ignore-scripts", "--include=dev", "--no-dry-run"];
  must("npm", ["ci", ...flags, "--no-audit", "--no-fund", "--loglevel=error"], {
    stdio: ["ignore", 2, 2],
  });
}

async function when(stamp, inputs, what, make) {
  const wanted = digest(inputs);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  const started = Date.now();
  console.error(`${what} …`);
  await make();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
  console.error(`${what} … done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/** Of names and contents. What the build itself writes below src/ does not count. */
function digest(inputs) {
  const hash = createHash("sha256").update(process.version);
  for (const file of inputs.flatMap((input) => filesBelow(join(root, input)))) {
    hash.update(`\0${file.slice(root.length)}\0`).update(readFileSync(file));
  }
  return hash.digest("hex");
}

function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter(
    (name) => name !== "generated" || path.endsWith("scripts"),
  );
  return names.toSorted().flatMap((name) => filesBelow(join(path, name)));
}

/** Two terminals at once: the second waits for the first, unless that one is gone. */
async function withLock(work) {
  while (!take()) {
    if (holderIsGone()) rmSync(lock, { force: true });
    else await new Promise((wake) => setTimeout(wake, 200));
  }
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take() {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function holderIsGone() {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    if (!pid) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH" || error.code === "ENOENT";
  }
}
