// A run of the plan, carried out by itself (S2.6): begun or gone on with here, and followed to its end.
import type { Message } from "../../core/messages.ts";
import type { Task } from "../../engine/state.ts";
import type { TaskRow } from "../../store/database/store.ts";
import { readRows } from "../_session-orchestrate-rows.ts";
import { answerTo } from "../conduct/answer.ts";
import { agentFor, fitProject } from "../conduct/fit.ts";
import { runOwner } from "../conduct/orchestrate.ts";
import { letRun, runOf } from "../conduct/row.ts";
import { linkedBranch } from "../../git/target.ts";
import type { Context } from "../operation.ts";
import { begin, begun, commandFolder } from "./_orchestrate-runs.ts";
import type { Input, Part } from "./orchestrate.ts";

export const carryOut: Part = async (context, given) => {
  // A run that sessions work through goes on as such.
  if (given.resume && (await isForSessions(context))) return begin(context, given);
  const { id, says } = await beginRun(context, given);
  // Nothing was left to do, so nothing was begun.
  if (id === undefined) return { line: "ALL_DONE", says };
  const end = await context.carryOut(id);
  return { task: id, ...answerTo(end, { workflow: "orchestrate", id }, says) };
};

/** The run is there, and whoever serves this home carries it out. */
export async function beginRun(
  context: Context,
  given: Input,
): Promise<{ readonly id: string | undefined; readonly says: Message[] }> {
  const linked = linkedBranch(context.project.root, commandFolder(context));
  await fitProject(context, given.resume === true, given.onto ?? linked);
  const before = await underWay(context);
  const agent = await agentFor(context, given.agent, before);
  const store = await context.store();
  const { id: projectId } = await context.projectRow();
  // As the run itself: what its agents are at work on stays with them.
  const session = before === undefined ? given.session : runOwner(before.id).session;
  const { says } = await begun(context, { ...given, session });
  const { task } = await readRows(store, projectId);
  if (task === undefined || task.status === "completed") return { id: undefined, says };
  await letRun(store, task.id, { agent, script: given.script }, Date.now());
  return { id: task.id, says };
}

// --- internal ---

async function isForSessions(context: Context): Promise<boolean> {
  const task = await underWay(context);
  return task !== undefined && runOf(task as Task) === undefined;
}

/** The run that is not over yet. */
async function underWay(context: Context): Promise<TaskRow | undefined> {
  const store = await context.existingStore();
  if (store === undefined) return undefined;
  const { task } = await readRows(store, (await context.projectRow()).id);
  return task?.status === "in_progress" ? task : undefined;
}
