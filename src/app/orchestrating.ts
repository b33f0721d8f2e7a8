// May a session that ends its turn hold units of a run? Asked at every turn, so it loads nothing: the
// file alone says that nothing is in progress, and most of the time nothing is.
import { dirname, join } from "node:path";
import { kindOf, textAt } from "../os/look.ts";

/** That it is none is certain; which it may be is for who knows the claims to find out. */
export function mayHold(cwd: string): (keyof typeof progress)[] {
  const all = ["orchestrate", "develop", "plan"] as const;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = all.filter((workflow) => hasProgress(folder, workflow));
    if (found.length > 0) return found;
    const git = kindOf(join(folder, ".git"));
    // A worktree: the project's root is somewhere else.
    if (git === "file") return [...all];
    if (git === "folder" || dirname(folder) === folder) return [];
  }
}

// --- internal ---

const progress = {
  orchestrate: { path: ".claude/orchestrate-state.json", under: /"in_progress"\s*:\s*\[\s*"/ },
  develop: { path: ".develop-workflow/state.yaml", under: /\bin_progress\b/ },
  // Beyond the plan's own status, a step's.
  plan: {
    path: ".claude/memory/task-state.json",
    under: /"steps"[^]*"status"\s*:\s*"in_progress"/,
  },
} as const;

function hasProgress(folder: string, workflow: keyof typeof progress): boolean {
  const { path, under } = progress[workflow];
  return under.test(textAt(join(folder, path)));
}
