// May a session that ends its turn hold units of an orchestrate run, or of a request? Asked at every
// turn, so it loads nothing: the files alone say that nothing is in progress, and most of the time
// nothing is.
import { dirname, join } from "node:path";
import { kindOf, textAt } from "../os/look.ts";

/** False is certain; true is for who knows the claims to find out. */
export function mayOrchestrate(cwd: string): boolean {
  return inProject(cwd, hasProgress);
}

/** The same of a request. */
export function mayRequest(cwd: string): boolean {
  return inProject(
    cwd,
    (folder) => kindOf(join(folder, ".claude/orchestrator/sessions")) === "folder",
  );
}

// --- internal ---

function inProject(cwd: string, has: (folder: string) => boolean): boolean {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (has(folder)) return true;
    const git = kindOf(join(folder, ".git"));
    // A worktree: the project's root is somewhere else.
    if (git === "file") return true;
    if (git === "folder" || dirname(folder) === folder) return false;
  }
}

function hasProgress(folder: string): boolean {
  const text = textAt(join(folder, ".claude", "orchestrate-state.json"));
  return /"in_progress"\s*:\s*\[\s*"/.test(text);
}
