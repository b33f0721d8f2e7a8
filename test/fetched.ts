// Programs that tests need and that are nobody's dependency: fetched once from the npm registry into a cache outside the
// package, at pinned versions with pinned contents.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export interface Pinned {
  /** With its scope. */
  readonly name: string;
  readonly version: string;
  /** sha512 of the package: what runs here is what was looked at when it was pinned. */
  readonly contents: string | undefined;
  /** Of the program inside the package. */
  readonly program: string;
}

/** The path of the program. Once there it is whole: unpacked aside, then moved. */
export function fetched(folder: string, { name, version, contents, program }: Pinned): string {
  if (contents === undefined) throw new Error(`no package is pinned for ${name}@${version}`);
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const beside = join(cache, "holdfast", folder);
  const plain = name.replace(/^@.*\//, "");
  const place = join(beside, `${plain}@${version}`);
  if (existsSync(join(place, program))) return join(place, program);
  mkdirSync(beside, { recursive: true });
  const scratch = mkdtempSync(join(beside, ".fetch-"));
  try {
    console.error(`Fetching ${plain}@${version} …`);
    run("npm", ["pack", `${name}@${version}`, "--ignore-scripts", "--silent"], scratch);
    const archive = join(scratch, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
    const found = createHash("sha512").update(readFileSync(archive)).digest("base64");
    if (found !== contents) throw new Error(`${plain}@${version} is not what was pinned`);
    run("tar", ["-xzf", archive], scratch);
    try {
      renameSync(join(scratch, "package"), place);
    } catch (cause) {
      // Another run was faster, and its copy is as good.
      if (!existsSync(join(place, program))) throw cause;
    }
    return join(place, program);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

// --- internal ---

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args[0]}: ${stderr.trim() || `exit ${status}`}`);
}
