// The dependency graph (S2.2, S2.8): which units may start, which are held back, and what one
// step changes.
//
//                    ┌── release, retry ──┐
//                    ▼                    │
//   pending ──▶ ready ──start──▶ in_progress ──complete──▶ completed
//      ▲  ▲       │                       └──────fail────▶ failed
//      │  └───────┘ a dependency is reopened
//      └──▶ blocked ◀── a dependency is failed or blocked; transitively
//
// Only in_progress, completed and failed are decided by someone. The other three follow from the
// dependencies: blocked when one of them is failed or blocked, else ready when all are
// completed, else pending. So two counters a node are enough (dependencies not completed,
// dependencies failed or blocked), and a step touches only the edges that leave the nodes
// it changes: a completion costs its out-degree, not the size of the plan.
import { Fault } from "./errors.ts";
import { type GraphProblem, type NodeInput, type Wiring, wire } from "./_graph-build.ts";
import { type CriticalPath, findCriticalPath, planWaves } from "./_graph-plan.ts";
import { OrderedSet } from "./_graph-ready.ts";
import {
  BLOCKED,
  COMPLETED,
  FAILED,
  IN_PROGRESS,
  type Misplaced,
  type Move,
  PENDING,
  READY,
  holdsBack,
  isDecided,
  nameOf,
} from "./_graph-status.ts";
import { closest } from "./closest.ts";
import { msg } from "./messages.ts";
import { type UnitStatus, unitStatuses } from "./vocabulary.ts";

export { type GraphProblem, cycleText, findProblems } from "./_graph-build.ts";
export type { CriticalPath } from "./_graph-plan.ts";
export type { Misplaced, Move } from "./_graph-status.ts";

export interface GraphNode extends NodeInput {
  /** As stored; pending when not given. What follows from the dependencies is worked out anew. */
  readonly status?: UnitStatus;
}

export type BuiltGraph =
  | { readonly ok: true; readonly graph: Graph; readonly misplaced: readonly Misplaced[] }
  | { readonly ok: false; readonly problems: readonly GraphProblem[] };

export function buildGraph(nodes: readonly GraphNode[]): BuiltGraph {
  const wiring = wire(nodes);
  if ("problems" in wiring) return { ok: false, problems: wiring.problems };
  const given = Uint8Array.from(nodes, ({ status }) => unitStatuses.indexOf(status ?? "pending"));
  const graph = new Graph(wiring, given);
  const misplaced = nodes.flatMap(({ id, status }) => {
    // A person may complete or fail what they like; only an early start is worth a word.
    if (!status || status === "completed" || status === "failed") return [];
    const expected = graph.expected(id);
    return status === expected || (status === "in_progress" && expected === "ready")
      ? []
      : [{ id, status, expected, unfinished: graph.unfinished(id) }];
  });
  return { ok: true, graph, misplaced };
}

export class Graph {
  readonly #wiring: Wiring;
  readonly #status: Uint8Array;
  /** Dependencies not completed. */
  readonly #waiting: Int32Array;
  /** Dependencies failed or blocked. */
  readonly #holding: Int32Array;
  readonly #ready: OrderedSet;
  readonly #counts = new Int32Array(unitStatuses.length);
  /**
   * Units in progress by id. They are few and soon asked for again: found here, a step costs
   * the same at any size (10,000 → 100,000 units: 1.0–1.1×; with the large map alone 1.4–1.6×).
   */
  readonly #running = new Map<string, number>();
  #edgesTouched = 0;

  /** Made by buildGraph(), which has checked the wiring. */
  constructor(wiring: Wiring, given: Uint8Array) {
    const size = wiring.ids.length;
    this.#wiring = wiring;
    this.#status = given;
    this.#waiting = new Int32Array(size);
    this.#holding = new Int32Array(size);
    this.#ready = new OrderedSet(size);
    const { starts, items } = wiring.dependencies;
    for (const node of wiring.order) {
      for (let at = starts[node] ?? 0; at < (starts[node + 1] ?? 0); at++) {
        const status = given[items[at] ?? 0] ?? PENDING;
        if (status !== COMPLETED) add(this.#waiting, node, 1);
        if (holdsBack(status)) add(this.#holding, node, 1);
      }
      const status = isDecided(given[node] ?? PENDING)
        ? (given[node] ?? PENDING)
        : this.#derive(node);
      given[node] = status;
      add(this.#counts, status, 1);
      if (status === READY) this.#ready.add(node);
    }
  }

  get size(): number {
    return this.#wiring.ids.length;
  }

  /** Edges looked at by all steps so far: a counter no noise can disturb. */
  get edgesTouched(): number {
    return this.#edgesTouched;
  }

  has(id: string): boolean {
    return this.#wiring.indexOf.has(id);
  }

  status(id: string): UnitStatus {
    return nameOf(this.#status[this.#find(id)] ?? PENDING);
  }

  /** What the dependencies say about the unit, were nothing decided about it. */
  expected(id: string): UnitStatus {
    return nameOf(this.#derive(this.#find(id)));
  }

  /** How many units are in each status. */
  counts(): Readonly<Record<UnitStatus, number>> {
    const [pending = 0, ready = 0, in_progress = 0, completed = 0, failed = 0, blocked = 0] =
      this.#counts;
    return { pending, ready, in_progress, completed, failed, blocked };
  }

  /** All units in a status, in plan order. */
  list(status: UnitStatus): string[] {
    const code = unitStatuses.indexOf(status);
    return this.#wiring.ids.filter((_, node) => this.#status[node] === code);
  }

  /** The dependencies of a unit that are not completed: what it waits for. */
  unfinished(id: string): string[] {
    const node = this.#find(id);
    const { starts, items } = this.#wiring.dependencies;
    return Array.from(items.subarray(starts[node], starts[node + 1]))
      .filter((other) => this.#status[other] !== COMPLETED)
      .map((other) => this.#wiring.ids[other] ?? "");
  }

  /** The first ready unit in plan order, or the first one after the unit given. */
  next(after?: string): string | undefined {
    const node = this.#ready.next(after === undefined ? 0 : this.#find(after) + 1);
    return node === -1 ? undefined : this.#wiring.ids[node];
  }

  /** Starts the next ready unit and names it. */
  take(): string | undefined {
    const node = this.#ready.next(0);
    if (node === -1) return undefined;
    this.#change(node, IN_PROGRESS);
    return this.#wiring.ids[node];
  }

  start(id: string): Move[] {
    return this.#step("start", id, READY, IN_PROGRESS);
  }

  /** Wakes the dependents for which this was the last one missing. */
  complete(id: string): Move[] {
    return this.#step("complete", id, IN_PROGRESS, COMPLETED);
  }

  /** Blocks all that depends on it, directly or not. */
  fail(id: string): Move[] {
    return this.#step("fail", id, IN_PROGRESS, FAILED);
  }

  /** Gives a started unit back: its agent is gone (S2.8). */
  release(id: string): Move[] {
    return this.#step("release", id, IN_PROGRESS, undefined);
  }

  /** Opens a failed unit again; what it held back waits as before. */
  retry(id: string): Move[] {
    return this.#step("retry", id, FAILED, undefined);
  }

  /**
   * A person's word, from any status (S2.8). pending, ready and blocked all mean “open”: which
   * of them it becomes follows from its dependencies, and stands in the first move.
   */
  edit(id: string, status: UnitStatus): Move[] {
    const node = this.#find(id);
    const wanted = unitStatuses.indexOf(status);
    return this.#change(node, isDecided(wanted) ? wanted : this.#derive(node));
  }

  /** All that is not completed, in waves that may run side by side. */
  waves(): string[][] {
    return planWaves(this.#wiring, this.#isCompleted);
  }

  /** The chain that decides how long the rest takes; each unit weighs 1 if not told otherwise. */
  criticalPath(weight: (id: string) => number = () => 1): CriticalPath {
    return findCriticalPath(this.#wiring, this.#isCompleted, weight);
  }

  readonly #isCompleted = (node: number): boolean => this.#status[node] === COMPLETED;

  #find(id: string): number {
    const node = this.#running.get(id) ?? this.#wiring.indexOf.get(id);
    if (node !== undefined) return node;
    const near = closest(id, this.#wiring.ids);
    const more = near === undefined ? {} : { hint: msg("graph.did_you_mean", { id: near }) };
    throw new Fault("not_found", msg("graph.unknown_id", { id }), more);
  }

  #derive(node: number): number {
    if (this.#holding[node] !== 0) return BLOCKED;
    return this.#waiting[node] === 0 ? READY : PENDING;
  }

  /** `to` undefined: whatever the dependencies say. */
  #step(operation: string, id: string, from: number, to: number | undefined): Move[] {
    const node = this.#find(id);
    const status = this.#status[node] ?? PENDING;
    if (status === from) return this.#change(node, to ?? this.#derive(node));
    const [now, needed] = [nameOf(status), nameOf(from)];
    throw new Fault("refused", msg("graph.not_possible", { operation, id, status: now, needed }));
  }

  /**
   * Sets one status and all that follows from it. Each node changes at most once: within one
   * step dependencies are either only lost or only gained, never both.
   */
  #change(node: number, to: number): Move[] {
    const moves: Move[] = [];
    const from = this.#set(node, to, moves);
    if (from === to) return moves;
    const queue = [node];
    const froms = [from];
    const { starts, items } = this.#wiring.dependents;
    for (let head = 0; head < queue.length; head++) {
      const changed = queue[head] ?? 0;
      const was = froms[head] ?? 0;
      const is = this.#status[changed] ?? 0;
      const lost = Number(was === COMPLETED) - Number(is === COMPLETED);
      const held = Number(holdsBack(is)) - Number(holdsBack(was));
      if (lost === 0 && held === 0) continue;
      const end = starts[changed + 1] ?? 0;
      for (let at = starts[changed] ?? 0; at < end; at++) {
        const next = items[at] ?? 0;
        this.#edgesTouched++;
        if (lost !== 0) add(this.#waiting, next, lost);
        if (held !== 0) add(this.#holding, next, held);
        const status = this.#status[next] ?? 0;
        if (isDecided(status)) continue;
        const derived = this.#derive(next);
        if (derived === status) continue;
        this.#set(next, derived, moves);
        // From pending to ready and back concerns nobody else.
        if (holdsBack(derived) === holdsBack(status)) continue;
        queue.push(next);
        froms.push(status);
      }
    }
    return moves;
  }

  #set(node: number, to: number, moves: Move[]): number {
    const from = this.#status[node] ?? PENDING;
    if (from === to) return from;
    this.#status[node] = to;
    add(this.#counts, from, -1);
    add(this.#counts, to, 1);
    if (from === READY) this.#ready.remove(node);
    if (to === READY) this.#ready.add(node);
    if (from === IN_PROGRESS) this.#running.delete(this.#wiring.ids[node] ?? "");
    if (to === IN_PROGRESS) this.#running.set(this.#wiring.ids[node] ?? "", node);
    moves.push({ id: this.#wiring.ids[node] ?? "", from: nameOf(from), to: nameOf(to) });
    return from;
  }
}

// --- internal ---

function add(array: Int32Array, place: number, difference: number): void {
  array[place] = (array[place] ?? 0) + difference;
}
