// May a session that ends its turn hold units of a run? Asked at every turn, so it loads nothing: the
// files alone say that nothing is in progress, and most of the time nothing is.
import { dirname, join } from "node:path";
import { kindOf, realPath, textAt } from "../os/look.ts";
import { cloneAround } from "../store/clone.ts";

/** That it is none is certain; which it may be is for who knows the claims to find out. */
export function mayHold(cwd: string): (keyof typeof progress)[] {
  // A clone has copies at most: the run's own files are the project's. One that is gone holds nothing.
  const real = realPath(cwd);
  if (real !== null && cloneAround(real) !== undefined) return [...all];
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = all.filter((workflow) => progress[workflow](folder));
    if (found.length > 0) return found;
    const git = kindOf(join(folder, ".git"));
    // A worktree: the project's root is somewhere else.
    if (git === "file") return [...all];
    if (git === "folder" || dirname(folder) === folder) return [];
  }
}

// --- internal ---

const progress = {
  orchestrate: (folder: string): boolean =>
    /"in_progress"\s*:\s*\[\s*"/.test(textAt(join(folder, ".claude/orchestrate-state.json"))),
  develop: (folder: string): boolean =>
    /\bin_progress\b/.test(textAt(join(folder, ".develop-workflow/state.yaml"))),
  // Beyond the plan's own status, a step's.
  plan: (folder: string): boolean =>
    /"steps"[^]*"status"\s*:\s*"in_progress"/.test(
      textAt(join(folder, ".claude/memory/task-state.json")),
    ),
  // Its files lie deeper, by session and request: that there are any must do.
  request: (folder: string): boolean =>
    kindOf(join(folder, ".claude/orchestrator/sessions")) === "folder",
} as const;

const all = Object.keys(progress) as (keyof typeof progress)[];
