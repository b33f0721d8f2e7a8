// May a session that ends its turn hold units of an orchestrate run? Asked at every turn, so it loads
// nothing: the file alone says that nothing is in progress, and most of the time nothing is.
import { lstat, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** False is certain; true is for who knows the claims to find out. */
export async function mayOrchestrate(cwd: string): Promise<boolean> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (await hasProgress(folder)) return true;
    const git = await lstat(join(folder, ".git")).catch(() => undefined);
    // A worktree: the project's root is somewhere else.
    if (git?.isFile()) return true;
    if (git?.isDirectory() || dirname(folder) === folder) return false;
  }
}

// --- internal ---

async function hasProgress(folder: string): Promise<boolean> {
  const path = join(folder, ".claude", "orchestrate-state.json");
  const text = await readFile(path, "utf8").catch(() => "");
  return /"in_progress"\s*:\s*\[\s*"/.test(text);
}
