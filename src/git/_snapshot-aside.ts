// Files that restoring would overwrite or remove though no snapshot holds them: too large, holding a
// secret, ignored, or changed since. They are moved out of the way and their new place is told.
import { createHash } from "node:crypto";
import { closeSync, fstatSync } from "node:fs";
import { mkdir, mkdtemp, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { absolute, chunksOf, lookInside, openInside } from "./files.ts";
import { type Entry, bytesOf, entriesAt, indexEntries, shown } from "./_snapshot-list.ts";
import { type Trees, treePlace } from "./trees.ts";
import { git } from "./git.ts";

export interface SetAside {
  readonly path: string;
  /** Where it lies now. */
  readonly to: string;
}

export async function setAside(trees: Trees, commit: string): Promise<SetAside[]> {
  const wanted = await entriesAt(trees, commit);
  const tracked = await indexEntries(trees);
  const changed = await git(["ls-files", "-z", "-m"], treePlace(trees));
  const paths = new Set(changed.toString("latin1").split("\0").slice(0, -1));
  for (const path of wanted.keys()) if (!tracked.has(path)) paths.add(path);
  const moved: SetAside[] = [];
  let folder: string | undefined;
  for (const path of paths) {
    // A link is where it points: nothing is lost with it that is not in its name.
    if (lookInside(trees.workTree, bytesOf(path)).kind !== "file") continue;
    if (isSame(trees, path, wanted.get(path))) continue;
    folder ??= await mkdtemp(join(trees.repository, "set-aside-"));
    const to = join(folder, shown(path));
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await rename(absolute(trees.workTree, bytesOf(path)), to);
    moved.push({ path: shown(path), to });
  }
  return moved;
}

// --- internal ---

/** What an interrupted restore had put there already. */
function isSame(trees: Trees, path: string, entry: Entry | undefined): boolean {
  const handle = entry === undefined ? undefined : openInside(trees.workTree, bytesOf(path));
  if (entry === undefined || handle === undefined) return false;
  try {
    const hash = createHash(entry.id.length === 64 ? "sha256" : "sha1");
    hash.update(`blob ${fstatSync(handle).size}\0`);
    for (const chunk of chunksOf(handle)) hash.update(chunk);
    return hash.digest("hex") === entry.id;
  } finally {
    closeSync(handle);
  }
}
