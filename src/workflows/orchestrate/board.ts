// A state as it is worked on: the graph of its units, whose lists follow from it, and their phases.
import { type BuiltGraph, type Graph, buildGraph } from "../../core/graph.ts";
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

/** What became of one unit, for the journal. */
export interface UnitMove {
  readonly id: string;
  readonly from: UnitStatus;
  readonly to: UnitStatus;
}

/** `lost`: units in progress whose session is gone; they are open again. */
export function boardOf(
  state: OrchestrateState,
  facts: PlanFacts,
  lost: ReadonlySet<string> = noneLost,
): Board {
  const units = unitsOf(state);
  const { dependencies } = state;
  const nodes: Parameters<typeof buildGraph>[0][number][] = [];
  for (const [id, status] of units) {
    // What is open follows from the dependencies, whatever the file says.
    const decided =
      status === "completed" || status === "failed" || (status === "in_progress" && !lost.has(id));
    const node = { id, dependencies: dependencies[id] ?? none };
    nodes.push(decided ? { ...node, status } : node);
  }
  const built: BuiltGraph = buildGraph(nodes);
  // The document was valid: no dependency is missing, none goes in a circle.
  if (!built.ok) throw new Error("a valid document has a broken graph");
  return { state, units, graph: built.graph, facts };
}

// --- phases ---

export interface PhaseCount {
  readonly phase: number;
  all: number;
  completed: number;
  /** Failed, or blocked by what failed. */
  dead: number;
}

/** Each phase with its units counted, in order. */
export function phasesOf({ units, graph, facts }: Board): PhaseCount[] {
  const found = new Map<number, PhaseCount>();
  for (const id of units.keys()) {
    const phase = phaseIn(facts.phases, id);
    let count = found.get(phase);
    if (count === undefined) {
      count = { phase, all: 0, completed: 0, dead: 0 };
      found.set(phase, count);
    }
    const status = graph.status(id);
    count.all++;
    if (status === "completed") count.completed++;
    else if (status === "failed" || status === "blocked") count.dead++;
  }
  return [...found.values()].toSorted((a, b) => a.phase - b.phase);
}

export function isDone({ all, completed }: PhaseCount): boolean {
  return completed === all;
}

/** Nothing more can be done in it before a person has decided (S2.6). */
export function isStuck({ all, completed, dead }: PhaseCount): boolean {
  return dead > 0 && completed + dead === all;
}

export function unitsIn({ units, facts }: Board, phase: number): string[] {
  return [...units.keys()].filter((id) => phaseIn(facts.phases, id) === phase);
}

// --- lists ---

/** The lists as the graph has them: who stayed keeps its place, who came stands at the end. */
export function listsOf({ state, units, graph }: Board): OrchestrateState["tasks"] {
  const placed = new Set<string>();
  const lists: Record<string, string[]> = {};
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
  for (const [id, was] of units)
    if (!placed.has(id) && graph.status(id) !== was) lists[graph.status(id)]?.push(id);
  const same = (list: UnitStatus): string[] => {
    const [was, is] = [state.tasks[list], lists[list] ?? []];
    return was.length === is.length && was.every((id, place) => id === is[place]) ? was : is;
  };
  const kept = Object.fromEntries(unitStatuses.map((list) => [list, same(list)]));
  const changed = unitStatuses.some((list) => kept[list] !== state.tasks[list]);
  return changed ? { ...state.tasks, ...kept } : state.tasks;
}

/** Every unit that does not stand where the file has it. */
export function movesOf({ units, graph }: Board): UnitMove[] {
  const moves: UnitMove[] = [];
  for (const [id, from] of units) {
    const to = graph.status(id);
    if (from !== to) moves.push({ id, from, to });
  }
  return moves;
}

// --- internal ---

const none: readonly string[] = [];
const noneLost: ReadonlySet<string> = new Set();
