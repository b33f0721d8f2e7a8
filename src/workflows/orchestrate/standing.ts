// Where each unit of a run stands (S2.2, S2.8), worked out from its state for one event. The rule is that of
// core/graph.ts: in_progress, completed and failed are decided by someone; what is open is blocked when
// something it needs is failed or blocked, else ready when all of it is completed, else pending.
//
// A run is read anew for every event, so nothing is built that would only pay for the next one. Only what
// differs from the file is kept beside it, and what follows from a step is looked for where it may be: with
// those that need what has moved. A state that was made by such a step is settled, and its counts are known
// (memo.ts); of any other, all that is open is looked at first.
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { UnitStatus } from "../../core/vocabulary.ts";
import type { Needs } from "./needs.ts";
import type { Filed } from "./units.ts";

/** What became of one unit. */
export interface UnitMove {
  readonly id: string;
  readonly from: UnitStatus;
  readonly to: UnitStatus;
}

export type UnitCounts = Readonly<Record<UnitStatus, number>>;

export class Standing {
  /** As the file has them. */
  readonly #filed: Filed;
  readonly #needs: Needs;
  /** Those that stand elsewhere than the file says. */
  readonly #moved = new Map<string, UnitStatus>();
  readonly #counts: Record<UnitStatus, number>;
  #outcomes = 0;

  /**
   * `lost`: units in progress whose session is gone; they are open again. `settled`: how many stand where,
   * if each stands where it should.
   */
  constructor(filed: Filed, needs: Needs, lost: ReadonlySet<string>, settled?: UnitCounts) {
    this.#filed = filed;
    this.#needs = needs;
    const none = { pending: 0, ready: 0, in_progress: 0, completed: 0, failed: 0, blocked: 0 };
    this.#counts = { ...(settled ?? none) };
    const open = settled ? [] : this.#count();
    const given = [...lost].filter((id) => filed.get(id) === "in_progress");
    for (const id of given) this.#set(id, "pending");
    const moved = [...open, ...given].filter((id) => this.#place(id));
    this.#follow([...given, ...moved]);
  }

  has(id: string): boolean {
    return this.#filed.get(id) !== undefined;
  }

  status(id: string): UnitStatus {
    const status = this.#moved.get(id) ?? this.#filed.get(id);
    if (status === undefined) throw new Fault("not_found", msg("graph.unknown_id", { id }));
    return status;
  }

  counts(): UnitCounts {
    return this.#counts;
  }

  /** Another number whenever other units are completed, failed or blocked than before. */
  get outcomes(): number {
    return this.#outcomes;
  }

  /** Every unit, in the order of the state. */
  each(visit: (id: string, status: UnitStatus) => void): void {
    const moved = this.#moved;
    if (moved.size === 0) this.#filed.forEach((status, id) => visit(id, status));
    else this.#filed.forEach((status, id) => visit(id, moved.get(id) ?? status));
  }

  /** All units in a status, in the order of the state. */
  list(status: UnitStatus): readonly string[] {
    if (this.#moved.size === 0) return this.#filed.list(status);
    const ids: string[] = [];
    this.each((id, now) => {
      if (now === status) ids.push(id);
    });
    return ids;
  }

  /** Is one of these in this status? A few are looked for, for more they are put into a set. */
  among(status: UnitStatus): (id: string) => boolean {
    let asked = 0;
    let all: ReadonlySet<string> | undefined;
    return (id) => {
      if (all === undefined && ++asked <= fewAsked) return this.#is(id, status);
      all ??= new Set(this.list(status));
      return all.has(id);
    };
  }

  /** What a unit needs that is not completed. */
  unfinished(id: string): string[] {
    return [...new Set(this.#needs.of(id))].filter((other) => this.status(other) !== "completed");
  }

  /** Every unit that does not stand where the file has it, in the order of the state. */
  moves(): UnitMove[] {
    return this.#filed.inOrder([...this.#moved.keys()]).flatMap((id) => {
      const [from, to] = [this.#filed.get(id), this.#moved.get(id)];
      return from !== undefined && to !== undefined && to !== from ? [{ id, from, to }] : [];
    });
  }

  /** Nobody else stands elsewhere because of it. */
  start(id: string): void {
    this.#require("start", id, "ready");
    this.#set(id, "in_progress");
  }

  complete(id: string): void {
    this.#require("complete", id, "in_progress");
    this.#set(id, "completed");
    this.#follow([id]);
  }

  /** How many others are blocked by it. */
  fail(id: string): number {
    this.#require("fail", id, "in_progress");
    this.#set(id, "failed");
    const before = this.#counts.blocked;
    this.#follow([id]);
    return this.#counts.blocked - before;
  }

  /** Gives a started unit back: its agent is gone (S2.8). */
  release(id: string): void {
    this.#require("release", id, "in_progress");
    this.#reopen(id);
  }

  /** Opens a failed unit again; what it held back waits as before. */
  retry(id: string): void {
    this.#require("retry", id, "failed");
    this.#reopen(id);
  }

  /** A person's word, from any status (S2.8). pending, ready and blocked all mean “open”. */
  edit(id: string, status: UnitStatus): void {
    if (!isDecided(status)) return this.#reopen(id);
    this.#set(id, status);
    this.#follow([id]);
  }

  #is(id: string, status: UnitStatus): boolean {
    const moved = this.#moved.get(id);
    return moved === undefined ? this.#filed.isIn(status, id) : moved === status;
  }

  #reopen(id: string): void {
    this.#set(id, "pending");
    this.#place(id);
    this.#follow([id]);
  }

  /** Counts all of them; those that are open. */
  #count(): string[] {
    const open: string[] = [];
    this.#filed.forEach((status, id) => {
      this.#counts[status]++;
      if (!isDecided(status)) open.push(id);
    });
    return open;
  }

  #set(id: string, to: UnitStatus): void {
    const from = this.status(id);
    if (from === to) return;
    this.#counts[from]--;
    this.#counts[to]++;
    this.#moved.set(id, to);
    if (isOutcome(from) || isOutcome(to)) this.#outcomes++;
  }

  /** What follows from these, which have moved: nothing goes in a circle, so that it comes to an end. */
  #follow(moved: readonly string[]): void {
    const queue = [...moved];
    for (let id = queue.pop(); id !== undefined; id = queue.pop())
      for (const other of this.#needs.by(id)) if (this.#place(other)) queue.push(other);
  }

  /** True: it stood elsewhere. */
  #place(id: string): boolean {
    const now = this.#moved.get(id) ?? this.#filed.get(id);
    if (now === undefined || isDecided(now)) return false;
    const to = this.#due(id);
    if (to === now) return false;
    this.#set(id, to);
    return true;
  }

  /** Where one that is open should stand. */
  #due(id: string): "blocked" | "pending" | "ready" {
    let due: "pending" | "ready" = "ready";
    for (const other of this.#needs.of(id)) {
      const status = this.#moved.get(other) ?? this.#filed.get(other);
      if (status === "failed" || status === "blocked") return "blocked";
      if (status !== "completed") due = "pending";
    }
    return due;
  }

  #require(operation: string, id: string, needed: UnitStatus): void {
    const status = this.status(id);
    if (status === needed) return;
    throw new Fault("refused", msg("graph.not_possible", { operation, id, status, needed }));
  }
}

// --- internal ---

const fewAsked = 128;

/** Set by someone, rather than following from what it needs. */
function isDecided(status: UnitStatus): boolean {
  return status === "in_progress" || status === "completed" || status === "failed";
}

function isOutcome(status: UnitStatus): boolean {
  return status === "completed" || status === "failed" || status === "blocked";
}
