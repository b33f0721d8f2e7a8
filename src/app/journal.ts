// The journal as it grows, for who watches (S1.21): every transition once, in the order of its
// number. Whoever joins says up to which number they have all, and is handed the rest first.
//
// Our own engine says when it committed; other processes are noticed by the database's version.
import type { Store, TransitionRow } from "../store/database/store.ts";

export interface Transition {
  readonly timestamp: string;
  readonly taskId: string;
  readonly type: "state_transition";
  readonly machine: string;
  readonly entityId: string;
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
  readonly metadata: unknown;
  readonly seq: number;
}

export interface Watcher {
  transitions(rows: readonly Transition[]): void;
  /** Something about these tasks is different now: where they are, what they spent. */
  changed(taskIds: readonly string[]): void;
}

export interface JournalParts {
  readonly store: Store;
  readonly after: (milliseconds: number, call: () => void) => () => void;
  readonly complain: (what: string, cause: unknown) => void;
}

const pollMs = 250;
/** What is committed within this goes out together. */
const gatherMs = 5;
const page = 500;

export class Journal {
  readonly #parts: JournalParts;
  readonly #watchers = new Set<Watcher>();
  readonly #changed = new Set<string>();
  #position = 0;
  #version = -1;
  #looking: Promise<void> | null = null;
  #again = false;
  #gathering: (() => void) | null = null;
  #cancelPoll: () => void = () => undefined;
  #ended = false;

  constructor(parts: JournalParts) {
    this.#parts = parts;
  }

  /** The number of the last transition that was handed out. */
  get position(): number {
    return this.#position;
  }

  async start(): Promise<void> {
    this.#position = await lastSeq(this.#parts.store);
    this.#version = await this.#parts.store.version();
    this.#poll();
  }

  async stop(): Promise<void> {
    this.#ended = true;
    this.#cancelPoll();
    this.#gathering?.();
    await this.#looking;
  }

  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Our engine has committed something of this task. */
  committed(taskId: string): void {
    this.#changed.add(taskId);
    this.#gathering ??= this.#parts.after(gatherMs, () => {
      this.#gathering = null;
      void this.look();
    });
  }

  /** Hands out what is new. The promise ends when everything up to this call is handed out. */
  look(): Promise<void> {
    this.#again = true;
    this.#looking ??= this.#read()
      .catch((cause: unknown) => {
        if (!this.#ended) this.#parts.complain("journal", cause);
      })
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  /** What lies between two numbers, a page at a time: more than `after`, at most `upTo`. */
  async *between(
    after: number,
    upTo: number,
    taskId?: string,
  ): AsyncGenerator<readonly Transition[]> {
    for (let from = after; from < upTo;) {
      const rows = await this.#parts.store.transitions({
        after: from,
        limit: page,
        ...(taskId === undefined ? {} : { taskId }),
      });
      const wanted = rows.filter(({ seq }) => seq <= upTo);
      if (wanted.length > 0) yield wanted.map(recordOf);
      if (rows.length < page || wanted.length < rows.length) return;
      from = rows.at(-1)?.seq ?? upTo;
    }
  }

  // --- internal ---

  #poll(): void {
    if (this.#ended) return;
    this.#cancelPoll = this.#parts.after(pollMs, () => {
      this.#compare()
        .catch((cause: unknown) => {
          if (!this.#ended) this.#parts.complain("journal", cause);
        })
        .finally(() => this.#poll());
    });
  }

  async #compare(): Promise<void> {
    const version = await this.#parts.store.version();
    if (version !== this.#version) {
      this.#version = version;
      await this.look();
    }
    if (this.#changed.size === 0) return;
    const ids = [...this.#changed];
    this.#changed.clear();
    for (const watcher of this.#watchers) watcher.changed(ids);
  }

  async #read(): Promise<void> {
    while (this.#again && !this.#ended) {
      this.#again = false;
      for (let full = true; full && !this.#ended;) {
        const rows = await this.#parts.store.transitions({ after: this.#position, limit: page });
        full = rows.length === page;
        const last = rows.at(-1);
        if (last === undefined) break;
        // At one instant for all: who compares its own place with `position` misses nothing.
        this.#position = last.seq;
        const records = rows.map(recordOf);
        // The transition itself says that its task is different.
        for (const { taskId } of rows) this.#changed.delete(taskId);
        for (const watcher of this.#watchers) watcher.transitions(records);
      }
    }
  }
}

/** As S1.21 has it, with its number. */
export function recordOf({ seq, timestamp, taskId, ...rest }: TransitionRow): Transition {
  return { timestamp, taskId, type: "state_transition", ...rest, seq };
}

// --- internal ---

/** The highest number given so far, by halving: each question is one look into an index. */
async function lastSeq(store: Store): Promise<number> {
  const more = async (after: number): Promise<boolean> =>
    (await store.transitions({ after, limit: 1 })).length > 0;
  let beyond = 1;
  while (await more(beyond)) beyond *= 2;
  let [low, high] = [0, beyond];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await more(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
