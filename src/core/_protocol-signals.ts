// What the protocol can say: one type per signal, the limits, and the order of handling.
import type { Message } from "./messages.ts";
import type { DependencyType } from "./vocabulary.ts";

export const questionCategories = ["business", "clarification", "choice", "confirmation"] as const;
export const errorTypes = ["recoverable", "fatal"] as const;
export const recoveries = ["pause_and_retry", "checkpoint_and_fail", "notify_user"] as const;
export const criterionStatuses = ["passed", "failed"] as const;

export const blockNames = ["DEPENDENCY_REQUEST", "USER_QUESTION", "ERROR"] as const;
export type BlockName = (typeof blockNames)[number];
export type Marker = BlockName | "PHASE COMPLETE" | "CUSTOM TASK COMPLETE" | "VERIFICATION_RESULT";

/** Bytes of the stream: the first one of the signal's first line, the one after its last line. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

export interface DependencyRequest {
  readonly kind: "dependency_request";
  readonly type: DependencyType;
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly default: string | null;
}

export interface UserQuestion {
  readonly kind: "user_question";
  readonly category: (typeof questionCategories)[number];
  readonly question: string;
  /** Never empty for a choice. */
  readonly options: readonly string[];
  readonly default: string | null;
  readonly required: boolean;
}

export interface AgentError {
  readonly kind: "error";
  readonly type: (typeof errorTypes)[number];
  /** Empty only in the one-line form, which may leave it out. */
  readonly message: string;
  readonly details: string | null;
  readonly recovery: (typeof recoveries)[number];
  /** Seconds. */
  readonly retryAfter: number | null;
  /** ISO, UTC. */
  readonly resetAt: string | null;
}

export interface PhaseComplete {
  readonly kind: "phase_complete";
  readonly phase: number;
  /** The text after `Completed:` or `Phase:`. */
  readonly completed: string | null;
  readonly files: readonly string[];
}

export interface TaskComplete {
  readonly kind: "task_complete";
  readonly task: string | null;
  readonly summary: string | null;
}

export interface Criterion {
  readonly id: string;
  readonly status: (typeof criterionStatuses)[number];
  readonly details: string;
  readonly suggestion: string;
  readonly affectedDocuments: readonly string[];
}

export interface VerificationResult {
  readonly kind: "verification_result";
  readonly criteria: readonly Criterion[];
}

/** A marker that can not be understood. To be told to the agent and to a person. */
export interface Malformed {
  readonly kind: "malformed";
  readonly marker: Marker;
  readonly complaint: Message;
  /** The beginning of what was written. */
  readonly excerpt: string;
}

/** A signal before its place is known. */
export type Said =
  | DependencyRequest
  | UserQuestion
  | AgentError
  | PhaseComplete
  | TaskComplete
  | VerificationResult;

export type Signal = (Said | Malformed) & Place;

export interface Limits {
  /** Bytes of one block, from its opening line on; also all that is kept of any line. */
  readonly block: number;
  /** Characters of one field or list item. */
  readonly field: number;
  /** Bytes after which a code fence that nobody closed no longer hides anything. */
  readonly fence: number;
}

// Why 64 KiB for a fence: what agents fence is an excerpt of a few KB, so a marker-looking line
// deeper in a real fence is all but impossible, while an agent that forgets one closing line
// is deaf for minutes of output and not for hours.
export const defaultLimits: Limits = { block: 100 * 1024, field: 10_000, fence: 64 * 1024 };

/**
 * The order in which signals that arrived together are handled: errors, completions,
 * dependencies, questions; among equals the order of arrival. What would be handled after a
 * fatal error is dropped, for nobody is left to take it; a malformed block is told anyway.
 */
export function byPriority(signals: readonly Signal[]): Signal[] {
  const sorted = signals.toSorted((a, b) => rank[a.kind] - rank[b.kind]);
  const fatal = sorted.findIndex((signal) => signal.kind === "error" && signal.type === "fatal");
  if (fatal < 0) return sorted;
  return sorted.filter((signal, index) => index <= fatal || signal.kind === "malformed");
}

// --- internal ---

const rank: Readonly<Record<Signal["kind"], number>> = {
  error: 0,
  phase_complete: 1,
  task_complete: 1,
  verification_result: 1,
  dependency_request: 2,
  user_question: 3,
  malformed: 4,
};
