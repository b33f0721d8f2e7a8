// The units of a run: all that its plan has, in its order, each with why it stands where it stands; and
// what was made for each so far. Without a browser.
import type { UnitNode } from "../../../src/app/operations/units.ts";

export type Unit = Readonly<Pick<UnitNode, "id" | "title" | "state" | "phase">>;

/** A task that was made for a unit; for several at once, with commas between. */
interface Part {
  readonly id: string;
  readonly title: string;
  readonly unit: string | null;
}

/** Why a unit has not begun. `turn`: nothing but a free agent, or its session. */
export type Waits =
  | { readonly kind: "units"; readonly ids: readonly string[] }
  | { readonly kind: "phase"; readonly phase: string }
  | { readonly kind: "turn" };

export interface UnitLine<P> {
  readonly id: string;
  readonly title: string;
  /** Null: of no unit of the plan: its planning, a verdict, an attempt before the newest. */
  readonly unit: Unit | null;
  /** The newest that was made for it. */
  readonly part: P | null;
  readonly waits: Waits | null;
}

export interface Graph {
  readonly workflow: string | null;
  readonly nodes: readonly Unit[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/** `graph`: undefined where its documents are another run's by now, or there are none. */
export function linesOf<P extends Part>(
  graph: Graph | undefined,
  parts: readonly P[],
): UnitLine<P>[] {
  const made = new Map<string, P[]>((graph?.nodes ?? []).map(({ id }) => [id, []]));
  const others: P[] = [];
  // Newest first, as they come.
  for (const part of parts) {
    const known = (part.unit ?? "").split(",").filter((id) => made.has(id));
    for (const id of known) made.get(id)?.push(part);
    if (known.length === 0) others.push(part);
  }
  const why = graph === undefined ? () => null : waitsIn(graph);
  const units = (graph?.nodes ?? []).flatMap((unit) => {
    const [newest, ...before] = made.get(unit.id) ?? [];
    const title = unit.title || (newest?.title ?? unit.id);
    const waits = newest === undefined ? why(unit) : null;
    return [{ id: unit.id, title, unit, part: newest ?? null, waits }, ...before.map(lineOf)];
  });
  return [...units, ...others.map(lineOf)];
}

// --- internal ---

function lineOf<P extends Part>(part: P): UnitLine<P> {
  return { id: part.id, title: part.title, unit: null, part, waits: null };
}

const open: ReadonlySet<Unit["state"]> = new Set(["pending", "ready", "blocked"]);

function waitsIn({ nodes, edges, workflow }: Graph): (unit: Unit) => Waits | null {
  const undone = new Set(nodes.flatMap(({ id, state }) => (state === "completed" ? [] : [id])));
  const before = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { from, to } of edges) if (undone.has(from)) before.get(to)?.push(from);
  // Phases are a barrier: one begins when those before it are done.
  let first = Infinity;
  for (const { id, phase } of workflow === "orchestrate" ? nodes : [])
    if (undone.has(id) && phase !== null) first = Math.min(first, Number(phase));
  return ({ id, state, phase }) => {
    if (!open.has(state)) return null;
    const ids = before.get(id) ?? [];
    if (ids.length > 0) return { kind: "units", ids };
    if (phase !== null && first < Number(phase)) return { kind: "phase", phase: String(first) };
    return { kind: "turn" };
  };
}
