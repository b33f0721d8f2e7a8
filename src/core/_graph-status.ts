// The six statuses, the byte in which each is kept (its place in the list), and what is told of
// them.
import { type UnitStatus, unitStatuses } from "./vocabulary.ts";

/** One unit that changed its status. */
export interface Move {
  readonly id: string;
  readonly from: UnitStatus;
  readonly to: UnitStatus;
}

/** A stored status that does not fit the dependencies. */
export interface Misplaced {
  readonly id: string;
  readonly status: UnitStatus;
  /** What the dependencies allow. The graph uses it, except for a unit in progress. */
  readonly expected: UnitStatus;
  /** Dependencies that are not completed. */
  readonly unfinished: readonly string[];
}

export const PENDING = 0;
export const READY = 1;
export const IN_PROGRESS = 2;
export const COMPLETED = 3;
export const FAILED = 4;
export const BLOCKED = 5;

export function nameOf(code: number): UnitStatus {
  return unitStatuses[code] ?? "pending";
}

/** Set by someone, rather than following from the dependencies. */
export function isDecided(status: number): boolean {
  return status === IN_PROGRESS || status === COMPLETED || status === FAILED;
}

/** Blocks all that depends on it. */
export function holdsBack(status: number): boolean {
  return status === FAILED || status === BLOCKED;
}
