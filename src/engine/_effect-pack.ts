// What a completed task leaves: its deliverables in one file, and the result as a branch of the
// project where that has a history.
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { render } from "../core/messages.ts";
import { bringUnit } from "../git/unit.ts";
import type { EffectResult } from "./inputs.ts";
import type { Task } from "./state.ts";
import { type TaskPlaces, fetchResult } from "../git/workspace.ts";
import { zipDeliverables } from "./zip.ts";

export interface Packing {
  readonly task: Task;
  readonly places: TaskPlaces;
  readonly out: string;
  readonly secrets: readonly string[];
  readonly root: string;
  /** The snapshot that is the result; null: the task began in an empty folder. */
  readonly commit: string | null;
  readonly at: number;
}

export async function packResult(packing: Packing): Promise<EffectResult> {
  const { task, places, out, secrets, root, commit, at } = packing;
  const { workspace, document, title, language, order } = task.data;
  if (workspace === null || document === null) return { kind: "done" };
  if (order !== undefined && commit !== null) {
    // One part of a run: whoever carries that out merges it.
    const { task: run, key, base } = order;
    await bringUnit(places, { root, run }, { key, snapshot: commit, base, subject: title, at });
    return { kind: "done" };
  }
  const declared = document.type.phases.flatMap(({ deliverables }) => deliverables);
  await mkdir(dirname(out), { recursive: true, mode: 0o700 });
  const { leftOut } = await zipDeliverables({
    folder: workspace.folder,
    files: declared.length > 0 ? declared.map(({ path }) => path) : "all",
    out,
    secrets,
  });
  const notices = leftOut.map(({ text }) => render(language, text));
  if (commit !== null) {
    const message = `${title}\n\n${task.id}\n`;
    const result = { commit, base: workspace.base, message, at };
    const fetched = await fetchResult(places, root, result);
    if (!fetched.ok) notices.push(render(language, fetched.text));
  }
  return { kind: "noticed", notices };
}
