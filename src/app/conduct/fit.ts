// Before a run begins by itself: can its project be worked in, and is there somebody to work?
import { isAbsolute, join } from "node:path";
import { Fault } from "../../core/errors.ts";
import { formats } from "../../formats/registry.ts";
import { requireGit } from "../../git/git.ts";
import { requireRepository } from "../../git/mark.ts";
import { hasHistory, requireIdentity } from "../../git/project.ts";
import { checkProject } from "../../git/workspace.ts";
import type { TaskRow } from "../../store/database/store.ts";
import { realDisk } from "../../store/disk.ts";
import { builtInPrograms } from "../_engine.ts";
import { readSettings } from "../_settings.ts";
import { chooseAgent, recordedAgent } from "../agent-choice.ts";
import type { Context } from "../operation.ts";

/** A tree that can not be worked in is told to who asks, before anything is written (S1.21d). */
export async function fitProject(
  { project, home, env }: Context,
  goesOn: boolean,
  onto?: string,
): Promise<void> {
  requireRepository(project.root, home.path);
  if (project.git !== null) await requireGit(env);
  if (await hasHistory(project.root)) await requireIdentity(project.root);
  const checked = await checkProject(project.root, { startsEmpty: false });
  // Where it lands is recorded, or named: what is checked out does not matter.
  if (!checked.ok && (goesOn || onto !== undefined) && checked.reason === "detached") return;
  // What somebody changed since the run began is merged around; only where it is in the way is it told.
  if (!checked.ok && goesOn && checked.reason === "dirty") return;
  if (!checked.ok) throw new Fault("refused", checked.text, { hint: checked.hint });
}

/**
 * Who works in a run: the one that is named, else the one it was begun with, else the project's. Nothing
 * is opened for it: a refusal leaves no trace.
 */
export async function agentFor(
  { project, env }: Context,
  named: string | undefined,
  run?: TaskRow,
): Promise<string> {
  const settings = await readSettings(join(project.root, formats["project-settings"].path));
  const programs = builtInPrograms(env);
  // A path is looked for in the clone, which is made from the project.
  const isThere = (program: string): boolean =>
    isRelative(program)
      ? realDisk.stamp(join(project.root, program)) !== null
      : (programs.isThere?.(program) ?? true);
  const machine = { env, programs: { ...programs, isThere } };
  return chooseAgent(machine, { named: named ?? recordedAgent(run), settings });
}

// --- internal ---

function isRelative(program: string): boolean {
  return program.includes("/") && !isAbsolute(program);
}
