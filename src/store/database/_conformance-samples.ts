// Rows for the suite: complete, with only what a test is about said.
import type {
  Change,
  DocumentRow,
  DocumentWrite,
  EntityRow,
  ProjectRow,
  Store,
  TaskRow,
  TransitionRow,
} from "./store.ts";

export interface Opened {
  readonly store: Store;
  /** Closes the first and gives its successor. */
  reopen(): Promise<Store>;
  second(): Promise<Store>;
  /** Closes everything and removes it. */
  drop(): Promise<void>;
}

/** The store of the test that is running. */
export interface Subject {
  readonly store: Store;
  readonly opened: Opened;
  open(): Promise<Opened>;
}

export const at = "2026-01-02T03:04:05.678Z";

export const project: ProjectRow = { id: "p1", root: "/home/dev/앱", hash: "abc", createdAt: at };

export function task(id: string, more: Partial<TaskRow> = {}): TaskRow {
  return {
    id,
    projectId: project.id,
    workflow: "create_app",
    status: "pending",
    priority: 0,
    queuedAt: null,
    archived: false,
    retryOf: null,
    rev: 0,
    data: {},
    createdAt: at,
    updatedAt: at,
    ...more,
  };
}

export function entity(id: string, more: Partial<EntityRow> = {}): EntityRow {
  return { kind: "agent", id, taskId: "t1", status: "idle", rev: 0, data: {}, ...more };
}

export function transition(
  taskId: string,
  more: Partial<TransitionRow> = {},
): Omit<TransitionRow, "seq"> {
  return {
    timestamp: at,
    taskId,
    machine: "task",
    entityId: taskId,
    from: "pending",
    to: "in_progress",
    trigger: "start",
    metadata: {},
    ...more,
  };
}

export function documentWrite(
  path: string,
  rev: number,
  content: Uint8Array | null,
  more: Partial<DocumentRow> = {},
): DocumentWrite {
  return {
    document: {
      path,
      projectId: project.id,
      taskId: null,
      format: "orchestrate-state",
      rev,
      before: null,
      after: `sum-${rev + 1}`,
      token: "lock-1",
      boot: "boot-1",
      updatedAt: at,
      ...more,
    },
    revision: { kind: "ours", base: null, content, event: { n: rev + 1 }, createdAt: at },
  };
}

/** Commits, and fails the test when it is refused. */
export async function done(store: Store, change: Change): Promise<number> {
  const outcome = await store.commit(change);
  if (!outcome.ok) throw new Error(`${outcome.code}: ${JSON.stringify(outcome.what)}`);
  return outcome.lastSeq;
}

/** A project and tasks in it. */
export async function begin(store: Store, ...ids: string[]): Promise<void> {
  await done(store, { projects: [project], tasks: ids.map((id) => task(id)) });
}
