// The model behind the random histories: what a store means, without how.
import type * as store from "./store.ts";

type Mutable<T> = {
  -readonly [K in keyof T]-?: NonNullable<T[K]> extends readonly (infer R)[] ? R[] : T[K];
};
export type Change = Omit<
  Mutable<store.Change>,
  | "lease"
  | "guard"
  | "projects"
  | "next"
  | "snapshots"
  | "snapshotsGone"
  | "secrets"
  | "documentsUnpublished"
>;

interface State {
  tasks: Map<string, store.TaskRow>;
  entities: Map<string, store.EntityRow>;
  transitions: Omit<store.TransitionRow, "seq">[];
  effects: Map<string, store.EffectRow & { doneAt: number | null }>;
  timers: Map<string, store.TimerRow>;
  inbox: Map<string, store.InboxRow>;
  documents: Map<string, store.DocumentRow>;
  contents: Map<string, string>;
}

class Refuse extends Error {}
class Fail extends Error {}

export class MemoryModel {
  #state: State = {
    tasks: new Map(),
    entities: new Map(),
    transitions: [],
    effects: new Map(),
    timers: new Map(),
    inbox: new Map(),
    documents: new Map(),
    contents: new Map(),
  };
  readonly #leases = new Map<string, store.LeaseRow>();

  empty(): Change {
    return {
      tasks: [],
      entities: [],
      transitions: [],
      effects: [],
      effectsTried: [],
      effectsDone: [],
      timers: [],
      timersGone: [],
      inbox: [],
      acknowledge: [],
      documents: [],
      documentsGone: [],
      tasksGone: [],
    };
  }

  apply(change: store.Change): string {
    const { lease, guard } = change;
    const held = this.#leases.get(lease?.taskId ?? "");
    if (lease !== undefined)
      if (held?.owner !== lease.owner || held.epoch !== lease.epoch || held.until === 0)
        return "fenced";
    if (guard !== undefined && guard() !== true) return "guarded";
    const before = structuredClone(this.#state);
    try {
      this.#go(change);
      this.#write(change);
      this.#key(change);
      const refused = (change.next ?? [])
        .map((more) => this.apply(more))
        .find((code) => code !== "ok");
      if (refused !== undefined) this.#state = before;
      return refused ?? "ok";
    } catch (error) {
      if (!(error instanceof Refuse || error instanceof Fail)) throw error;
      this.#state = before;
      return error instanceof Refuse ? "stale" : "failed";
    }
  }

  claim(taskId: string, owner: string, until: number): store.LeaseRow | undefined {
    const held = this.#leases.get(taskId);
    if (held !== undefined && held.until > 0 && held.owner !== owner) return undefined;
    const keeps = held !== undefined && held.until > 0;
    const epoch = (held?.epoch ?? 0) + (keeps ? 0 : 1);
    const lease = { taskId, owner, epoch, until };
    this.#leases.set(taskId, lease);
    return lease;
  }

  /** As this owner believes it to be. */
  leaseOf(taskId: string, owner: string): store.LeaseRow {
    return { taskId, owner, epoch: this.#leases.get(taskId)?.epoch ?? 1, until: 0 };
  }

  release({ taskId, owner, epoch }: store.LeaseRow): void {
    const held = this.#leases.get(taskId);
    if (held?.owner === owner && held.epoch === epoch)
      this.#leases.set(taskId, { ...held, until: 0 });
  }

  taskRev = (id: string): number | undefined => this.#state.tasks.get(id)?.rev;
  entityRev = (id: string): number | undefined => this.#state.entities.get(id)?.rev;
  documentRev = (path: string): number | undefined => this.#state.documents.get(path)?.rev;

  /** Any message, answered or not; -1 if there are fewer. */
  inboxSeq = (place: number): number => [...this.#state.inbox.values()][place]?.seq ?? -1;

  /** Numbers are the engine's to give. */
  learn(entries: readonly store.InboxRow[]): void {
    const { inbox } = this.#state;
    for (const { key, seq } of entries) {
      const entry = inbox.get(key);
      if (entry !== undefined) inbox.set(key, { ...entry, seq });
    }
  }

  rows() {
    const { tasks, entities, transitions, effects, timers, inbox, documents } = this.#state;
    const open = [...inbox.values()].filter(({ acknowledgedAt }) => acknowledgedAt === null);
    return {
      tasks: sorted(tasks.values(), (row) => [-row.priority, row.queuedAt ?? 0, row.id]),
      entities: sorted(entities.values(), (row) => [row.kind, row.id]),
      transitions,
      effects: sorted(effects.values(), (row) => [row.createdAt, row.key])
        .filter(({ doneAt }) => doneAt === null)
        .map(({ doneAt: _doneAt, ...row }) => row),
      timers: sorted(timers.values(), (row) => [row.dueAt, row.key]),
      inbox: sorted(open, (row) => [row.taskId, row.seq]),
      documents: sorted(documents.values(), (row) => [row.path]),
      contents: Object.fromEntries(this.#state.contents),
    };
  }

  #go({ tasksGone = [], documentsGone = [], timersGone = [] }: store.Change): void {
    const { tasks, entities, timers, documents, contents } = this.#state;
    for (const id of tasksGone) {
      tasks.delete(id);
      drop(entities, ({ taskId }) => taskId === id);
      drop(timers, ({ taskId }) => taskId === id);
    }
    for (const path of documentsGone) {
      documents.delete(path);
      for (const key of contents.keys()) if (key.startsWith(`${path}@`)) contents.delete(key);
    }
    for (const key of timersGone) timers.delete(key);
  }

  #write(change: store.Change): void {
    const { tasks, entities, transitions, documents, contents } = this.#state;
    for (const row of change.tasks ?? []) tasks.set(row.id, next(tasks.get(row.id), row));
    for (const row of change.entities ?? []) {
      entities.set(row.id, next(entities.get(row.id), row));
      if (!tasks.has(row.taskId)) throw new Fail();
    }
    for (const { document, revision } of change.documents ?? []) {
      const row = next(documents.get(document.path), document);
      documents.set(row.path, row);
      contents.set(`${row.path}@${row.rev}`, Buffer.from(revision.content ?? []).toString());
    }
    transitions.push(...(change.transitions ?? []));
  }

  #key(change: store.Change): void {
    const { effects, timers, inbox } = this.#state;
    for (const row of change.effects ?? [])
      if (!effects.has(row.key)) effects.set(row.key, { ...row, attempts: 0, doneAt: null });
    for (const key of change.effectsTried ?? []) {
      const effect = effects.get(key);
      if (effect) effects.set(key, { ...effect, attempts: effect.attempts + 1 });
    }
    for (const { key, at } of change.effectsDone ?? []) {
      const effect = effects.get(key);
      if (effect) effects.set(key, { ...effect, doneAt: effect.doneAt ?? at });
    }
    for (const row of change.timers ?? []) timers.set(row.key, row);
    for (const row of change.inbox ?? []) {
      if (inbox.has(row.key)) continue;
      const seq = -2;
      inbox.set(row.key, { ...row, seq, acknowledgedAt: null, outcome: null });
    }
    for (const { seq, at, outcome } of change.acknowledge ?? []) {
      const entry = [...inbox.values()].find((row) => row.seq === seq);
      if (entry === undefined || entry.acknowledgedAt !== null) throw new Refuse();
      inbox.set(entry.key, { ...entry, acknowledgedAt: at, outcome });
    }
    for (const id of change.tasksGone ?? [])
      drop(inbox, ({ taskId, acknowledgedAt }) => taskId === id && acknowledgedAt === null);
  }
}

// --- internal ---

function next<Row extends { rev: number }>(found: Row | undefined, row: Row): Row {
  if ((found?.rev ?? 0) !== row.rev) throw new Refuse();
  return { ...row, rev: row.rev + 1 };
}

function drop<Row>(rows: Map<string, Row>, gone: (row: Row) => boolean): void {
  for (const [key, row] of rows) if (gone(row)) rows.delete(key);
}

function sorted<Row>(rows: Iterable<Row>, by: (row: Row) => (string | number)[]): Row[] {
  return [...rows].toSorted((a, b) => {
    const [left, right] = [by(a), by(b)];
    const place = left.findIndex((value, n) => value !== right[n]);
    if (place < 0) return 0;
    return (left[place] ?? 0) < (right[place] ?? 0) ? -1 : 1;
  });
}
