// A verifier's own copy of a snapshot, to read only (S1.14): what it does there reaches nobody, and what
// the other agent does meanwhile does not reach it. Ends the same however often it is repeated.
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../store/disk.ts";
import { type Trees, exclusively, storedPlace } from "../git/trees.ts";
import { git } from "../git/git.ts";

export async function makeCopy(trees: Trees, commit: string, folder: string): Promise<void> {
  await removeCopy(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const index = `${folder}.index`;
  await exclusively(trees, async () => {
    // An index of its own: the snapshots' one remembers the workspace.
    await rm(index, { force: true });
    const place = { ...storedPlace(trees), workTree: folder, index };
    await git(["read-tree", "--reset", "-u", "--end-of-options", commit], place);
    await rm(index, { force: true });
  });
  await setModes(folder, 0o500, 0o222);
}

export async function removeCopy(folder: string): Promise<void> {
  await setModes(folder, 0o700, 0);
  await rm(folder, { recursive: true, force: true });
}

// --- internal ---

/** Folders get a mode; files lose what is in `without`. Links are left alone. */
async function setModes(folder: string, mode: number, without: number): Promise<void> {
  try {
    // First where a folder is to be opened, last where it is to be closed.
    if (without === 0) await chmod(folder, mode);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await setModes(path, mode, without);
      else if (entry.isFile() && without !== 0) await chmod(path, 0o555 & ~without);
    }
    if (without !== 0) await chmod(folder, mode);
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT") throw cause;
  }
}
