// A plan's state against its history (S3.7): told by `doctor`, put right by `doctor --fix`.
import { type Message, msg } from "../../core/messages.ts";
import { type Codec, loadCodec } from "../../formats/codec.ts";
import { formats } from "../../formats/registry.ts";
import type { TaskHistory } from "../../formats/task-history.ts";
import type { TaskState } from "../../formats/task-state.ts";
import { backup } from "../../store/backups.ts";
import type { Documents } from "../../store/documents.ts";
import { resolvePath } from "../../store/files.ts";
import { reconcile } from "../../workflows/plan/reconcile.ts";
import type { Context } from "../operation.ts";
import { lookAround } from "./_look.ts";
import type { Line } from "./doctor.ts";

export const memoryPath = formats["task-state"].path;

/** What does not fit, as the files lie there; nothing if one is missing or can not be read. */
export async function disagreements({ project: { root } }: Context): Promise<readonly Message[]> {
  const looked = lookAround(root);
  const state = await looked.at(memoryPath, "task-state");
  const history = await looked.at(formats["task-history"].path, "task-history");
  return state && history ? reconcile(state, history, now()).done : [];
}

export async function checkMemory(context: Context): Promise<Line[]> {
  return (await disagreements(context)).map((message) => ({
    topic: "documents",
    level: "notice",
    path: memoryPath,
    message,
    hint: msg("doctor.memory.hint"),
  }));
}

/** Under both locks, so that the history can not move on meanwhile; a copy is made first (S3.5). */
export async function reconcileMemory(
  context: Context,
  documents: Documents,
): Promise<readonly Message[]> {
  const { root } = context.project;
  const state = { path: resolvePath(root, memoryPath), format: "task-state" } as const;
  const history = {
    path: resolvePath(root, formats["task-history"].path),
    format: "task-history",
  } as const;
  const codec = (await loadCodec(state.format)) as Codec<unknown>;
  const { disk, random } = await context.lockWorld();
  await backup(state, { disk, codec, now: () => new Date(), random });
  const done = await documents.update({
    files: [state, history],
    event: { type: "reconcile" },
    apply: (all) => {
      const [before, ended] = [all.get(state.path), all.get(history.path)];
      if (!before || !ended) return { documents: new Map(), result: [] };
      const made = reconcile(before as TaskState, ended as TaskHistory, now());
      return { documents: new Map([[state.path, made.state]]), result: made.done };
    },
  });
  return done.map((what) => msg("doctor.fixed.memory", { path: memoryPath, what }));
}

// --- internal ---

const now = (): string => new Date().toISOString();
