// The index of one project: where it lies, and what it is brought up to.
import { join } from "node:path";
import { projectHash } from "../../core/ids.ts";
import { realDisk } from "../../store/disk.ts";
import { type Home, checkHome, makeHome } from "../../store/home.ts";
import { projectHere, rootsOf } from "../../store/moved.ts";
import { isDamage, openRecall, recallFault } from "../../store/recall/recall.ts";
import type { Context } from "../operation.ts";
import { type Past, catchUp } from "./catch-up.ts";

/** One file a project: who asks about one does not pay for the others. */
export function recallFile(home: Home, root: string): string {
  return join(home.path, "recall", `${projectHash(root)}.db`);
}

/** Opens it as it is now; `anew`: whatever there was is thrown away first. */
export async function withPast<T>(
  context: Context,
  root: string,
  anew: boolean,
  use: (past: Past) => T | Promise<T>,
): Promise<T> {
  const { home } = context;
  checkHome(home, root);
  makeHome(home);
  const file = recallFile(home, root);
  const recall = openRecall(file, root, anew);
  try {
    const known = await knownOf(context, root);
    const past: Past = {
      recall,
      root,
      home: home.path,
      now: Date.now,
      ...(known ? { known } : {}),
    };
    await catchUp(past);
    return await use(past);
  } catch (cause) {
    // Found while it was used: whatever it was, a new one has it not.
    if (anew || !isDamage(file, cause)) throw recallFault(file, cause);
    return await withPast(context, root, true, use);
  } finally {
    recall.close();
  }
}

// --- internal ---

async function knownOf(context: Context, root: string): Promise<Past["known"]> {
  const store = await context.existingStore();
  if (store === undefined) return undefined;
  const { project } = await projectHere(root, store, realDisk);
  if (project === undefined) return undefined;
  const roots = [...new Set([root, ...(await rootsOf(project, store))])];
  return { store, projectId: project.id, roots };
}
