// What ended tasks keep on the disk: output, snapshots, trees (S1.21c). Each project has its limits, by
// age and by size; whoever is over them, the oldest first, is told and goes a day later. Tasks that
// are not over, and those that one of these was retried from, are never touched.
//
// This only looks and plans. The dates stand in the tasks' own rows, and what follows from them is
// decided in the task's own tick (decide/keep.ts): a server that dies in between goes on there.
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Store } from "../store/database/store.ts";
import { placesOf } from "./_effect-remove.ts";
import type { Policies } from "./decide/world.ts";
import { type Kept, type RemovalReason, type Task, stateOf } from "./state.ts";

export interface KeptTask {
  readonly id: string;
  readonly projectId: string;
  readonly title: string;
  readonly status: string;
  readonly endedAt: number;
  readonly bytes: number;
  /** As it stands in the row; null: nobody looked since its end. */
  readonly kept: Kept | null;
  /** When it goes, and why; null: never, or that can not be said now. */
  readonly removal: Removal | null;
}

export interface Removal {
  readonly at: number;
  readonly why: RemovalReason;
  /** Is it so near that people are to know? */
  readonly near: boolean;
}

export type Limits = Pick<Policies, "keepMs" | "keepBytes" | "removalNoticeMs">;

export interface RetentionParts {
  readonly store: Store;
  readonly home: string;
  readonly now: () => number;
  /** Null: the project's settings can not be read, so nobody knows what they would say. */
  readonly limitsFor: (projectId: string) => Promise<Limits | null>;
}

export class Retention {
  readonly #parts: RetentionParts;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  /** Those that still have something, project by project. Changes nothing. `going`: shall it go on? */
  async list(going: () => boolean = () => true): Promise<KeptTask[]> {
    const { store, now, limitsFor } = this.#parts;
    const tasks = (await store.tasks()) as Task[];
    const needed = neededBy(tasks);
    const projects = new Map<string, Task[]>();
    for (const task of tasks)
      if (isOver(task) && (task.data.kept?.removedAt ?? null) === null)
        projects.set(task.projectId, [...(projects.get(task.projectId) ?? []), task]);
    const found: KeptTask[] = [];
    for (const [projectId, ended] of projects) {
      const limits = await limitsFor(projectId);
      const sized: Ended[] = [];
      for (const task of ended) {
        if (!going()) return [];
        sized.push(await this.#sized(task, needed.has(task.id)));
      }
      const plan =
        limits === null ? new Map<string, Removal>() : planRemovals(sized, limits, now());
      found.push(...sized.map((each) => ({ ...shown(each), removal: plan.get(each.id) ?? null })));
    }
    return found;
  }

  // --- internal ---

  /** An ended task does not change any more: it is measured once. */
  async #sized(task: Task, needed: boolean): Promise<Ended> {
    const { store, home } = this.#parts;
    const { id, data } = task;
    const kept = data.kept ?? null;
    const state = async () => stateOf(task, await store.entities({ taskId: id }));
    const bytes = kept?.bytes ?? (await sizeOf(placesOf(home, await state())));
    const endedAt = Date.parse(data.completedAt ?? data.failedAt ?? task.updatedAt);
    return { id, task, endedAt, bytes, kept, removeAt: kept?.removeAt ?? null, needed };
  }
}

export interface Planned {
  readonly id: string;
  readonly endedAt: number;
  readonly bytes: number;
  /** The date that was told. */
  readonly removeAt: number | null;
  /** Another task may still want something of it. */
  readonly needed: boolean;
}

/** By age each for itself, by size the oldest until the rest fits; never before it was told in time. */
export function planRemovals(
  tasks: readonly Planned[],
  { keepMs, keepBytes, removalNoticeMs }: Limits,
  now: number,
): Map<string, Removal> {
  const plan = new Map<string, Removal>();
  let rest = tasks.reduce((sum, { bytes }) => sum + bytes, 0);
  const oldest = tasks.toSorted((a, b) => a.endedAt - b.endedAt || (a.id < b.id ? -1 : 1));
  for (const { id, endedAt, bytes, removeAt, needed } of oldest) {
    if (needed) continue;
    const old = endedAt + keepMs;
    const tooMuch = rest > keepBytes;
    const due = tooMuch ? Math.min(old, now) : old;
    const near = due - removalNoticeMs <= now;
    const at = near ? Math.max(due, removeAt ?? now + removalNoticeMs) : due;
    plan.set(id, { at, why: old <= due ? "age" : "size", near });
    if (near) rest -= bytes;
  }
  return plan;
}

/** Bytes on the disk below these places; what is not there has none. */
export async function sizeOf(places: readonly string[]): Promise<number> {
  let bytes = 0;
  const open = [...places];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const folder = path;
    try {
      const stats = await lstat(folder);
      bytes += stats.blocks * 512;
      if (stats.isDirectory())
        for (const name of await readdir(folder)) open.push(join(folder, name));
    } catch {
      // Gone, or not ours to look at: an agent may have shut its own folders.
    }
  }
  return bytes;
}

// --- internal ---

interface Ended extends Planned {
  readonly task: Task;
  readonly kept: Kept | null;
}

function shown({ task, endedAt, bytes, kept }: Ended): Omit<KeptTask, "removal"> {
  const { id, projectId, status, data } = task;
  return { id, projectId, status, title: data.title, endedAt, bytes, kept };
}

function isOver({ status }: Task): boolean {
  return status === "completed" || status === "failed";
}

/** Of what is not over yet: what it is a retry of. */
function neededBy(tasks: readonly Task[]): Set<string> {
  return new Set(tasks.flatMap((task) => (isOver(task) ? [] : (task.retryOf ?? []))));
}
