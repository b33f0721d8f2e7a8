// What a completed task leaves to others: its result as a branch of the project where that has a history,
// or as a part of the run that ordered it. It is the snapshot that was approved, whatever the workspace
// holds by now; the ZIP is made of the same one when somebody asks for it.
import { render } from "../core/messages.ts";
import { bringUnit } from "../git/unit.ts";
import type { EffectResult } from "./inputs.ts";
import type { Task } from "./state.ts";
import type { Taken } from "../git/snapshot.ts";
import { type TaskPlaces, fetchResult } from "../git/workspace.ts";

export interface Packing {
  readonly task: Task;
  readonly places: TaskPlaces;
  readonly root: string;
  /** The snapshot that is the result; null: the task began in an empty folder. */
  readonly result: Pick<Taken, "commit"> | null;
  readonly at: number;
}

export async function packResult(packing: Packing): Promise<EffectResult> {
  const { task, places, root, result, at } = packing;
  const { workspace, title, language, order } = task.data;
  if (workspace === null || result === null) return { kind: "done" };
  if (order !== undefined) {
    // One part of a run: whoever carries that out merges it.
    const { task: run, key, base } = order;
    await bringUnit(places, { root, run }, { key, snapshot: result, base, subject: title, at });
    return { kind: "done" };
  }
  const message = `${title}\n\n${task.id}\n`;
  const wanted = { snapshot: result, base: workspace.base, message, at };
  const fetched = await fetchResult(places, root, wanted);
  return { kind: "noticed", notices: fetched.ok ? [] : [render(language, fetched.text)] };
}
