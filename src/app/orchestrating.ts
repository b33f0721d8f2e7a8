// May a session that ends its turn hold units of an orchestrate run, or steps of a plan? Asked at every
// turn, so it loads nothing: the files alone say that nothing is in progress, and most of the time
// nothing is.
import { dirname, join } from "node:path";
import { kindOf, textAt } from "../os/look.ts";

/** False is certain; true is for who knows the claims to find out. */
export function mayOrchestrate(cwd: string): boolean {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (hasProgress(folder)) return true;
    const git = kindOf(join(folder, ".git"));
    // A worktree: the project's root is somewhere else.
    if (git === "file") return true;
    if (git === "folder" || dirname(folder) === folder) return false;
  }
}

// --- internal ---

function hasProgress(folder: string): boolean {
  const text = textAt(join(folder, ".claude", "orchestrate-state.json"));
  if (/"in_progress"\s*:\s*\[\s*"/.test(text)) return true;
  // Beyond the plan's own status, a step's.
  const plan = textAt(join(folder, ".claude", "memory", "task-state.json"));
  const steps = plan.indexOf('"steps"');
  return steps >= 0 && /"status"\s*:\s*"in_progress"/.test(plan.slice(steps));
}
