// The database behind one interface. SQLite implements it, PostgreSQL will; both pass the one
// suite in conformance.ts. Only this list of methods is shared, each engine has its own plain SQL.
//
// A write is data, not a callback: one Change is one transaction, checked and applied as a whole,
// so an engine may put several callers' changes under one sync (group commit), and nothing can be
// awaited between read and write. What has to be compared with the world (a revision, a lease, a
// lock file) is part of the change. An acknowledged change survives a kill, and a power cut if
// kernel and drive honour flush. An error means unknown: read again.
import type { Message } from "../../core/messages.ts";

export interface ProjectRow {
  readonly id: string;
  readonly root: string;
  readonly hash: string;
  readonly createdAt: string;
}

export interface TaskRow {
  readonly id: string;
  readonly projectId: string;
  readonly workflow: string;
  readonly status: string;
  readonly priority: number;
  /** Since when it waits in the queue; FIFO inside a priority (S1.8). */
  readonly queuedAt: number | null;
  readonly archived: boolean;
  readonly retryOf: string | null;
  /** Counts up by one with each write: a write names the revision it read. */
  readonly rev: number;
  readonly data: unknown;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface EntityRow {
  readonly kind: string;
  readonly id: string;
  readonly taskId: string;
  readonly status: string;
  readonly rev: number;
  readonly data: unknown;
}

/** One line of the journal (S1.21); `seq` is given by the database, without order between gaps. */
export interface TransitionRow {
  readonly seq: number;
  readonly timestamp: string;
  readonly taskId: string;
  readonly machine: string;
  readonly entityId: string;
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
  readonly metadata: unknown;
}

export interface EffectRow {
  /** Names what is to be done, so that deciding it twice is doing it once. */
  readonly key: string;
  readonly taskId: string;
  readonly name: string;
  readonly data: unknown;
  readonly createdAt: number;
  readonly attempts: number;
}

export interface TimerRow {
  readonly key: string;
  readonly taskId: string;
  readonly name: string;
  readonly dueAt: number;
  readonly data: unknown;
}

export interface InboxRow {
  readonly seq: number;
  /** The sender's id for it: sent twice, it stands here once. */
  readonly key: string;
  readonly taskId: string;
  readonly name: string;
  readonly data: unknown;
  readonly createdAt: number;
  readonly acknowledgedAt: number | null;
  readonly outcome: unknown;
}

export interface LeaseRow {
  readonly taskId: string;
  readonly owner: string;
  readonly epoch: number;
  readonly until: number;
}

export interface DocumentRow {
  readonly path: string;
  readonly projectId: string;
  readonly taskId: string | null;
  readonly format: string;
  readonly rev: number;
  /** Checksums of the file before and after this revision; null: no file. */
  readonly before: string | null;
  readonly after: string | null;
  /** Of the lock under which it was written, and of the boot it was written in. */
  readonly token: string;
  readonly boot: string;
  readonly updatedAt: string;
}

/** What is needed to go on from a moment (S1.19). */
export interface SnapshotRow {
  readonly id: string;
  readonly taskId: string;
  readonly seq: number;
  readonly reason: string;
  readonly data: unknown;
  readonly createdAt: string;
}

/** Sealed: the database never holds the value itself. */
export interface SecretRow {
  /** A task's id, or the project's. */
  readonly scope: string;
  readonly name: string;
  /** null, in a change: taken away. */
  readonly content: Uint8Array | null;
  readonly createdAt: string;
}

export type RevisionKind = "ours" | "foreign" | "adopted" | "redone" | "restored" | "undone";

export interface RevisionRow {
  readonly path: string;
  readonly rev: number;
  readonly kind: RevisionKind;
  /** null: `content` is the whole file. Else a difference to that revision. */
  readonly base: number | null;
  readonly content: Uint8Array | null;
  readonly event: unknown;
  readonly createdAt: string;
}

/**
 * A row to be written: `rev` is the revision that was read, 0 for a new row. What a row belongs to
 * (a task's projectId, an entity's taskId) and when it was made are those of its first write.
 */
export type Write<R extends { rev: number }> = R;

export interface DocumentWrite {
  readonly document: Write<DocumentRow>;
  readonly revision: Omit<RevisionRow, "path" | "rev">;
  /** The bytes whose checksum is `document.before`, if they are at hand: spares reading them again. */
  readonly previous?: Uint8Array | null;
}

export interface Change {
  /** Refused as fenced unless this owner holds the task under this epoch, unexpired. */
  readonly lease?: { readonly taskId: string; readonly owner: string; readonly epoch: number };
  /** Asked inside the transaction: does the lock file still say us? */
  readonly guard?: () => true | Message; // may be asked more than once
  readonly projects?: readonly ProjectRow[];
  readonly tasks?: readonly Write<TaskRow>[];
  readonly entities?: readonly Write<EntityRow>[];
  readonly transitions?: readonly Omit<TransitionRow, "seq">[];
  readonly effects?: readonly Omit<EffectRow, "attempts">[];
  readonly effectsTried?: readonly string[];
  readonly effectsDone?: readonly { readonly key: string; readonly at: number }[];
  readonly timers?: readonly TimerRow[];
  readonly timersGone?: readonly string[];
  readonly inbox?: readonly Pick<InboxRow, "key" | "taskId" | "name" | "data" | "createdAt">[];
  readonly acknowledge?: readonly {
    readonly seq: number;
    readonly at: number;
    readonly outcome: unknown;
  }[];
  readonly snapshots?: readonly SnapshotRow[];
  readonly snapshotsGone?: readonly string[];
  readonly secrets?: readonly SecretRow[];
  readonly documents?: readonly DocumentWrite[];
  /** Nobody vouches for the file of this revision: its lock's token is blanked. */
  readonly documentsUnpublished?: readonly { readonly path: string; readonly rev: number }[];
  /** With all their revisions. What goes, goes before anything is written. */
  readonly documentsGone?: readonly string[];
  /** With entities, timers and unanswered messages. Journal, effects and documents stay. */
  readonly tasksGone?: readonly string[];
  /** Further changes, one after another: each sees what those before it wrote. All or nothing. */
  readonly next?: readonly Change[];
}

/**
 * `stale`: a row moved on since it was read, or a message was acknowledged before. `fenced`: another
 * owner has the task, or nobody. `lastSeq` is the change's last transition, 0 if it has none.
 */
export type Outcome =
  | { readonly ok: true; readonly lastSeq: number }
  | { readonly ok: false; readonly code: "stale" | "fenced" | "guarded"; readonly what: Message };

export interface TransitionFilter {
  readonly after?: number;
  readonly taskId?: string;
  readonly machine?: string;
  readonly limit?: number;
}

export interface TaskFilter {
  readonly projectId?: string;
  readonly status?: string;
  /** Any of these. */
  readonly statuses?: readonly string[];
  readonly workflow?: string;
  readonly archived?: boolean;
  readonly limit?: number;
}

/** Ended tasks that still have files (S1.21c), the oldest first. */
export interface KeptFilter {
  readonly projectId: string;
  /** Only those whose size is not known yet, or whose removal has been announced. */
  readonly only?: "unmeasured" | "announced";
  /** The last task of the page before. */
  readonly after?: { readonly endedAt: string; readonly id: string } | undefined;
  readonly limit: number;
}

/** A task with its entities and what is still to be done for it. */
export interface WholeTask {
  readonly task: TaskRow;
  readonly entities: readonly EntityRow[];
  readonly effects: readonly EffectRow[];
}

export interface Store {
  commit(change: Change): Promise<Outcome>;

  projectAt(root: string): Promise<ProjectRow | undefined>;
  projects(): Promise<ProjectRow[]>;
  task(id: string): Promise<TaskRow | undefined>;
  /** In the order of the queue (S1.8): highest priority first, then by queuedAt, then by id. */
  tasks(filter?: TaskFilter): Promise<TaskRow[]>;
  /** How many tasks, or entities of this kind, have which status. */
  countByStatus(kind?: string): Promise<Record<string, number>>;
  keptTasks(filter: KeptFilter): Promise<TaskRow[]>;
  /** Of these tasks' sizes, as far as they are known, the sum. */
  keptBytes(projectId: string): Promise<number>;
  /** Those of them that are there, in no order. */
  wholeTasks(ids: readonly string[]): Promise<WholeTask[]>;
  entity(kind: string, id: string): Promise<EntityRow | undefined>;
  entities(filter: { taskId?: string; kind?: string; status?: string }): Promise<EntityRow[]>;
  transitions(filter?: TransitionFilter): Promise<TransitionRow[]>;
  openEffects(taskId?: string): Promise<EffectRow[]>;
  /** Ids of tasks with an effect that is not done, or a message that is not answered. */
  tasksWithEffects(): Promise<string[]>;
  tasksWithMail(): Promise<string[]>;
  timersDue(now: number): Promise<TimerRow[]>;
  timersNamed(name: string): Promise<TimerRow[]>;
  nextTimer(): Promise<TimerRow | undefined>;
  openInbox(taskId: string): Promise<InboxRow[]>;
  inboxEntry(key: string): Promise<InboxRow | undefined>;
  document(path: string): Promise<DocumentRow | undefined>;
  documents(projectId: string): Promise<DocumentRow[]>;
  /** The bytes of a revision, put together from its differences; undefined if it has none. */
  contentAt(path: string, rev: number): Promise<Uint8Array | undefined>;
  revisions(path: string, after?: number): Promise<RevisionRow[]>;

  /** Newest first. */
  snapshots(taskId: string): Promise<SnapshotRow[]>;
  secrets(scope: string): Promise<SecretRow[]>;

  /**
   * Takes the lease if it is free, expired, already ours, or held by `from`, whom the caller knows
   * to be dead; each new holder raises the epoch.
   */
  claim(
    taskId: string,
    owner: string,
    now: number,
    milliseconds: number,
    from?: string,
  ): Promise<LeaseRow | undefined>;
  /** As it was last claimed; it may have run out. */
  lease(taskId: string): Promise<LeaseRow | undefined>;
  renew(lease: LeaseRow, now: number, milliseconds: number): Promise<LeaseRow | undefined>;
  release(lease: LeaseRow): Promise<void>;

  putBlob(hash: string, content: Uint8Array): Promise<void>;
  blob(hash: string): Promise<Uint8Array | undefined>;

  /** A number that rises whenever any process has committed: cheap to poll, kept by no one. */
  version(): Promise<number>;
  /** Whether the engine finds itself sound; for `doctor`. */
  check(): Promise<{ readonly ok: boolean; readonly detail: string }>;
  close(): Promise<void>;
}
