// What a task has on the disk, by its places: told to whoever measures it (S1.21c), and removed with
// the task, or before it where it is not kept any longer. Ends the same however often it is repeated.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { runFolder } from "../agents/run.ts";
import type { Supervisor } from "../agents/supervisor.ts";
import { removeCopy } from "./_effect-copy.ts";
import type { TaskState } from "./state.ts";
import { zipsOf } from "./zip-place.ts";
import { removeFolder, removeWorkspace, taskPlaces } from "../git/workspace.ts";

export interface RemoveParts {
  readonly home: string;
  readonly supervisor: Supervisor;
  readonly graceMs: number;
}

export async function removeFiles(
  { home, supervisor, graceMs }: RemoveParts,
  { task, entities }: TaskState,
): Promise<void> {
  for (const id of entities.process.keys()) {
    await supervisor.end(id, { graceMs });
    await supervisor.removeRun(runFolder(home, id));
  }
  for (const id of entities.agent.keys()) {
    // A verifier's copy may be there still; its folders are closed.
    await removeCopy(copyFolder(home, id));
    await rm(agentFolder(home, id), { recursive: true, force: true });
  }
  const places = taskPlaces(home, task.id);
  await removeWorkspace(places);
  await removeFolder(places.kept);
  for (const path of zipsOf(home, task.id)) await rm(path, { force: true });
}

/** Files and folders: output, the agents' own, the tree, its snapshots, what was kept of trees, the ZIP. */
export function placesOf(home: string, { task, entities }: TaskState): string[] {
  const { workspace, setupLog, trees, kept } = taskPlaces(home, task.id);
  return [
    ...[...entities.process.keys()].map((id) => runFolder(home, id)),
    ...[...entities.agent.keys()].map((id) => agentFolder(home, id)),
    workspace,
    setupLog,
    trees.repository,
    kept,
    ...zipsOf(home, task.id),
  ];
}

/** Of a verifier. */
export function copyFolder(home: string, agentId: string): string {
  return join(agentFolder(home, agentId), "tree");
}

export function agentFolder(home: string, agentId: string): string {
  return join(home, "agents", agentId);
}
