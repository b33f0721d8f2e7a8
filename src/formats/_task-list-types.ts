// What parseTaskList() gives back, and the limits it keeps (S2.4, S5.4).
import type { Message } from "../core/messages.ts";

/** S2.4's codes; STATE_CORRUPT belongs to the state file. */
export type TaskListCode =
  | "TASKS_NOT_FOUND"
  | "CIRCULAR_DEP"
  | "MISSING_DEP"
  | "PARSE_FAIL"
  | "DUPLICATE_ID";

/** Something a person has to mend before the plan can run. */
export interface TaskListProblem {
  readonly code: TaskListCode;
  /** 1-based; 0 when there is no text to point at. */
  readonly line: number;
  readonly column: number;
  /** The task it is about, where there is one. */
  readonly id?: string;
  /** The machine's part of `ERROR:CODE:detail` (S2.11): `T1.3->T1.4->T1.3`, `T9.9`. */
  readonly detail?: string;
  readonly text: Message;
}

/** Something worth knowing: the plan runs all the same. */
export interface TaskListNotice {
  readonly line: number;
  readonly column: number;
  readonly id?: string;
  readonly text: Message;
}

export interface ListedPhase {
  readonly number: number;
  /** As its heading says it; "" when no heading names the phase. */
  readonly name: string;
  /** The `name` of `worktree/phase-N-name` (S2.6); "" when there is none. */
  readonly slug: string;
  readonly line: number;
}

export const risks = ["low", "medium", "high", "critical"] as const;
export type Risk = (typeof risks)[number];

export interface ListedTask {
  readonly id: string;
  readonly phase: number;
  readonly title: string;
  readonly checked: boolean;
  readonly owner: string | null;
  /** Fields and diagrams together, in the order they are mentioned. Never the phase order. */
  readonly dependencies: readonly string[];
  readonly parallelWith: readonly string[];
  readonly files: readonly string[];
  readonly worktree: string | null;
  readonly risk?: Risk;
  readonly model?: string;
  /** A shell command, or several lines of them. */
  readonly check?: string;
  readonly line: number;
  /** The last line that belongs to the task: its whole text is line … endLine. */
  readonly endLine: number;
  /** Every field we have no place for, as it was written. */
  readonly other: readonly { readonly key: string; readonly value: string }[];
}

/** `to` waits for `from`. */
export interface ListedEdge {
  readonly from: string;
  readonly to: string;
  readonly source: "explicit" | "mermaid";
  readonly line: number;
}

/** Phase `after` begins when phase `before` is done: an order, not an edge (S2.6). */
export interface PhaseBarrier {
  readonly before: number;
  readonly after: number;
  readonly source: "implicit";
}

export interface TaskList {
  /** The first `# ` heading. */
  readonly title: string | null;
  readonly phases: readonly ListedPhase[];
  readonly tasks: readonly ListedTask[];
  readonly edges: readonly ListedEdge[];
  readonly barriers: readonly PhaseBarrier[];
  readonly problems: readonly TaskListProblem[];
  readonly notices: readonly TaskListNotice[];
}

export const limits = {
  bytes: 4 * 1024 * 1024,
  lineLength: 64 * 1024,
  tasks: 100_000,
  /** Only ranges, groups and `A & B --> C & D` can reach it: without them 4 MiB hold fewer. */
  edges: 1_000_000,
} as const;
