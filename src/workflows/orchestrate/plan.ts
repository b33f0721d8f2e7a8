// What an orchestrate run takes from its plan, TASKS.md (S2.4). A plan of 10,000 tasks is read once
// and kept short: the order of its units, their phases, their checks. It is read again when it changed.
//
// The order of phases is a barrier, not a set of edges (S2.6), and what a field or a diagram says wins:
// a unit that an earlier phase needs belongs to that phase, or neither could ever begin.
import { compareUnitIds } from "../../core/ids.ts";
import { unitStatuses } from "../../core/vocabulary.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import type { TaskList } from "../../formats/task-list.ts";
import { unitsOf } from "./units.ts";

export interface PlanFacts {
  /** Every unit, as the plan has them. */
  readonly order: readonly string[];
  /** Of units whose phase their id does not say. */
  readonly phases: Readonly<Record<string, number>>;
  /** The command that says whether a unit is done, where it has one. */
  readonly checks: Readonly<Record<string, string>>;
}

/** The list must be free of problems. */
export function factsOf(list: TaskList): PlanFacts {
  const checks: Record<string, string> = {};
  for (const { id, check } of list.tasks) if (check !== undefined) checks[id] = check;
  const phases = neededPhases(
    list.tasks.map(({ id, phase, dependencies }) => ({ id, phase, dependencies })),
  );
  return { order: list.tasks.map(({ id }) => id), phases, checks };
}

/** Where there is no plan: what the ids and the dependencies of the state say. */
export function factsWithoutPlan(state: OrchestrateState): PlanFacts {
  const { dependencies } = state;
  const nodes = Array.from(unitsOf(state).keys(), (id) => ({
    id,
    phase: phaseIn(noPhases, id),
    dependencies: dependencies[id] ?? [],
  }));
  return { order: [], phases: neededPhases(nodes), checks: {} };
}

export function phaseIn(phases: PlanFacts["phases"], id: string): number {
  return (Object.hasOwn(phases, id) ? phases[id] : undefined) ?? phaseOfId(id);
}

/** By phase and plan; what only the state knows comes last in its phase. */
export function planOrder({ order, phases }: PlanFacts, ids: readonly string[]): string[] {
  const places = new Map<string, number>();
  const wanted = new Set(ids);
  for (const [place, id] of order.entries()) if (wanted.has(id)) places.set(id, place);
  const placeOf = (id: string): number => places.get(id) ?? Infinity;
  return ids.toSorted((a, b) => {
    const [x, y] = [placeOf(a), placeOf(b)];
    return (
      phaseIn(phases, a) - phaseIn(phases, b) || (x === y ? compareUnitIds(a, b) : x < y ? -1 : 1)
    );
  });
}

/**
 * A state that has every unit of the plan: new ones are pending, or completed where their box is
 * checked; dependencies are the plan's, of all its units (some old and some new could make a circle).
 * What the plan no longer has stays: somebody may be at work on it. The same state if nothing is new.
 */
export function withPlan(state: OrchestrateState, list: TaskList): OrchestrateState {
  const units = unitsOf(state);
  const fresh = list.tasks.filter(({ id }) => !units.has(id));
  const dependencies: Record<string, readonly string[]> = { ...state.dependencies };
  let changed = fresh.length > 0;
  for (const { id, dependencies: needed } of list.tasks) {
    if (isSame(dependencies[id] ?? [], needed)) continue;
    changed = true;
    if (needed.length > 0) dependencies[id] = needed;
    else delete dependencies[id];
  }
  const total = units.size + fresh.length;
  if (!changed && state.metrics.total_tasks >= total) return state;
  const listed = (checked: boolean): string[] =>
    fresh.flatMap((task) => (task.checked === checked ? [task.id] : []));
  return {
    ...state,
    tasks: {
      ...state.tasks,
      pending: [...state.tasks.pending, ...listed(false)],
      completed: [...state.tasks.completed, ...listed(true)],
    },
    dependencies: dependencies as OrchestrateState["dependencies"],
    metrics: { ...state.metrics, total_tasks: total },
  };
}

/** Has the state every unit of the plan? Asked at every call: who has as many has them. */
export function hasPlan(state: OrchestrateState, facts: PlanFacts): boolean {
  const listed = unitStatuses.reduce((sum, list) => sum + state.tasks[list].length, 0);
  if (listed >= facts.order.length) return true;
  const units = unitsOf(state);
  return facts.order.every((id) => units.has(id));
}

// --- internal ---

interface Planned {
  readonly id: string;
  readonly phase: number;
  readonly dependencies: readonly string[];
}

const noPhases: PlanFacts["phases"] = {};

/** T12.3, P2-R1-T1: the number after the first letter, for ids of every form. */
function phaseOfId(id: string): number {
  let phase = 0;
  for (let place = 1; place < id.length; place++) {
    const digit = id.charCodeAt(place) - 0x30;
    if (digit < 0 || digit > 9) break;
    phase = phase * 10 + digit;
  }
  return phase;
}

/** Only those that their id does not say: nearly none, and nothing to store. */
function neededPhases(nodes: readonly Planned[]): Record<string, number> {
  const found = new Map(nodes.map((node) => [node.id, { ...node }]));
  // From each unit to what it needs, until no phase is lowered any more: each only goes down.
  const queue = nodes.map(({ id }) => id);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const unit = found.get(id);
    for (const name of unit?.dependencies ?? []) {
      const needed = found.get(name);
      if (unit === undefined || needed === undefined || needed.phase <= unit.phase) continue;
      needed.phase = unit.phase;
      queue.push(name);
    }
  }
  const phases: Record<string, number> = {};
  for (const { id, phase } of found.values()) if (phase !== phaseOfId(id)) phases[id] = phase;
  return phases;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, place) => id === other[place]);
}
