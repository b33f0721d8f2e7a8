// Repositories written by hand: a few small files instead of as many processes of git. That of a clone has no
// objects of its own yet: it reads the project's, which the run's references keep alive. Nothing of the
// project's configuration comes with it. That of a clone's snapshots is ours alone.
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "../store/disk.ts";
import { commonFolder, textAt } from "./_folders.ts";

export interface Beginning {
  readonly commit: string;
  /** The branch it is on. */
  readonly branch: string;
  /** One that the agent may compare with; null: none. */
  readonly other: string | null;
}

/** `folder`: its `.git`. `root`: the project. */
export async function writeRepository(
  folder: string,
  root: string,
  { commit, branch, other }: Beginning,
): Promise<void> {
  const common = commonFolder({ cwd: root });
  for (const name of ["objects/info", "objects/pack", "refs/heads", "refs/tags"])
    await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, "config"), configOf(commit, false));
  await writeFile(join(folder, alternates), `${quoted(join(common, "objects"))}\n`);
  await copyFile(join(common, "shallow"), join(folder, "shallow")).catch(unlessMissing);
  await writeRef(folder, branch, commit);
  // A name that does not go with ours is not worth failing for.
  if (other !== null && other !== branch)
    await writeRef(folder, other, commit).catch(() => undefined);
  // With this it is a repository.
  await writeFile(join(folder, "HEAD"), `ref: refs/heads/${branch}\n`);
}

export interface Bare {
  /** Any id of its format. */
  readonly base: string;
  /** The project whose history it is about; null: none. */
  readonly root: string | null;
  /** Does it read the project's objects where they are? */
  readonly shared: boolean;
}

export async function writeBare(folder: string, { base, root, shared }: Bare): Promise<void> {
  for (const name of ["info", "objects/info", "objects/pack", "refs/holdfast"])
    await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
  await writeFile(join(folder, "config"), configOf(base, true));
  if (root !== null) {
    const common = commonFolder({ cwd: root });
    await copyFile(join(common, "shallow"), join(folder, "shallow")).catch(unlessMissing);
    if (shared) await writeFile(join(folder, alternates), `${quoted(join(common, "objects"))}\n`);
  }
  await writeFile(join(folder, "HEAD"), "ref: refs/heads/none\n");
}

/** The project may have been moved since. */
export async function followProject(folder: string, root: string): Promise<void> {
  const line = `${quoted(join(commonFolder({ cwd: root }), "objects"))}\n`;
  const said = textAt(join(folder, alternates));
  if (said !== "" && said !== line) await writeFile(join(folder, alternates), line);
}

// --- internal ---

/** Says which other objects a repository reads. */
const alternates = "objects/info/alternates";

/** Ids of SHA-256 are longer, and such a repository says what it is. */
function configOf(commit: string, bare: boolean): string {
  const [version, more] =
    commit.length > 40 ? [1, "[extensions]\n\tobjectFormat = sha256\n"] : [0, ""];
  return `[core]\n\trepositoryformatversion = ${version}\n\tfilemode = true\n\tbare = ${bare}\n\tlogallrefupdates = ${!bare}\n${more}`;
}

async function writeRef(folder: string, branch: string, commit: string): Promise<void> {
  const path = join(folder, "refs/heads", branch);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${commit}\n`);
}

/** As git reads a line that begins with a quote, or would be a remark. */
function quoted(path: string): string {
  return /^[#"]/.test(path) ? `"${path.replaceAll(/["\\]/g, "\\$&")}"` : path;
}

function unlessMissing(cause: unknown): void {
  if (codeOf(cause) !== "ENOENT") throw cause;
}
