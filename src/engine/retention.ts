// What ended tasks keep on the disk: output, snapshots, trees (S1.21c). Each project has its limits, by
// age and by size; whoever is over them, the oldest first, is told and goes a day later. Tasks that
// are not over, and those that one of these was retried from, are never touched.
//
// This only looks and plans. The dates stand in the tasks' own rows, and what follows from them is
// decided in the task's own tick (decide/keep.ts): a server that dies in between goes on there.
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { KeptFilter, Store } from "../store/database/store.ts";
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

  /** Those that still have something, project by project. Changes nothing. */
  async list(): Promise<KeptTask[]> {
    const { store, now, limitsFor } = this.#parts;
    const needed = await this.#needed();
    const found: KeptTask[] = [];
    for (const { id: projectId } of await store.projects()) {
      const limits = await limitsFor(projectId);
      const sized: Ended[] = [];
      for await (const task of this.#pages({ projectId }))
        sized.push(await this.#sized(task, needed.has(task.id)));
      const plan = limits === null ? undefined : planRemovals(sized, limits, now());
      for (const each of sized) found.push(shown(each, plan?.get(each.id) ?? null));
    }
    return found;
  }

  /**
   * Those of which something may have to be decided; a project's other ended tasks are not read, however
   * many there are. Whoever asks decides on each before asking for the next: the sizes that are
   * stored meanwhile are part of the sum by which the limits are judged.
   */
  async *due(): AsyncGenerator<KeptTask> {
    const { store, limitsFor } = this.#parts;
    const needed = await this.#needed();
    for (const { id: projectId } of await store.projects()) {
      for await (const task of this.#pages({ projectId, only: "unmeasured" }))
        yield shown(await this.#sized(task, needed.has(task.id)), null);
      const limits = await limitsFor(projectId);
      let last: Task | undefined;
      if (limits !== null)
        for await (const { task, found } of this.#oldest(projectId, limits, needed)) {
          last = task;
          yield found;
        }
      // What was announced and is not over any limit now is taken back.
      for await (const task of this.#pages({ projectId, only: "announced" }, last))
        yield shown(await this.#sized(task, needed.has(task.id)), null);
    }
  }

  // --- internal ---

  /** Oldest first, up to the first that stays: whoever is younger stays as well. */
  async *#oldest(
    projectId: string,
    limits: Limits,
    needed: ReadonlySet<string>,
  ): AsyncGenerator<{ task: Task; found: KeptTask }> {
    const { store, now } = this.#parts;
    const next = planner(await store.keptBytes(projectId), limits, now());
    for await (const task of this.#pages({ projectId })) {
      // Still unmeasured: an effect is open, or another process has it.
      if ((task.data.kept ?? null) === null) continue;
      const ended = await this.#sized(task, needed.has(task.id));
      const removal = next(ended);
      if (removal?.near === false) return;
      yield { task, found: shown(ended, removal) };
    }
  }

  async *#pages(
    filter: Omit<KeptFilter, "after" | "limit">,
    from?: Task,
  ): AsyncGenerator<Task, undefined> {
    for (let last = from; ;) {
      const after = last && { endedAt: endOf(last), id: last.id };
      const page = await this.#parts.store.keptTasks({ ...filter, after, limit: pageSize });
      for (const task of page as Task[]) yield task;
      if (page.length < pageSize) return;
      last = page.at(-1) as Task;
    }
  }

  /** What tasks that are not over yet are a retry of. */
  async #needed(): Promise<Set<string>> {
    const statuses = ["draft", "pending", "in_progress", "review"];
    const tasks = await this.#parts.store.tasks({ statuses });
    return new Set(tasks.flatMap(({ retryOf }) => retryOf ?? []));
  }

  /** An ended task does not change any more: it is measured once. */
  async #sized(task: Task, needed: boolean): Promise<Ended> {
    const { store, home } = this.#parts;
    const { id, data } = task;
    const kept = data.kept ?? null;
    const state = async () => stateOf(task, await store.entities({ taskId: id }));
    const bytes = kept?.bytes ?? (await sizeOf(placesOf(home, await state())));
    const endedAt = Date.parse(endOf(task));
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
  limits: Limits,
  now: number,
): Map<string, Removal> {
  const plan = new Map<string, Removal>();
  const total = tasks.reduce((sum, { bytes }) => sum + bytes, 0);
  const next = planner(total, limits, now);
  const oldest = tasks.toSorted((a, b) => a.endedAt - b.endedAt || (a.id < b.id ? -1 : 1));
  for (const task of oldest) {
    const removal = next(task);
    if (removal !== null) plan.set(task.id, removal);
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

/** Bounds how long one look at the database keeps others waiting: 3 ms. */
const pageSize = 200;

/** To be asked task by task, the oldest first, since what goes makes room for the next. Null: never. */
function planner(
  total: number,
  { keepMs, keepBytes, removalNoticeMs }: Limits,
  now: number,
): (task: Planned) => Removal | null {
  let rest = total;
  return ({ endedAt, bytes, removeAt, needed }) => {
    if (needed) return null;
    const old = endedAt + keepMs;
    const tooMuch = rest > keepBytes;
    const due = tooMuch ? Math.min(old, now) : old;
    const near = due - removalNoticeMs <= now;
    const at = near ? Math.max(due, removeAt ?? now + removalNoticeMs) : due;
    if (near) rest -= bytes;
    return { at, why: old <= due ? "age" : "size", near };
  };
}

function shown({ task, endedAt, bytes, kept }: Ended, removal: Removal | null): KeptTask {
  const { id, projectId, status, data } = task;
  return { id, projectId, status, title: data.title, endedAt, bytes, kept, removal };
}

/** As the database orders them, too. */
function endOf({ data, updatedAt }: Task): string {
  return data.completedAt ?? data.failedAt ?? updatedAt;
}
