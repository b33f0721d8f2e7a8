// A state as it is worked on: where its units stand, from which its lists follow, and their phases.
import {
  type BuiltGraph,
  type Graph,
  type GraphNode,
  type Move,
  buildGraph,
} from "../../core/graph.ts";
import { type UnitStatus, unitStatuses } from "../../core/vocabulary.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import { type PlanFacts, phaseIn } from "./plan.ts";
import { unitsOf } from "./units.ts";

export interface Board {
  readonly state: OrchestrateState;
  /** As the file has them; the graph may know better (S2.8: a change by hand wakes others). */
  readonly units: ReadonlyMap<string, UnitStatus>;
  readonly graph: Graph;
  readonly facts: PlanFacts;
}

/**
 * Of a valid document: nothing that is needed is missing, nothing goes in a circle. `lost`: units in
 * progress whose session is gone; they are open again.
 */
export function boardOf(
  state: OrchestrateState,
  facts: PlanFacts,
  lost: ReadonlySet<string> = noneLost,
): Board {
  const units = unitsOf(state);
  return { state, units, graph: graphOf(units, state.dependencies, lost), facts };
}

/** All units in a status, in the order of the state. */
export function listOf({ units, graph }: Board, status: UnitStatus): string[] {
  return [...units.keys()].filter((id) => graph.status(id) === status);
}

export function countsOf({ units, graph }: Board): Readonly<Record<UnitStatus, number>> {
  const counts = { pending: 0, ready: 0, in_progress: 0, completed: 0, failed: 0, blocked: 0 };
  for (const id of units.keys()) counts[graph.status(id)]++;
  return counts;
}

/** Every unit that does not stand where the file has it, in the order of the state. */
export function movesOf({ units, graph }: Board): Move[] {
  return [...units].flatMap(([id, from]) => {
    const to = graph.status(id);
    return to === from ? [] : [{ id, from, to }];
  });
}

// --- phases ---

export interface PhaseCount {
  readonly phase: number;
  /** Something of it was begun, and it has not passed its gate yet: that all of it is completed is not enough. */
  readonly open: boolean;
  all: number;
  completed: number;
  /** Failed, or blocked by what failed. */
  dead: number;
}

/** Each phase with its units counted, in order. */
export function phasesOf({ state, units, graph, facts }: Board): readonly PhaseCount[] {
  const found = new Map<number, PhaseCount>();
  for (const id of units.keys()) {
    const phase = phaseIn(facts.phases, id);
    const count = found.get(phase) ?? {
      phase,
      open: isOpen(state.checkpoints[`phase_${phase}`]),
      all: 0,
      completed: 0,
      dead: 0,
    };
    found.set(phase, count);
    const status = graph.status(id);
    count.all++;
    if (status === "completed") count.completed++;
    else if (status === "failed" || status === "blocked") count.dead++;
  }
  return [...found.values()].toSorted((a, b) => a.phase - b.phase);
}

export function isComplete({ all, completed }: Pick<PhaseCount, "all" | "completed">): boolean {
  return completed === all;
}

/** Begun, and not past its gate. */
export function isOpen(checkpoint: OrchestrateState["checkpoints"][string] | undefined): boolean {
  if (checkpoint?.started_at === undefined) return false;
  if (checkpoint.completed_at === undefined) return true;
  // It had ended, and the plan has grown since.
  const [done, all] = (checkpoint.progress ?? "").split("/");
  return done !== all;
}

/** Complete, and tested and merged; or complete before anything of it was begun: ticked in the plan. */
export function isDone(count: PhaseCount): boolean {
  return isComplete(count) && !count.open;
}

/** A person completed the last of it by hand: its gate and its merge are still to come (S2.8). */
export function isUnclosed(count: PhaseCount): boolean {
  return isComplete(count) && count.open;
}

/** Nothing more can be done in it before a person has decided (S2.6). */
export function isStuck({ all, completed, dead }: PhaseCount): boolean {
  return dead > 0 && completed + dead === all;
}

export function unitsIn({ units, facts }: Board, phase: number): string[] {
  return [...units.keys()].filter((id) => phaseIn(facts.phases, id) === phase);
}

// --- lists ---

/**
 * The lists as the graph has them: who stayed keeps its place, who came stands at the end. A unit that
 * two lists name, or one that stands elsewhere, is kept where it belongs, once.
 */
export function listsOf(board: Board): OrchestrateState["tasks"] {
  const { state, graph } = board;
  const placed = new Set<string>();
  const lists: Lists = {};
  for (const list of unitStatuses)
    lists[list] = state.tasks[list].filter((id) => {
      const stays = graph.status(id) === list && !placed.has(id);
      if (stays) placed.add(id);
      return stays;
    });
  for (const list of unitStatuses)
    for (const id of state.tasks[list]) {
      if (placed.has(id)) continue;
      placed.add(id);
      lists[graph.status(id)]?.push(id);
    }
  // Of a phase that ended before, and of which no list speaks any more, nothing is written (S2.2).
  for (const { id, to } of movesOf(board)) if (!placed.has(id)) lists[to]?.push(id);
  return changedIn(state, lists);
}

// --- internal ---

const noneLost: ReadonlySet<string> = new Set();

function graphOf(
  units: Board["units"],
  dependencies: OrchestrateState["dependencies"],
  lost: ReadonlySet<string>,
): Graph {
  const nodes: GraphNode[] = [];
  const strangers = new Set<string>();
  for (const [id, filed] of units) {
    const status = filed === "in_progress" && lost.has(id) ? "pending" : filed;
    const needed = (Object.hasOwn(dependencies, id) ? dependencies[id] : undefined) ?? [];
    for (const other of needed) if (!units.has(other)) strangers.add(other);
    nodes.push({ id, status, dependencies: needed });
  }
  // Of these the state knows only what they need themselves: who needs them waits.
  for (const id of strangers) nodes.push({ id, dependencies: [] });
  const built: BuiltGraph = buildGraph(nodes);
  if (!built.ok) throw new Error("a valid state has a broken graph");
  return built.graph;
}

type Lists = Partial<Record<UnitStatus, string[]>>;

/** The same objects where nothing has changed. */
function changedIn(state: OrchestrateState, lists: Lists): OrchestrateState["tasks"] {
  const changed = Object.entries(lists).filter(([list, ids]) => {
    const was = state.tasks[list as UnitStatus];
    return was.length !== ids.length || was.some((id, place) => id !== ids[place]);
  });
  return changed.length > 0 ? { ...state.tasks, ...Object.fromEntries(changed) } : state.tasks;
}
