// A submodule of the project in a clone: empty, or as the project has it, or changed. It is another
// repository, so nothing of it can be part of what a unit makes; that it is unchanged is found without
// running git in it: our own repository looks at its files, with its objects to look things up in.
import { readdirSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { absolute, lookInside, readInside } from "./files.ts";
import { type Trees, treePlace } from "./trees.ts";
import { type GitPlace, tryGit } from "./git.ts";

/** `id`: the commit the project has; `moved`: its own HEAD is another. `path`: Latin-1, a letter a byte. */
export async function isChanged(
  trees: Trees,
  path: string,
  { id, moved }: { readonly id: string; readonly moved: boolean },
): Promise<boolean> {
  const bytes = Buffer.from(path, "latin1");
  const { kind } = lookInside(trees.workTree, bytes);
  if (kind === "missing") return false;
  if (kind !== "folder") return true;
  const folder = absolute(trees.workTree, bytes);
  if (isEmpty(folder)) return false;
  const objects = moved ? undefined : objectsOf(trees, path);
  if (objects === undefined) return true;
  const index = join(trees.repository, "submodule.index");
  const workTree = folder.toString("utf8");
  const place: GitPlace = { ...treePlace(trees), workTree, index, objects };
  try {
    // What cannot be compared counts as changed: it is told, and nothing of it is lost.
    if ((await tryGit(["read-tree", id], place)).code !== 0) return true;
    const args = ["ls-files", "-z", "-o", "-d", "-m", "--exclude-standard"];
    const { code, stdout, cut } = await tryGit(args, { ...place, cut: true, maxOutput: 4_096 });
    return cut || code !== 0 || stdout.length > 0;
  } finally {
    await rm(index, { force: true });
  }
}

// --- internal ---

function isEmpty(folder: Buffer): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return false;
  }
}

/** Inside the clone only; undefined: it is no repository, or keeps its objects elsewhere. */
function objectsOf({ workTree }: Trees, path: string): string | undefined {
  const shown = Buffer.from(path, "latin1").toString("utf8");
  const inside = `${shown}/.git`;
  const { kind } = lookInside(workTree, inside);
  const said = kind === "file" ? readInside(workTree, inside, 4_096)?.toString("utf8") : undefined;
  const [, place] = /^gitdir: (.+)\n?$/.exec(said ?? "") ?? [];
  if (kind !== "folder" && place === undefined) return undefined;
  const gitDir = kind === "folder" ? join(workTree, inside) : resolve(workTree, shown, place ?? "");
  try {
    const objects = realpathSync(join(gitDir, "objects"));
    return objects.startsWith(realpathSync(workTree) + sep) ? objects : undefined;
  } catch {
    return undefined;
  }
}
