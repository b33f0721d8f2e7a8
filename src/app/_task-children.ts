// A run's tasks end and go with it (S1.7). Whoever carries it out sees to that as well; but a person may
// cancel or delete one that nobody carries out, and nobody would ever ask for its tasks again.
import { Fault } from "../core/errors.ts";
import type { Answer } from "../engine/decide/world.ts";
import type { Task } from "../engine/state.ts";
import type { Store } from "../store/database/store.ts";
import { refusalOf } from "./_task-rules.ts";
import { childrenOf, isOver } from "./conduct/children.ts";

export type Ask = (id: string, name: "cancel" | "delete") => Promise<Answer>;

export async function endChildren(
  store: Store,
  run: Task,
  ask: Ask,
  rootOf: (projectId: string) => Promise<string>,
): Promise<void> {
  if (!isOver(run)) return;
  const { releaseRepository } = await import("../git/mark.ts");
  releaseRepository({ root: await rootOf(run.projectId), run: run.id });
  for (const child of await childrenOf(store, run))
    // Refused: it ended meanwhile. One that waited in the queue is a draft from now on.
    if (!isOver(child) && child.status !== "draft") await unlessGone(ask(child.id, "cancel"));
}

/** Before the run itself: if we die in between, it is there to be deleted again. */
export async function removeChildren(
  store: Store,
  run: Task,
  ask: Ask,
  rootOf: (projectId: string) => Promise<string>,
): Promise<void> {
  await endChildren(store, run, ask, rootOf);
  if (!isOver(run)) return;
  await removeRefs(run, await rootOf(run.projectId));
  for (const { id } of await childrenOf(store, run)) {
    const answer = await unlessGone(ask(id, "delete"));
    if (answer?.ok === false) throw refusalOf(answer);
  }
}

// --- internal ---

/** All that it made lies under names of ours in the project's repository: they go with it (S2.6). */
async function removeRefs(run: Task, root: string): Promise<void> {
  const { dropRun } = await import("../git/refs.ts");
  await dropRun(root, run.id);
}

async function unlessGone(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (cause) {
    if (cause instanceof Fault && cause.code === "not_found") return undefined;
    throw cause;
  }
}
