// Who works on a unit: an agent of a run that goes by itself, or a session that has claimed it. No
// document says so; it is looked up for the one that was asked about.
import { type Message, msg } from "../../core/messages.ts";
import type { Task } from "../../engine/state.ts";
import type { Store } from "../../store/database/store.ts";
import { claimId, claimKind, unitOf } from "../_session-orchestrate-rows.ts";
import { childrenOf, isOver } from "../conduct/children.ts";

export async function heldBy(
  store: Store,
  root: string,
  workflow: string,
  unit: string,
): Promise<Message[]> {
  const project = await store.projectAt(root);
  if (project === undefined) return [];
  const runs = await store.tasks({ projectId: project.id, workflow, status: "in_progress" });
  const told = await Promise.all((runs as Task[]).map((run) => heldIn(store, run, unit)));
  return told.flatMap((text) => text ?? []);
}

// --- internal ---

async function heldIn(store: Store, run: Task, unit: string): Promise<Message | undefined> {
  const children = await childrenOf(store, run);
  const child = children.find((task) => task.data.order?.unit === unit && !isOver(task));
  if (child !== undefined) {
    const { id, createdAt: since } = child;
    return msg("why.held.run", { run: run.id, task: id, since });
  }
  const claim = await store.entity(claimKind, claimId(run.id, unit));
  const units = (run.data.session as { units?: Record<string, { holder: Held }> }).units ?? {};
  const holder: Held = claim === undefined ? (units[unit]?.holder ?? null) : unitOf(claim).holder;
  if (holder === null) return undefined;
  return msg("why.held.session", { session: holder.session, since: holder.since });
}

type Held = { readonly session: string; readonly since: string } | null;
