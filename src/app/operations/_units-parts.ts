// Units of any workflow as one graph: what waits for what, and which chain sets the pace.
import { type Graph, buildGraph } from "../../core/graph.ts";
import type { UnitStatus } from "../../core/vocabulary.ts";
import type { TaskRow } from "../../store/database/store.ts";

export const unitStates = [
  "pending",
  "ready",
  "in_progress",
  "waiting",
  "completed",
  "failed",
  "blocked",
  "escalated",
] as const;
export type UnitState = (typeof unitStates)[number];

export const runNames = ["orchestrate", "develop", "plan", "request", "tasks"] as const;
export type RunName = (typeof runNames)[number];

export interface Unit {
  readonly id: string;
  readonly title: string;
  /** In the words of its document. */
  readonly status: string;
  /** In those of all workflows. */
  readonly state: UnitState;
  readonly phase: string | null;
  readonly attempts: number | null;
  readonly owner: string | null;
  readonly dependencies: readonly string[];
  readonly files: readonly string[];
  readonly check: string | null;
}

export interface Run {
  readonly workflow: RunName;
  readonly title: string;
  readonly updatedAt: string | null;
  readonly units: readonly Unit[];
}

/** More is no picture any more; the lists of the documents hold them all. */
export const mostUnits = 5_000;

export function drawn({ units: all }: Run) {
  const units = all.slice(0, mostUnits);
  const known = new Set(units.map(({ id }) => id));
  const wired = units.map((unit) => ({
    ...unit,
    // A plan that is being written may name what is not there yet.
    dependencies: [...new Set(unit.dependencies)].filter((id) => known.has(id) && id !== unit.id),
  }));
  const built = buildGraph(
    wired.map(({ id, dependencies, state }) => ({ id, dependencies, status: weighed[state] })),
  );
  const graph = built.ok ? built.graph : undefined;
  const critical = graph?.criticalPath().ids ?? [];
  // One unit is no chain.
  const chain = new Set(critical.length > 1 ? critical : []);
  return {
    nodes: wired.map((unit) => {
      const { id, title, status, phase, attempts, owner, check } = unit;
      const shown = { id, title, status, phase, attempts, owner, check, files: [...unit.files] };
      return { ...shown, state: stateIn(unit, graph), critical: chain.has(id) };
    }),
    edges: wired.flatMap(({ id, dependencies }) => dependencies.map((from) => ({ from, to: id }))),
    critical: [...chain],
    left: all.length - units.length,
  };
}

/** The server's own tasks, by what they depend on (S1.8). */
export function tasksRun(rows: readonly TaskRow[]): Run | undefined {
  if (rows.length === 0) return undefined;
  const units = rows.map(({ id, workflow, status, data }): Unit => {
    const { title, agent, dependsOn } = data as TaskFields;
    return {
      id,
      title,
      status,
      state: taskStates[status] ?? "pending",
      phase: workflow,
      attempts: null,
      owner: agent,
      dependencies: dependsOn,
      files: [],
      check: null,
    };
  });
  const updatedAt =
    rows
      .map((row) => row.updatedAt)
      .toSorted()
      .at(-1) ?? null;
  return { workflow: "tasks", title: "", updatedAt, units };
}

// --- internal ---

/** The part of a task's data that is shown. */
interface TaskFields {
  readonly title: string;
  readonly agent: string;
  readonly dependsOn: readonly string[];
}

const taskStates: Readonly<Record<string, UnitState>> = {
  draft: "pending",
  pending: "pending",
  in_progress: "in_progress",
  review: "waiting",
  completed: "completed",
  failed: "failed",
};

/** What each means to those that wait for it. */
const weighed: Readonly<Record<UnitState, UnitStatus>> = {
  pending: "pending",
  ready: "ready",
  in_progress: "in_progress",
  waiting: "in_progress",
  completed: "completed",
  failed: "failed",
  blocked: "blocked",
  escalated: "failed",
};

/** That it could be ready is its document's word; that it is blocked follows from the others. */
function stateIn({ id, state }: Pick<Unit, "id" | "state">, graph: Graph | undefined): UnitState {
  const open = state === "pending" || state === "ready" || state === "blocked";
  if (graph === undefined || !open) return state;
  const follows = graph.status(id);
  return follows === "ready" ? (state === "blocked" ? "ready" : state) : follows;
}
