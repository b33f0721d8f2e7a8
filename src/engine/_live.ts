// A task that this engine owns: its state as committed, its lease, and what waits to be decided.
import type { Reader } from "../agents/adapters/adapter.ts";
import type { LeaseRow } from "../store/database/store.ts";
import type { Effect } from "./_draft.ts";
import type { Input } from "./inputs.ts";
import type { Kinds, TaskState } from "./state.ts";

export interface Live {
  readonly id: string;
  state: TaskState;
  lease: LeaseRow;
  /** Not yet decided; in the order in which it happened. */
  readonly pending: Input[];
  /** Are there messages of other processes? */
  mail: boolean;
  /** Committed and not yet done, in the order of their keys. */
  effects: Effect[];
  /** Keys of those under way. */
  readonly underWay: Set<string>;
  /** How often each failed so far. */
  readonly tries: Map<string, number>;
  /** Stops what may take long (a check, a set-up) when nobody waits for it any more. */
  readonly long: Map<string, AbortController>;
  readonly tails: Map<string, Tail>;
}

/** Follows the output of one process. */
export interface Tail {
  readonly process: string;
  readonly reader: Reader;
  /** Of what was committed. */
  committed: number;
  lastOutputAt: number;
  stop: () => void;
}

export function agentsOf({ state }: Live): Kinds["agent"][] {
  return [...state.entities.agent.values()];
}

/** Agents that are to run and have no slot. */
export function waitingForSlot(live: Live): Kinds["agent"][] {
  // Whose claim is looked at has nothing to do: a verifier may need the slot.
  const checking = live.state.task.data.document?.stage === "check";
  return agentsOf(live).filter(
    ({ status, data }) => status === "running" && !data.slot && !(checking && data.role === "work"),
  );
}

/** Those that wait, with a process that lives: it costs memory and nothing else. */
export function frozenAgents(live: Live): Kinds["agent"][] {
  const still = new Set(["paused", "waiting_dependency", "waiting_question", "waiting_review"]);
  return agentsOf(live).filter(({ status, data }) => {
    const process = live.state.entities.process.get(data.process ?? "");
    return still.has(status) && process?.status === "running" && !process.data.wanted;
  });
}

export function slotsHeld(live: Live): number {
  return agentsOf(live).filter(({ data }) => data.slot).length;
}

export function isOver({ state }: Live): boolean {
  const { status } = state.task;
  return status === "completed" || status === "failed";
}

/** Nothing is left to do for it: no process lives, no effect is open. */
export function isIdle(live: Live): boolean {
  const alive = [...live.state.entities.process.values()].some(({ status }) => status !== "ended");
  return !alive && live.effects.length === 0 && live.pending.length === 0 && !live.mail;
}
