// Where each unit of a run stands (S2.2, S2.8), worked out from its state for one event. The rule is that of
// core/graph.ts: in_progress, completed and failed are decided by someone; what is open is blocked when
// something it needs is failed or blocked, else ready when all of it is completed, else pending.
//
// A run is read anew for every event, so nothing is built that would only pay for the next one: no
// numbers for ids, no edges turned round. Only what differs from the file is kept beside it, and an event
// looks at what is open and what that needs (10,000 units: 60 ms for the graph, 3 for this).
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { UnitStatus } from "../../core/vocabulary.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";

/** What became of one unit. */
export interface UnitMove {
  readonly id: string;
  readonly from: UnitStatus;
  readonly to: UnitStatus;
}

export class Standing {
  /** As the file has them. */
  readonly #filed: ReadonlyMap<string, UnitStatus>;
  readonly #needs: OrchestrateState["dependencies"];
  /** Those that stand elsewhere than the file says. */
  readonly #moved = new Map<string, UnitStatus>();
  /** Those that may be open: some may have been decided since. */
  readonly #open: string[] = [];
  readonly #counts: Record<UnitStatus, number>;
  #outcomes = 0;

  /** `lost`: units in progress whose session is gone; they are open again. */
  constructor(
    filed: ReadonlyMap<string, UnitStatus>,
    needs: OrchestrateState["dependencies"],
    lost: ReadonlySet<string>,
  ) {
    this.#filed = filed;
    this.#needs = needs;
    this.#counts = { pending: 0, ready: 0, in_progress: 0, completed: 0, failed: 0, blocked: 0 };
    // A callback, not an iterator: code that runs once is not compiled, and each pair would be made.
    filed.forEach((status, id) => {
      this.#counts[status]++;
      if (!isDecided(status)) this.#open.push(id);
    });
    for (const id of lost) if (filed.get(id) === "in_progress") this.#reopen(id);
    this.#settle();
  }

  has(id: string): boolean {
    return this.#filed.has(id);
  }

  status(id: string): UnitStatus {
    const status = this.#moved.get(id) ?? this.#filed.get(id);
    if (status === undefined) throw new Fault("not_found", msg("graph.unknown_id", { id }));
    return status;
  }

  counts(): Readonly<Record<UnitStatus, number>> {
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
  list(status: UnitStatus): string[] {
    const ids: string[] = [];
    this.each((id, now) => {
      if (now === status) ids.push(id);
    });
    return ids;
  }

  /** What a unit needs that is not completed. */
  unfinished(id: string): string[] {
    return [...new Set(this.#needed(id))].filter((other) => this.status(other) !== "completed");
  }

  /** Every unit that does not stand where the file has it, in the order of the state. */
  moves(): UnitMove[] {
    const moves: UnitMove[] = [];
    const look = (id: string): void => {
      const [from, to] = [this.#filed.get(id), this.#moved.get(id)];
      if (from !== undefined && to !== undefined && to !== from) moves.push({ id, from, to });
    };
    // Of one the order is known.
    if (this.#moved.size === 1) for (const id of this.#moved.keys()) look(id);
    else if (this.#moved.size > 1) for (const id of this.#filed.keys()) look(id);
    return moves;
  }

  /** Nobody else stands elsewhere because of it. */
  start(id: string): void {
    this.#require("start", id, "ready");
    this.#set(id, "in_progress");
  }

  complete(id: string): void {
    this.#require("complete", id, "in_progress");
    this.#set(id, "completed");
    this.#settle();
  }

  /** How many others are blocked by it. */
  fail(id: string): number {
    this.#require("fail", id, "in_progress");
    this.#set(id, "failed");
    const before = this.#counts.blocked;
    this.#settle();
    return this.#counts.blocked - before;
  }

  /** Gives a started unit back: its agent is gone (S2.8). */
  release(id: string): void {
    this.#require("release", id, "in_progress");
    this.#reopen(id);
    this.#settle();
  }

  /** Opens a failed unit again; what it held back waits as before. */
  retry(id: string): void {
    this.#require("retry", id, "failed");
    this.#reopen(id);
    this.#settle();
  }

  /** A person's word, from any status (S2.8). pending, ready and blocked all mean “open”. */
  edit(id: string, status: UnitStatus): void {
    if (isDecided(status)) this.#set(id, status);
    else this.#reopen(id);
    this.#settle();
  }

  #needed(id: string): readonly string[] {
    return (Object.hasOwn(this.#needs, id) ? this.#needs[id] : undefined) ?? none;
  }

  #reopen(id: string): void {
    if (isDecided(this.status(id))) this.#open.push(id);
    this.#set(id, "pending");
  }

  #set(id: string, to: UnitStatus): void {
    const from = this.status(id);
    if (from === to) return;
    this.#counts[from]--;
    this.#counts[to]++;
    this.#moved.set(id, to);
    if (isOutcome(from) || isOutcome(to)) this.#outcomes++;
  }

  /** What follows for everything that is open. */
  #settle(): void {
    const blocked = this.#counts.failed > 0 ? this.#held() : undefined;
    const [filed, moved] = [this.#filed, this.#moved];
    // Asked for each: a call of its own would cost more than what it does.
    const isOpen = (id: string): boolean => (moved.get(id) ?? filed.get(id)) !== "completed";
    for (const id of this.#open) {
      const now = moved.get(id) ?? filed.get(id) ?? "pending";
      if (isDecided(now)) continue;
      const to = blocked?.has(id) ? "blocked" : this.#needed(id).some(isOpen) ? "pending" : "ready";
      if (to !== now) this.#set(id, to);
    }
  }

  /** All that is open and needs what failed, directly or not. */
  #held(): ReadonlySet<string> {
    const needing = new Map<string, string[]>();
    for (const id of this.#open) {
      if (isDecided(this.status(id))) continue;
      for (const other of this.#needed(id)) {
        const known = needing.get(other);
        if (known === undefined) needing.set(other, [id]);
        else known.push(id);
      }
    }
    const held = new Set<string>();
    const queue = this.list("failed");
    for (let id = queue.pop(); id !== undefined; id = queue.pop())
      for (const other of needing.get(id) ?? none)
        if (!held.has(other)) {
          held.add(other);
          queue.push(other);
        }
    return held;
  }

  #require(operation: string, id: string, needed: UnitStatus): void {
    const status = this.status(id);
    if (status === needed) return;
    throw new Fault("refused", msg("graph.not_possible", { operation, id, status, needed }));
  }
}

// --- internal ---

const none: readonly string[] = [];

/** Set by someone, rather than following from what it needs. */
function isDecided(status: UnitStatus): boolean {
  return status === "in_progress" || status === "completed" || status === "failed";
}

function isOutcome(status: UnitStatus): boolean {
  return status === "completed" || status === "failed" || status === "blocked";
}
