// A run of a workflow that no session drives: what it wants under way, and what came of it.
//
//   orders(state)          → what should be under way now
//   take(state, outcome)   → the state after it
//
// Like `next`, orders are a statement: asked twice they are the same, so whoever comes after a crash
// asks again and does what is missing. A key names an order for ever: the agent that was started
// under it is found again under it, and its outcome counts once. Each workflow is a reducer over its
// own documents; who carries the orders out (app/conduct/) knows none of them.
import type { Deliverable, VerifierStep } from "./workflow.ts";

/** A branch of the project that a run works on, with a worktree of the engine's own. */
export interface RunBranch {
  /** `phase-1-auth`; null: the branch that is checked out in the project. */
  readonly name: string | null;
}

/** One agent, in a clone of its own, works until the engine has seen that it is done. */
export interface AgentOrder {
  readonly kind: "agent";
  /** `T1.3-2`: the unit and its attempt. Another attempt is another conversation. */
  readonly key: string;
  /** What it is for, as people know it: `T1.3`, `cp-2`, `T1-S1`. */
  readonly unit: string;
  readonly title: string;
  /** `implementer`, `planner`: which prompt, and for people. */
  readonly role: string;
  readonly prompt: string;
  /** A name of holdfast.yaml; null: the run's own. */
  readonly agent: string | null;
  /** What it may do unasked; null: as the project says. */
  readonly permissions: "read-only" | "edits" | "everything" | null;
  readonly branch: RunBranch;
  /** False: what it changed stays out of the branch, only `wanted` is read. */
  readonly merges: boolean;
  /** Files it has to have made. */
  readonly deliverables: readonly Deliverable[];
  /** Commands that must end with 0 in its clone. */
  readonly commands: readonly string[];
  /** How often a refused claim goes back into the same conversation before the order has failed. */
  readonly reworks: number;
  readonly verifier: VerifierStep | null;
  /** A person looks at what it made before it counts. */
  readonly review: boolean;
  /** Files of the clone whose text comes with the outcome. */
  readonly wanted: readonly string[];
  /** What its process finds in its environment besides: a switch of the agent's own, no secret. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970: it is not begun before. */
  readonly notBefore?: number;
  /** The order whose conversation it goes on with; where that is gone, the prompt says all. */
  readonly continues?: string;
}

/** The engine runs a command itself, in the branch's own worktree. */
export interface CommandOrder {
  readonly kind: "command";
  readonly key: string;
  readonly unit: string;
  readonly command: string;
  readonly branch: RunBranch;
  /** Only looks, by git or the shell: nothing of the project has to be installed for it. */
  readonly bare?: true;
}

/** The branch is tested as a whole and merged into the one that is checked out (`--no-ff`). */
export interface LandOrder {
  readonly kind: "land";
  readonly key: string;
  readonly branch: RunBranch;
  /** Must end with 0 in the branch's worktree before. */
  readonly commands: readonly string[];
  readonly message: string;
  /** The branch may not have been begun: nothing of it may have been worked on in this run. */
  readonly opens?: true;
}

/** A person decides. */
export interface AskOrder {
  readonly kind: "ask";
  readonly key: string;
  readonly unit: string;
  readonly question: string;
  readonly options: readonly string[];
  readonly default: string | null;
}

export type Order = AgentOrder | CommandOrder | LandOrder | AskOrder;

/** How far it is, for people: which of its phases, counted from 1. */
export interface RunStands {
  readonly phase: number;
  readonly phases: number;
  readonly name: string | null;
}

/** No order at all: others are at work. `held`: nothing moves before a person has done something. */
export type Orders =
  | { readonly kind: "orders"; readonly orders: readonly Order[]; readonly place: RunStands }
  | { readonly kind: "held"; readonly why: string }
  | { readonly kind: "ended"; readonly result: "completed" | "failed"; readonly why: string };

/** `key` is the order's: the outcome of one that is no longer wanted changes nothing. */
export type OrderOutcome =
  | {
      readonly kind: "done";
      readonly key: string;
      /** Where the branch stands with it; null: nothing was changed, or it does not merge. */
      readonly commit: string | null;
      readonly changed: readonly string[];
      /** What the agent said when it was done. */
      readonly words: string;
      readonly files: Readonly<Record<string, string>>;
      /** What it used, where the agent says so. */
      readonly tokens?: number | undefined;
    }
  | {
      readonly kind: "failed";
      readonly key: string;
      /** `conflict`: its work is kept on a private ref; `agent`: it gave up or died. */
      readonly why: "agent" | "check" | "conflict" | "cancelled";
      readonly reason: string;
      readonly tokens?: number | undefined;
    }
  | {
      readonly kind: "ran";
      readonly key: string;
      /** Null: it did not end by itself. */
      readonly code: number | null;
      readonly output: string;
    }
  | { readonly kind: "landed"; readonly key: string; readonly commit: string }
  | {
      readonly kind: "not_landed";
      readonly key: string;
      /** Its commands failed, or both sides changed the same. */
      readonly why: "gate" | "conflict";
      readonly reason: string;
    }
  | { readonly kind: "answered"; readonly key: string; readonly answer: string };
