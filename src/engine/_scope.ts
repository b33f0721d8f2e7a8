// Which tasks a service looks after: every task of the home, or those of one run (S6.5c). A foreground run
// carries only itself; what else is queued is left to a server.
import type { Store, TaskFilter, TaskRow } from "../store/database/store.ts";
import { type TaskData, isInSession } from "./state.ts";

/** The run's own task, and the tasks it made. */
export interface RunScope {
  readonly run: string;
  /** The tasks it made are all among these. */
  readonly where: Pick<TaskFilter, "projectId" | "workflow">;
}

export class Scope {
  readonly #store: Store;
  readonly #only: RunScope | undefined;
  /** Whose a task is never changes. */
  readonly #known = new Map<string, boolean>();

  constructor(store: Store, only: RunScope | undefined) {
    this.#store = store;
    this.#only = only;
  }

  get isWhole(): boolean {
    return this.#only === undefined;
  }

  async has(taskId: string): Promise<boolean> {
    if (this.#only === undefined) return true;
    const known = this.#known.get(taskId);
    if (known !== undefined) return known;
    const row = await this.#store.task(taskId);
    if (row === undefined) return false;
    const has = this.#isOf(row);
    this.#known.set(taskId, has);
    return has;
  }

  async among(taskIds: Iterable<string>): Promise<string[]> {
    const found: string[] = [];
    for (const id of taskIds) if (await this.has(id)) found.push(id);
    return found;
  }

  /** In the queue's order, without runs that have a queue of their own. `more`: the limit cut it short. */
  async queue(limit?: number): Promise<{ readonly tasks: TaskRow[]; readonly more: boolean }> {
    const filter = { status: "pending", ...this.#only?.where };
    const rows = await this.#store.tasks(limit === undefined ? filter : { ...filter, limit });
    const ours = rows.filter((row) => !isInSession(row) && this.#isOf(row));
    return { tasks: ours, more: rows.length === limit };
  }

  // --- internal ---

  #isOf({ id, data }: TaskRow): boolean {
    const run = this.#only?.run;
    return run === undefined || id === run || (data as TaskData).order?.task === run;
  }
}
