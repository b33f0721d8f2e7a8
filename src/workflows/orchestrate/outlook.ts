// What lies ahead (`--dry-run`): in which waves the rest can run, and the chain that sets the pace.
// A phase begins when the one before is done, so each phase has its own waves.
import { type BuiltGraph, buildGraph } from "../../core/graph.ts";
import { type Board, phasesOf, unitsIn } from "./board.ts";
import { planOrder } from "./plan.ts";

export interface Outlook {
  readonly phases: readonly {
    readonly phase: number;
    readonly waves: readonly (readonly string[])[];
  }[];
  /** From the first unit to the last, one phase after another. */
  readonly critical: readonly string[];
  readonly left: number;
  readonly total: number;
}

export function outlookOf(board: Board): Outlook {
  const { graph, state, facts, units } = board;
  const critical: string[] = [];
  let left = 0;
  const phases = phasesOf(board).flatMap(({ phase }) => {
    const open = unitsIn(board, phase).filter((id) => graph.status(id) !== "completed");
    if (open.length === 0) return [];
    const own = new Set(open);
    const built: BuiltGraph = buildGraph(
      planOrder(facts, open).map((id) => ({
        id,
        dependencies: (state.dependencies[id] ?? []).filter((other) => own.has(other)),
      })),
    );
    if (!built.ok) throw new Error("a part of a valid graph is broken");
    critical.push(...built.graph.criticalPath().ids);
    left += open.length;
    return [{ phase, waves: built.graph.waves() }];
  });
  return { phases, critical, left, total: units.size };
}
