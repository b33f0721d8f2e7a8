// The change that a tick is about to commit, while it is being decided: rows as they will be, and
// what goes with them (transitions, effects, timers). Nothing outside sees it before the commit.
import type { MachineTypes, Taken } from "../core/machine.ts";
import type { MachineName } from "../core/machines/index.ts";
import type { Json } from "../core/events.ts";
import type { Change, TransitionRow } from "../store/database/store.ts";
import type { Effect, EffectName } from "./_effect.ts";
import { type Kind, type Kinds, type Task, type TaskData, type TaskState, kinds } from "./state.ts";

export interface Ids {
  /** Never the same twice; letters and digits. */
  next(): string;
}

export type { Effect, EffectName };

export interface SnapshotDraft {
  readonly id: string;
  readonly seq: number;
  readonly reason: string;
  readonly data: Json;
}

export class Draft {
  readonly now: number;
  readonly at: string;
  readonly ids: Ids;
  task: Task;
  readonly #entities: { [K in Kind]: Map<string, Kinds[K]> };
  readonly #touched = new Set<string>();
  #taskTouched = false;
  #taskGone = false;
  readonly #newTasks: Task[] = [];
  readonly #transitions: Omit<TransitionRow, "seq">[] = [];
  readonly #effects: Effect[] = [];
  readonly #effectsDone: string[] = [];
  readonly #timers = new Map<string, { name: string; dueAt: number; data: Json } | null>();
  readonly #gates = new Map<string, { until: number; parked: number }>();
  readonly #snapshots: SnapshotDraft[] = [];
  readonly #snapshotsGone: string[] = [];

  constructor(state: TaskState, now: number, ids: Ids) {
    this.now = now;
    this.at = new Date(now).toISOString();
    this.ids = ids;
    this.task = state.task;
    const copies = kinds.map((kind) => [kind, new Map<string, unknown>(state.entities[kind])]);
    this.#entities = Object.fromEntries(copies) as { [K in Kind]: Map<string, Kinds[K]> };
  }

  // --- reading ---

  all<K extends Kind>(kind: K): Kinds[K][] {
    return [...this.#entities[kind].values()];
  }

  get<K extends Kind>(kind: K, id: string | null): Kinds[K] | undefined {
    return id === null ? undefined : this.#entities[kind].get(id);
  }

  get effects(): readonly Effect[] {
    return this.#effects;
  }

  get transitions(): readonly Omit<TransitionRow, "seq">[] {
    return this.#transitions;
  }

  get isEmpty(): boolean {
    return (
      !this.#taskTouched &&
      !this.#taskGone &&
      this.#touched.size === 0 &&
      this.#transitions.length === 0 &&
      this.#effects.length === 0 &&
      this.#effectsDone.length === 0 &&
      this.#timers.size === 0
    );
  }

  // --- writing ---

  setTask(change: Partial<Omit<Task, "data" | "id" | "rev">>, data: Partial<TaskData> = {}): void {
    this.#taskTouched = true;
    this.task = {
      ...this.task,
      ...change,
      data: { ...this.task.data, ...data },
      updatedAt: this.at,
    };
  }

  removeTask(): void {
    this.#taskGone = true;
  }

  get isGone(): boolean {
    return this.#taskGone;
  }

  /** Another task, made with the same commit. */
  addTask(row: Task, trigger: string): void {
    this.#newTasks.push(row);
    const { id, status } = row;
    this.#transitions.push({
      timestamp: this.at,
      taskId: id,
      machine: "task",
      entityId: id,
      from: "draft",
      to: status,
      trigger,
      metadata: { retryOf: row.retryOf },
    });
  }

  add<K extends Kind>(
    kind: K,
    id: string,
    status: Kinds[K]["status"],
    data: Kinds[K]["data"],
  ): Kinds[K] {
    const row = { kind, id, taskId: this.task.id, status, rev: 0, data } as unknown as Kinds[K];
    this.#entities[kind].set(id, row);
    this.#touched.add(`${kind} ${id}`);
    return row;
  }

  set<K extends Kind>(
    kind: K,
    id: string,
    data: Partial<Kinds[K]["data"]>,
    status?: Kinds[K]["status"],
  ): Kinds[K] {
    const before = this.#entities[kind].get(id);
    if (before === undefined) throw new RangeError(`there is no ${kind} ${id}`);
    const after: Kinds[K] = {
      ...before,
      data: { ...before.data, ...data },
      status: status ?? before.status,
    };
    this.#entities[kind].set(id, after);
    this.#touched.add(`${kind} ${id}`);
    return after;
  }

  /** A taken step, for the journal (S1.21). */
  journal<T extends MachineTypes>(
    machine: MachineName,
    entityId: string,
    taken: Pick<Taken<T>, "from" | "to">,
    trigger: string,
    metadata: Readonly<Record<string, Json>> = {},
  ): void {
    const { from, to } = taken;
    this.#transitions.push({
      timestamp: this.at,
      taskId: this.task.id,
      machine,
      entityId,
      from,
      to,
      trigger,
      metadata,
    });
  }

  effect(name: EffectName, data: Readonly<Record<string, Json>> = {}): void {
    this.#effects.push({ key: this.key(name), name, data: { ...data, at: this.now } });
  }

  done(effectKey: string): void {
    this.#effectsDone.push(effectKey);
  }

  /** One of each key: setting it again moves it. */
  timer(name: string, about: string, dueAt: number, data: Json = {}): void {
    this.#timers.set(timerKey(this.task.id, name, about), { name, dueAt, data });
  }

  noTimer(name: string, about: string): void {
    this.#timers.set(timerKey(this.task.id, name, about), null);
  }

  /** No agent of this account is started before then, whatever its task (S1.18). */
  closeGate(account: string, until: number, parked: number): void {
    this.#gates.set(account, { until, parked });
  }

  get gates(): ReadonlyMap<string, { readonly until: number; readonly parked: number }> {
    return this.#gates;
  }

  get snapshots(): readonly SnapshotDraft[] {
    return this.#snapshots;
  }

  snapshot(draft: SnapshotDraft): void {
    this.#snapshots.push(draft);
  }

  forgetSnapshots(ids: readonly string[]): void {
    this.#snapshotsGone.push(...ids);
  }

  /** A key that no other effect, message or snapshot of this task ever has. */
  key(what: string): string {
    // Padded, so that keys sort as they were made.
    return `${this.task.id}:${String(this.count()).padStart(8, "0")}:${what}`;
  }

  count(): number {
    const counter = this.task.data.counter + 1;
    this.setTask({}, { counter });
    return counter;
  }

  // --- committing ---

  /** `createdAt` of effects orders them: those of one tick follow each other. */
  toChange(): Change {
    const timers = [...this.#timers].flatMap(([key, timer]) =>
      timer === null ? [] : [{ key, taskId: this.task.id, ...timer }],
    );
    const gates = [...this.#gates].map(([account, { until, parked }]) => ({
      key: gateKey(account),
      taskId: "",
      name: "gate",
      dueAt: until,
      data: { account, parked },
    }));
    return {
      ...(this.#taskGone
        ? { tasksGone: [this.task.id] }
        : { tasks: [...(this.#taskTouched ? [this.task] : []), ...this.#newTasks] }),
      entities: this.#taskGone
        ? []
        : [...this.#touched].map((name) => {
            const space = name.indexOf(" ");
            const kind = name.slice(0, space) as Kind;
            const row = this.#entities[kind].get(name.slice(space + 1));
            if (row === undefined) throw new RangeError(name);
            return row;
          }),
      transitions: this.#transitions,
      effects: this.#effects.map(({ key, name, data }) => ({
        key,
        taskId: this.task.id,
        name,
        data,
        createdAt: this.now,
      })),
      effectsDone: this.#effectsDone.map((key) => ({ key, at: this.now })),
      timers: [...timers, ...gates],
      snapshotsGone: this.#snapshotsGone,
      timersGone: [...this.#timers].flatMap(([key, timer]) => (timer === null ? [key] : [])),
    };
  }

  /** The state as it will be once this is committed: each written row one revision on. */
  after(): TaskState {
    const entities = Object.fromEntries(
      Object.entries(this.#entities).map(([kind, rows]) => [
        kind,
        new Map(
          [...rows].map(([id, row]) => [
            id,
            this.#touched.has(`${kind} ${id}`) ? { ...row, rev: row.rev + 1 } : row,
          ]),
        ),
      ]),
    ) as unknown as TaskState["entities"];
    const task = this.#taskTouched ? { ...this.task, rev: this.task.rev + 1 } : this.task;
    return { task, entities };
  }
}

export function gateKey(account: string): string {
  return `gate:${account}`;
}

export function timerKey(taskId: string, name: string, about: string): string {
  return `${taskId}:${name}:${about}`;
}
