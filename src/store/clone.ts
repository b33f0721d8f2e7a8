// Does a folder lie in a clone that we handed out (S2.11)? Its path says so, and what to make of it is
// written beside the clone, in the home. What is inside belongs to the agent: it may be forged, begun
// anew or gone, and is not looked at. Asked at every turn of an agent, so it loads nothing.
import { basename, dirname, join } from "node:path";
import { kindOf, realPath } from "../os/look.ts";

export interface Clone {
  /** A real path, as the next. */
  readonly home: string;
  /** `<home>/workspaces/<id>`: git/workspace.ts makes it. */
  readonly folder: string;
}

/**
 * Of a real path. `home`: that of who asks, known as one even where its database is gone; any other
 * place is no home, and a folder in it anybody's. The outermost wins: what an agent makes inside its
 * clone to look like one is none.
 */
export function cloneAround(path: string, home?: () => string): Clone | undefined {
  // Nearly every path is done with here.
  if (!path.includes(`/workspaces/${idsBegin}`)) return undefined;
  const own = home === undefined ? null : realPath(home());
  let found: Clone | undefined;
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    const above = dirname(folder);
    if (basename(above) !== "workspaces" || !basename(folder).startsWith(idsBegin)) continue;
    const around = dirname(above);
    if (around === own || kindOf(join(around, "holdfast.db")) === "file")
      found = { home: around, folder };
  }
  return found;
}

// --- internal ---

const idsBegin = "task_";
