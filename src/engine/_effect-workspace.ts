// A task's tree, made and set up (S1.21d). Repeated after a crash it goes on with what is whole.
import { msg, render } from "../core/messages.ts";
import type { ProjectSettings } from "../formats/project-settings.ts";
import type { TaskType } from "../workflows/phases/phases.ts";
import type { Effect } from "./_effect.ts";
import type { Live } from "./_live.ts";
import type { Swapped } from "./decide/workspace.ts";
import type { EffectResult } from "./inputs.ts";
import { runSetup } from "./setup.ts";
import type { Task } from "./state.ts";
import { lookAtFolder } from "../git/made.ts";
import type { Trees } from "../git/trees.ts";
import {
  type ProjectCheck,
  type TaskPlaces,
  checkProject,
  makeWorkspace,
} from "../git/workspace.ts";

export interface WorkspaceWish {
  readonly task: Task;
  readonly type: TaskType;
  readonly root: string;
  readonly places: TaskPlaces;
  readonly settings: ProjectSettings | undefined;
  /** For the project's own command. */
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}

export async function prepareWorkspace(wish: WorkspaceWish): Promise<EffectResult> {
  const { task, type, root, places, settings, env, secrets, signal } = wish;
  const { language, order } = task.data;
  const checked =
    order === undefined ? await checkProject(root, type) : beginningOf(order.base, order.branch);
  if (!checked.ok) {
    const message = `${render(language, checked.text)} ${render(language, checked.hint)}`;
    return { kind: "failed", message };
  }
  const { folder, base } = await makeWorkspace(places, root, checked.start);
  const notices = checked.notices.map((text) => render(language, text));
  if (settings?.setup !== undefined) {
    // Beside the workspace: in it, it would be part of the result.
    const { setupLog: log } = places;
    const set = await runSetup({ command: settings.setup, folder, env, log, secrets, signal });
    if (signal.aborted) return { kind: "done" };
    if (!set.ok) {
      const message = `${render(language, set.text)}\n${set.output}`;
      // Written for a copy of the project: in an empty folder `npm ci` has nothing to go by, and
      // what is missing there is what the task is to make.
      if (base !== null) return { kind: "failed", message };
      notices.push(render(language, msg("workspace.setup.empty", { message })));
    }
  }
  return { kind: "workspace", workspace: { folder, base }, notices };
}

/** What an effect must not read or begin, because the workspace is gone or something else stands there. */
export function swappedFor(
  { name, data }: Effect,
  { state: { task, entities } }: Live,
  trees: Trees,
): Swapped | undefined {
  if (task.data.workspace === null) return undefined;
  const { process, agent: of } = data;
  const started =
    name === "start" && typeof process === "string" ? entities.process.get(process) : undefined;
  const agent = entities.agent.get(started?.data.agentId ?? (typeof of === "string" ? of : ""));
  // A verifier has a copy of its own.
  if (agent === undefined || agent.data.role === "verifier") return undefined;
  const works = agent.status === "running" && agent.data.slot;
  const looks = name === "snapshot" || name === "verify" || (name === "settle" && works);
  if (!looks && started?.status !== "starting") return undefined;
  if (lookAtFolder(trees) === "ours") return undefined;
  return { path: trees.workTree, agent: agent.id, process: started?.id };
}

// --- internal ---

/** Of one order of a run: where its branch stands, whatever the checked-out tree is like. */
function beginningOf(head: string, branch: string | null): ProjectCheck & { ok: true } {
  return { ok: true, start: { kind: "git", head, branch }, notices: [] };
}
