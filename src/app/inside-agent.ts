// Does this call come from inside an agent's process tree (S1.7c)? Some things are for people to decide; an
// agent that forgot its variables, or was told to drop them, is still an agent.
import { tagName } from "../agents/names.ts";
import { processes } from "../os/processes.ts";
import type { Context } from "./operation.ts";

export function isInsideAgent({ caller }: Pick<Context, "caller">): boolean {
  if (caller !== null) return true;
  let row = processes.at(process.pid);
  for (let depth = 0; depth < deepest && row !== undefined && row.parent > 1; depth++) {
    if (processes.variable(row.parent, tagName) !== undefined) return true;
    row = processes.at(row.parent);
  }
  return false;
}

// --- internal ---

const deepest = 64;
