// What deciding may ask besides the task's own state: plain answers, looked up before.
import type { Adapter } from "../../agents/adapters/adapter.ts";
import type { Message } from "../../core/messages.ts";
import type { Budget, Kinds, Spent, Task } from "../state.ts";

/** Slots are counted for all tasks of one engine, so taking one must be seen by the next at once. */
export interface Slots {
  /** Is there one now? */
  readonly free: boolean;
  take(): boolean;
  give(): void;
}

export interface Gate {
  /** Until when no agent of the account is started; null: open. */
  readonly closedUntil: number | null;
  /** How many were parked at it: each resumes a little after the one before. */
  readonly parked: number;
}

export interface Policies {
  readonly questionDeadlineMs: number | null;
  readonly onDeadline: "park" | "default" | "escalate";
  readonly reviewRemindersMs: readonly number[];
  /** An agent that says nothing for so long is asked about. */
  readonly silenceMs: number;
  /** And one that works for so long without standing still once. */
  readonly workMs: number;
  /** How long an agent may take to end its turn before it is frozen in the middle of it. */
  readonly softPauseMs: number;
  /** A frozen agent is ended after so long, and resumed when it is needed (S1.11). */
  readonly frozenMs: number;
  /** And where more than so many of a project are frozen, those who wait longest (S1.7b). */
  readonly frozenMost: number;
  readonly staggerMs: number;
  readonly autosaveMs: number;
  /** Markers count only with the token that their process was given (S1.13). */
  readonly strictMarkers: boolean;
  /** How long, and how much of a project, is kept of ended tasks, and how long before it goes this is told (S1.21c). */
  readonly keepMs: number;
  readonly keepBytes: number;
  readonly removalNoticeMs: number;
}

export const defaultPolicies: Policies = {
  questionDeadlineMs: null,
  onDeadline: "park",
  reviewRemindersMs: [24, 48, 72].map((hours) => hours * 3_600_000),
  silenceMs: 15 * 60_000,
  workMs: 6 * 3_600_000,
  softPauseMs: 10_000,
  frozenMs: 30 * 60_000,
  frozenMost: 10,
  staggerMs: 1_000,
  autosaveMs: 600_000,
  strictMarkers: false,
  keepMs: 30 * 86_400_000,
  keepBytes: 20e9,
  removalNoticeMs: 86_400_000,
};

export interface World {
  readonly slots: Slots;
  readonly adapterOf: (name: string) => Adapter;
  readonly policies: Policies;
  /** Of the task's own agent; a verifier may be another. */
  readonly gate: Gate;
  readonly gateOf: (account: string) => Gate;
  /** From 0 to 1, for what should not happen at the same moment everywhere. */
  readonly jitter: number;
  /** What keeps new work from starting: a spent day, a full disk. */
  readonly holdBack: Message | null;
  /** What the day allows, and what all other tasks together spent of it. */
  readonly day: { readonly budget: Budget | null; readonly spent: Spent };
  /** Ids of tasks that this one waits for. */
  readonly unfinishedDependencies: readonly string[];
  /** Hash of what is under review, as it is now; read only when somebody approves. */
  readonly artefactsHash: string | null;
  /** Files that are not as the open review shows them; read only when somebody approves. */
  readonly changedFiles: readonly string[];
  /** Declared files that are not there; read only when the agent claims its phase. */
  readonly missingDeliverables: readonly string[];
  /** How many of a phase's declared files are there, and the first that is not (S1.21b). Null: nobody looked. */
  readonly deliverables: {
    /** The phase at the beginning of the tick: a later one begins with nothing. */
    readonly phase: number | null;
    readonly present: number;
    readonly missing: string | null;
  } | null;
  /** When the running process last wrote something; null: not known. */
  readonly lastOutputAt: number | null;
  /** Names of the variables that were provided for this task. */
  readonly provided: ReadonlySet<string>;
}

export function gateFor(
  { task }: { readonly task: Task },
  { data }: Kinds["agent"],
  world: World,
): Gate {
  return data.adapter === task.data.agent ? world.gate : world.gateOf(data.adapter);
}

/** What came of a command: what the caller is answered. */
export type Answer =
  | { readonly ok: true; readonly result?: Readonly<Record<string, string | number | null>> }
  | {
      readonly ok: false;
      readonly code: "refused" | "invalid_input" | "not_found";
      readonly reasons: readonly Message[];
      readonly allowed: readonly string[];
    };

export const done: Answer = { ok: true };
