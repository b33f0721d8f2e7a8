// A plan's state against its history (S3.7): told by `doctor`, put right by `doctor --fix`.
import { type Message, msg } from "../../core/messages.ts";
import { formats } from "../../formats/registry.ts";
import type { Documents } from "../../store/documents.ts";
import { reconcile } from "../../workflows/plan/reconcile.ts";
import type { Context } from "../operation.ts";
import { takePlanStep } from "../_plan-step.ts";
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

/** The plan's own step, as the next one would take it. */
export async function reconcileMemory(
  context: Context,
  documents: Documents,
): Promise<readonly Message[]> {
  const done = await takePlanStep(context, { event: { on: "settle" }, owner: null }, documents);
  const told = done.ok ? done.told : [];
  return told.map((what) => msg("doctor.fixed.memory", { path: memoryPath, what }));
}

// --- internal ---

const now = (): string => new Date().toISOString();
