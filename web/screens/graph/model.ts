// What is drawn: the units that pass the filter, folded into their phases where they are many.
import type { Units } from "../../data/api.ts";
import type { IconName } from "../../parts/icons.tsx";
import type { Tone } from "../../parts/state.tsx";
import { type Layout, layoutOf } from "./layout.ts";

export type Unit = Units["nodes"][number];
export type UnitState = Unit["state"];

/** More than this many are folded by phase until they are asked for. */
export const foldOver = 150;

export const unitLooks: Readonly<Record<UnitState, { tone: Tone; icon: IconName }>> = {
  pending: { tone: "idle", icon: "dashed" },
  ready: { tone: "queue", icon: "ring" },
  in_progress: { tone: "work", icon: "half" },
  waiting: { tone: "you", icon: "eye" },
  completed: { tone: "done", icon: "check" },
  failed: { tone: "fail", icon: "cross" },
  blocked: { tone: "fail", icon: "warn" },
  escalated: { tone: "you", icon: "cross" },
};

/** Who needs somebody first. */
export const stateOrder: readonly UnitState[] = [
  "escalated",
  "failed",
  "waiting",
  "in_progress",
  "blocked",
  "ready",
  "pending",
  "completed",
];

export interface Filter {
  readonly q: string;
  readonly trouble: boolean;
  readonly critical: boolean;
  /** Only what the selected one waits for, or what waits for it. */
  readonly around: "" | "up" | "down";
}
export const noFilter: Filter = { q: "", trouble: false, critical: false, around: "" };

export interface Wires {
  readonly before: ReadonlyMap<string, readonly string[]>;
  readonly after: ReadonlyMap<string, readonly string[]>;
}

export function wiresOf({ edges }: Pick<Units, "edges">): Wires {
  const before = new Map<string, string[]>();
  const after = new Map<string, string[]>();
  for (const { from, to } of edges) {
    add(before, to, from);
    add(after, from, to);
  }
  return { before, after };
}

export function filtered(
  units: readonly Unit[],
  wires: Wires,
  filter: Filter,
  selected: string | null,
): readonly Unit[] {
  const words = filter.q.trim().toLowerCase();
  const reached =
    filter.around === "" || selected === null
      ? null
      : reachedFrom(selected, filter.around === "up" ? wires.before : wires.after);
  if (words === "" && !filter.trouble && !filter.critical && reached === null) return units;
  return units.filter(
    ({ id, title, state, critical }) =>
      (words === "" || `${id} ${title}`.toLowerCase().includes(words)) &&
      (!filter.trouble || state === "failed" || state === "blocked" || state === "escalated") &&
      (!filter.critical || critical) &&
      (reached === null || reached.has(id)),
  );
}

/** A unit, or a phase that stands for its own. */
export interface Drawn {
  readonly key: string;
  readonly unit: Unit | null;
  readonly group: Group | null;
}

export interface Group {
  readonly phase: string;
  readonly total: number;
  readonly counts: ReadonlyMap<UnitState, number>;
}

export interface Picture {
  readonly drawn: readonly Drawn[];
  /** Pairs of indices, and whether the chain that sets the pace goes along it. */
  readonly edges: readonly (readonly [from: number, to: number, critical: boolean])[];
  readonly layout: Layout;
  readonly indexOf: ReadonlyMap<string, number>;
}

export const groupKey = (phase: string | null): string => `phase ${phase ?? ""}`;

/** `folded` are the phases that are shown as one. */
export function pictureOf(
  units: readonly Unit[],
  edges: Units["edges"],
  folded: ReadonlySet<string>,
): Picture {
  const drawn: Drawn[] = [];
  const indexOf = new Map<string, number>();
  const groups = new Map<
    string,
    { phase: string; total: number; counts: Map<UnitState, number> }
  >();
  for (const unit of units) {
    const key = groupKey(unit.phase);
    if (!folded.has(key)) {
      indexOf.set(unit.id, drawn.push({ key: unit.id, unit, group: null }) - 1);
      continue;
    }
    const group = groups.get(key) ?? { phase: unit.phase ?? "", total: 0, counts: new Map() };
    if (group.total === 0) {
      groups.set(key, group);
      indexOf.set(key, drawn.push({ key, unit: null, group }) - 1);
    }
    group.total++;
    group.counts.set(unit.state, (group.counts.get(unit.state) ?? 0) + 1);
    indexOf.set(unit.id, indexOf.get(key) ?? 0);
  }
  const wired = wiredBetween(units, edges, indexOf);
  const layout = layoutOf(
    drawn.length,
    wired.map(([from, to]) => [from, to] as const),
  );
  return { drawn, edges: wired, layout, indexOf };
}

/** The phases of the units, in their order; folded only where there are several. */
export function phasesOf(units: readonly Unit[]): string[] {
  return [...new Set(units.map(({ phase }) => groupKey(phase)))];
}

// --- internal ---

function add(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function reachedFrom(start: string, next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set([start]);
  const queue = [start];
  for (let id = queue.pop(); id !== undefined; id = queue.pop())
    for (const other of next.get(id) ?? []) {
      if (reached.has(other)) continue;
      reached.add(other);
      queue.push(other);
    }
  return reached;
}

function wiredBetween(
  units: readonly Unit[],
  edges: Units["edges"],
  indexOf: ReadonlyMap<string, number>,
): [number, number, boolean][] {
  const critical = new Set(units.filter((unit) => unit.critical).map(({ id }) => id));
  const wired = new Map<string, [number, number, boolean]>();
  for (const { from, to } of edges) {
    const [one, other] = [indexOf.get(from), indexOf.get(to)];
    if (one === undefined || other === undefined || one === other) continue;
    const heavy = critical.has(from) && critical.has(to);
    const key = `${one} ${other}`;
    const known = wired.get(key);
    if (known === undefined) wired.set(key, [one, other, heavy]);
    else if (heavy) known[2] = true;
  }
  return [...wired.values()];
}
