// The project that a look is about: the one that is named, else the one of the caller's folder. A
// server has many, and the page shows any of them.
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { ProjectRow } from "../../store/database/store.ts";
import type { Context } from "../operation.ts";

/** Its folder; nothing is made. */
export async function rootOf(context: Context, name: string | undefined): Promise<string> {
  return name === undefined ? context.project.root : (await namedProject(context, name)).root;
}

/** By its id or its folder. */
export async function namedProject(context: Context, name: string): Promise<ProjectRow> {
  const all = (await (await context.existingStore())?.projects()) ?? [];
  const found = all.find(({ id, root }) => id === name || root === name);
  if (found !== undefined) return found;
  throw new Fault("not_found", msg("task.unknown_project", { name }), {
    hint: msg("task.unknown_project.hint"),
  });
}

/** The row of the one that is meant; undefined: nothing ever happened there. */
export async function projectOf(
  context: Context,
  name: string | undefined,
): Promise<ProjectRow | undefined> {
  if (name !== undefined) return namedProject(context, name);
  return (await context.existingStore())?.projectAt(context.project.root);
}
