// A state as it is worked on: where its units stand, from which its lists follow, and their phases.
import { type UnitStatus, unitStatuses } from "../../core/vocabulary.ts";
import { type Late, editList, lateAt, withFields } from "../../formats/late.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import { type Known, knownOf } from "./known.ts";
import { Needs } from "./needs.ts";
import { type PlanFacts, phaseIn } from "./plan.ts";
import { Standing, type UnitMove } from "./standing.ts";
import { Filed, readUnits, unitsOf } from "./units.ts";

export interface Board {
  readonly state: OrchestrateState;
  /** As the file has them; the graph may know better (S2.8: a change by hand wakes others). */
  readonly units: Filed;
  /** The lists name each unit once, and nothing else says otherwise. */
  readonly tidy: boolean;
  readonly graph: Standing;
  readonly facts: PlanFacts;
  /** Where an earlier step has left it. */
  readonly known: Known | undefined;
}

/** Of a valid document: nothing that is needed is missing, nothing goes in a circle. */
export function boardOf(
  state: OrchestrateState,
  facts: PlanFacts,
  lost: ReadonlySet<string> = noneLost,
): Board {
  const known = knownOf(state, facts);
  const read = known ? undefined : readUnits(state);
  const units = read ? new Filed(() => read.units) : new Filed(() => unitsOf(state), state);
  const graph = new Standing(units, new Needs(state), lost, known?.counts);
  return { state, units, tidy: read?.tidy ?? true, graph, facts, known };
}

// --- phases ---

export interface PhaseCount {
  readonly phase: number;
  all: number;
  completed: number;
  /** Failed, or blocked by what failed. */
  dead: number;
}

/** Each phase with its units counted, in order. Counted again when something has come to an end. */
export function phasesOf(board: Board): readonly PhaseCount[] {
  const { outcomes } = board.graph;
  const known = counted.get(board);
  if (known?.outcomes === outcomes) return known.phases;
  const phases = board.known ? movedPhases(board, board.known) : countPhases(board);
  counted.set(board, { outcomes, phases });
  return phases;
}

const counted = new WeakMap<Board, { outcomes: number; phases: readonly PhaseCount[] }>();

/** As an earlier step has counted them, and what has moved since. */
function movedPhases({ graph, facts }: Board, { phases }: Known): PhaseCount[] {
  const counts = phases.map((count) => ({ ...count }));
  for (const { id, from, to } of graph.moves()) {
    const phase = phaseIn(facts.phases, id);
    const count = counts.find((each) => each.phase === phase);
    if (count === undefined) continue;
    count.completed += Number(to === "completed") - Number(from === "completed");
    count.dead += Number(isDead(to)) - Number(isDead(from));
  }
  return counts;
}

function isDead(status: UnitStatus): boolean {
  return status === "failed" || status === "blocked";
}

function countPhases({ graph, facts }: Board): PhaseCount[] {
  const found = new Map<number, PhaseCount>();
  let count: PhaseCount | undefined;
  graph.each((id, status) => {
    const phase = phaseIn(facts.phases, id);
    // Mostly that of the unit before.
    if (count?.phase !== phase) {
      count = found.get(phase) ?? { phase, all: 0, completed: 0, dead: 0 };
      found.set(phase, count);
    }
    count.all++;
    if (status === "completed") count.completed++;
    else if (isDead(status)) count.dead++;
  });
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
export function listsOf(board: Board): OrchestrateState["tasks"] {
  const { state, graph, tidy } = board;
  const moves = graph.moves();
  if (!tidy) return changedIn(state, tidied(board, moves));
  if (moves.length === 0) return state.tasks;
  const lists: Lists = {};
  const edited = new Map<string, Late>();
  const inOrder = moves.toSorted((a, b) => placeOf(a) - placeOf(b));
  // Of 10,000 units that is a part.
  for (const list of new Set(moves.flatMap(({ from, to }) => [from, to]))) {
    const gone = moves.flatMap(({ id, from }) => (from === list ? [id] : []));
    const come = inOrder.flatMap(({ id, to }) => (to === list ? [id] : []));
    const late = gone.length > few ? undefined : lateAt(state.tasks, list);
    const edit = late && editList(late, gone, come);
    if (edit) edited.set(list, edit);
    else lists[list] = [...without(state.tasks[list], gone), ...come];
  }
  return withFields(state.tasks, lists, edited);
}

// --- internal ---

const placeOf = ({ from }: UnitMove): number => unitStatuses.indexOf(from);

function without(list: readonly string[], gone: readonly string[]): string[] {
  if (gone.length > few) {
    const leaving = new Set(gone);
    return list.filter((id) => !leaving.has(id));
  }
  // Copied and found natively: slice() of a frozen list takes 50 times as long.
  const left = [...list];
  for (const id of gone) {
    // Of a finished phase it may have stood in no list.
    const place = left.indexOf(id);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}

const few = 8;

type Lists = Partial<Record<UnitStatus, string[]>>;

/** Where a list names what stands elsewhere, or a unit twice: each is kept where it belongs, once. */
function tidied({ state, graph }: Board, moves: readonly UnitMove[]): Lists {
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
  for (const { id, to } of moves) if (!placed.has(id)) lists[to]?.push(id);
  return lists;
}

function changedIn(state: OrchestrateState, lists: Lists): OrchestrateState["tasks"] {
  const changed = Object.entries(lists).filter(([list, ids]) => {
    const was = state.tasks[list as UnitStatus];
    return was.length !== ids.length || was.some((id, place) => id !== ids[place]);
  });
  return changed.length > 0 ? { ...state.tasks, ...Object.fromEntries(changed) } : state.tasks;
}

const noneLost: ReadonlySet<string> = new Set();
