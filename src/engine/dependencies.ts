// What a task waits for, as it is now: a dependency that failed means its retry, once there is one (S1.7).
import type { Store } from "../store/database/store.ts";
import { type TaskData, isDeleted } from "./state.ts";

export interface Unfinished {
  /** Of the retry, where there is one. */
  readonly id: string;
  readonly title: string;
  /** Null: it was deleted. */
  readonly status: string | null;
}

/** Those that are not completed. */
export async function unfinishedOf(
  store: Pick<Store, "task">,
  ids: readonly string[],
): Promise<Unfinished[]> {
  const found = await Promise.all(ids.map((id) => followed(store, id)));
  return found.filter(({ status }) => status !== "completed");
}

/** It never completes by itself: a person tries it again, or decides otherwise. */
export function isStuck({ status }: Pick<Unfinished, "status">): boolean {
  return status === null || status === "failed";
}

// --- internal ---

/** The task itself, or of its retries one that is completed, else the newest that may still be. */
async function followed(store: Pick<Store, "task">, id: string): Promise<Unfinished> {
  const row = await store.task(id);
  if (row === undefined || isDeleted(row)) return { id, title: id, status: null };
  const { title, retries = [] } = row.data as TaskData;
  const own = { id, title, status: row.status };
  if (row.status !== "failed") return own;
  const tried = await Promise.all(retries.toReversed().map((each) => followed(store, each)));
  const open = tried.find((each) => !isStuck(each));
  return tried.find(({ status }) => status === "completed") ?? open ?? newestThere(tried) ?? own;
}

/** Of retries that all failed, the one that a person would try again. */
function newestThere(tried: readonly Unfinished[]): Unfinished | undefined {
  return tried.find(({ status }) => status !== null);
}
