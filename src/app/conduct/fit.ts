// Before a run begins by itself: can its project be worked in, and is there somebody to work?
import { requireAgent } from "../../agents/adapters/adapters.ts";
import { Fault } from "../../core/errors.ts";
import { checkProject } from "../../git/workspace.ts";
import { builtInPrograms } from "../_engine.ts";
import { createSettings } from "../_settings.ts";
import type { Context } from "../operation.ts";

/** A tree that can not be worked in is told to who asks, before anything is written (S1.21d). */
export async function fitProject(
  { project }: Context,
  goesOn: boolean,
  onto?: string,
): Promise<void> {
  const checked = await checkProject(project.root, { startsEmpty: false });
  // Where it lands is recorded, or named: what is checked out does not matter.
  if (!checked.ok && (goesOn || onto !== undefined) && checked.reason === "detached") return;
  // What somebody changed since the run began is merged around; only where it is in the way is it told.
  if (!checked.ok && goesOn && checked.reason === "dirty") return;
  if (!checked.ok) throw new Fault("refused", checked.text, { hint: checked.hint });
}

/** The one that is named, else the project's. */
export async function agentFor(context: Context, named: string | undefined): Promise<string> {
  const { id } = await context.projectRow();
  const settings = await createSettings(await context.store()).of(id);
  const agent = named ?? settings?.agent ?? "sample";
  requireAgent(agent, builtInPrograms(context.env));
  return agent;
}
