// A run of the plan, carried out by itself (S2.6): begun or gone on with here, and followed to its end.
import { requireAgent } from "../../agents/adapters/adapters.ts";
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import type { Task } from "../../engine/state.ts";
import { checkProject } from "../../engine/workspace.ts";
import { builtInPrograms } from "../_engine.ts";
import { createSettings } from "../_settings.ts";
import { readRows } from "../_session-orchestrate-rows.ts";
import { runOwner } from "../conduct/orchestrate.ts";
import { letRun, runOf } from "../conduct/row.ts";
import type { RunEnd } from "../conduct/run.ts";
import type { Context } from "../operation.ts";
import { begin, begun } from "./_orchestrate-runs.ts";
import type { Input, Orchestrated, Part } from "./orchestrate.ts";

export const carryOut: Part = async (context, given) => {
  // A run that sessions work through goes on as such.
  if (given.resume && (await isForSessions(context))) return begin(context, given);
  const { id, says } = await beginRun(context, given);
  // Nothing was left to do, so nothing was begun.
  if (id === undefined) return { line: "ALL_DONE", says };
  const end = await context.carryOut(id);
  return { task: id, ...answerTo(end, id, says) };
};

/** The run is there, and whoever serves this home carries it out. */
export async function beginRun(
  context: Context,
  given: Input,
): Promise<{ readonly id: string | undefined; readonly says: Message[] }> {
  await fitProject(context, given);
  const agent = await agentFor(context, given);
  const store = await context.store();
  const { id: projectId } = await context.projectRow();
  const before = (await readRows(store, projectId)).task;
  // As the run itself: what its agents are at work on stays with them.
  const session = before?.status === "in_progress" ? runOwner(before.id).session : given.session;
  const { says } = await begun(context, { ...given, session });
  const { task } = await readRows(store, projectId);
  if (task === undefined || task.status === "completed") return { id: undefined, says };
  await letRun(store, task.id, { agent, script: given.script }, Date.now());
  return { id: task.id, says };
}

// --- internal ---

async function isForSessions(context: Context): Promise<boolean> {
  const store = await context.existingStore();
  const project = await store?.projectAt(context.project.root);
  if (store === undefined || project === undefined) return false;
  const { task } = await readRows(store, project.id);
  return task?.status === "in_progress" && runOf(task as Task) === undefined;
}

/** Before anything begins: a tree that can not be worked in is told to who asks (S1.21d). */
async function fitProject({ project }: Context, { resume }: Input): Promise<void> {
  const checked = await checkProject(project.root, { startsEmpty: false });
  // What somebody changed since the run began is merged around; only where it is in the way is it told.
  if (!checked.ok && resume && checked.reason === "dirty") return;
  if (!checked.ok) throw new Fault("refused", checked.text, { hint: checked.hint });
}

async function agentFor(context: Context, { agent }: Input): Promise<string> {
  const { id } = await context.projectRow();
  const settings = await createSettings(await context.store()).of(id);
  const named = agent ?? settings?.agent ?? "sample";
  requireAgent(named, builtInPrograms(context.env));
  return named;
}

function answerTo(
  end: RunEnd | null,
  id: string,
  says: readonly Message[],
): Pick<Orchestrated, "line" | "says" | "ended"> {
  if (end === null) return { line: `STARTED:${id}`, says: [...says] };
  if (end.kind === "left")
    return { line: "LEFT", says: [msg("conduct.left", { id })], ended: "left" };
  if (end.kind === "held") {
    const reasons = [msg("conduct.held", { why: end.why }), msg("conduct.held.hint")];
    return { line: "HELD", says: reasons, ended: "held" };
  }
  const why = end.why === "" ? [] : [msg("conduct.why", { why: end.why })];
  const line = end.result === "completed" ? "ALL_DONE" : "FAILED";
  return { line, says: why, ended: end.result };
}
