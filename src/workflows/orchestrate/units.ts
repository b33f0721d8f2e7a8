// Where each unit of an orchestrate run stands, as its state says it.
import type { UnitStatus } from "../../core/vocabulary.ts";
import { lateAt } from "../../formats/late.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";

/** Each unit once: where it stands in two lists the furthest along wins (S2.2). */
export function unitsOf(state: OrchestrateState): Map<string, UnitStatus> {
  return readUnits(state).units;
}

/** `tidy`: every list names units that stand there, each once; else a person has changed it. */
export function readUnits({ tasks, checkpoints }: OrchestrateState): {
  units: Map<string, UnitStatus>;
  tidy: boolean;
} {
  const units = new Map<string, UnitStatus>();
  let listed = 0;
  for (const status of byProgress) {
    listed += tasks[status].length;
    for (const id of tasks[status]) units.set(id, status);
  }
  let tidy = units.size === listed;
  // A finished phase's tasks count as completed, whether or not a list names them.
  for (const phase of Object.values(checkpoints))
    if (phase.completed_at !== undefined)
      for (const id of phase.tasks ?? []) {
        tidy &&= (units.get(id) ?? "completed") === "completed";
        units.set(id, "completed");
      }
  return { units, tidy };
}

/**
 * The units of a state, for one event. Of a tidy one a few are looked for in the lists, natively: to put
 * all 10,000 into a map takes longer than what is then done with it.
 */
export class Filed {
  readonly #read: () => ReadonlyMap<string, UnitStatus>;
  readonly #tidy: OrchestrateState | undefined;
  #units: ReadonlyMap<string, UnitStatus> | undefined;
  #asked = 0;

  constructor(read: () => ReadonlyMap<string, UnitStatus>, tidy?: OrchestrateState) {
    this.#read = read;
    this.#tidy = tidy;
  }

  get(id: string): UnitStatus | undefined {
    const state = this.#lists();
    if (state === undefined) return this.#all().get(id);
    const list = lookedFor.find((status) => isIn(state.tasks, status, id));
    return list ?? (isPast(state, id) ? "completed" : undefined);
  }

  isIn(status: UnitStatus, id: string): boolean {
    if (this.#units === undefined && this.#tidy)
      return (
        isIn(this.#tidy.tasks, status, id) || (status === "completed" && isPast(this.#tidy, id))
      );
    return this.#all().get(id) === status;
  }

  /** All of a status, in the order of the state. */
  list(status: UnitStatus): readonly string[] {
    // Of finished phases some may stand in no list.
    if (this.#tidy !== undefined && status !== "completed") return this.#tidy.tasks[status];
    const ids: string[] = [];
    this.forEach((one, id) => {
      if (one === status) ids.push(id);
    });
    return ids;
  }

  /** Those of them that it has, in the order of the state. */
  inOrder(ids: readonly string[]): string[] {
    if (ids.length === 1) return ids.filter((id) => this.get(id) !== undefined);
    const places = new Map<string, number>();
    for (const id of ids.length <= fewMoved ? ids : []) places.set(id, this.#placeOf(id));
    if (places.size === ids.length && ![...places.values()].includes(-1))
      return ids.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
    const wanted = new Set(ids);
    return [...this.keys()].filter((id) => wanted.has(id));
  }

  /** In the order of the state. */
  forEach(visit: (status: UnitStatus, id: string) => void): void {
    // A callback, not an iterator: code that runs once is not compiled, and each pair would be made.
    this.#all().forEach(visit);
  }

  get size(): number {
    return this.#all().size;
  }

  keys(): Iterable<string> {
    return this.#all().keys();
  }

  #all(): ReadonlyMap<string, UnitStatus> {
    return (this.#units ??= this.#read());
  }

  #lists(): OrchestrateState | undefined {
    return this.#units === undefined && ++this.#asked <= mostAsked ? this.#tidy : undefined;
  }

  /** A number that is larger for who comes later; -1: not known without all of them. */
  #placeOf(id: string): number {
    const status = this.get(id);
    const place = status === undefined ? -1 : (this.#tidy?.tasks[status].indexOf(id) ?? -1);
    return status === undefined || place < 0 ? -1 : byProgress.indexOf(status) * longest + place;
  }
}

// --- internal ---

const byProgress = ["pending", "blocked", "ready", "in_progress", "failed", "completed"] as const;
/** Those first that most questions are about; and those that are read in any case. */
const lookedFor = ["in_progress", "ready", "completed", "pending", "blocked", "failed"] as const;
/** A look at every list takes as long as so many entries of a map. */
const mostAsked = 64;
const fewMoved = 16;
/** More than any list has. */
const longest = 2 ** 32;

/** In the text of a list that nobody has read yet: an id needs no escape. */
function isIn<K extends string>(
  of: Readonly<Partial<Record<K, readonly string[] | undefined>>>,
  list: K,
  id: string,
): boolean {
  const late = lateAt(of, list);
  return late && !late.isRead ? late.bytes.includes(`"${id}"`) : (of[list]?.includes(id) ?? false);
}

/** Is it one of a finished phase's? */
function isPast({ checkpoints }: OrchestrateState, id: string): boolean {
  return Object.values(checkpoints).some(
    (phase) => phase.completed_at !== undefined && isIn(phase, "tasks", id),
  );
}
