// What the first pass collects. References stay text here: ranges and groups mean something
// only once all ids are known.
import type { Message } from "../core/messages.ts";
import type { FieldLine } from "./_task-list-fields.ts";
import type { PhaseName } from "./_task-list-heads.ts";
import type { Ref } from "./_task-list-ids.ts";
import type { Diagram } from "./_task-list-mermaid.ts";
import type { Risk, TaskListNotice, TaskListProblem } from "./_task-list-types.ts";

export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface PlacedRef extends Place {
  readonly ref: Ref;
}

/** What the task's own line says. */
export interface DraftHead extends Place {
  readonly id: string;
  /** By its id. */
  readonly phase: number;
  readonly title: string;
  readonly checked: boolean;
  /** 1–6 for a heading, 0 for a list item. */
  readonly level: number;
  readonly indent: number;
}

export interface Draft extends DraftHead {
  endLine: number;
  /** How many fields it has: the lines of a summary have none. */
  fields: number;
  owner: string | null;
  worktree: string | null;
  risk: Risk | null;
  model: string | null;
  check: string | null;
  readonly dependencies: PlacedRef[];
  readonly parallel: PlacedRef[];
  readonly files: string[];
  readonly other: { key: string; value: string }[];
}

/** An id in a place where it makes no task: judged when all tasks are known. */
export interface Mention extends Place {
  readonly kind: "no_box" | "sub_item" | "refused";
  readonly id: string;
}

export interface PhaseDraft {
  readonly phase: PhaseName;
  readonly level: number;
  readonly line: number;
  /** Tasks that stand below it for the first time: a summary's do not count. */
  tasks: number;
}

/** A field whose value stands in the lines below it. */
export interface OpenField {
  readonly field: FieldLine;
  readonly indent: number;
  readonly line: number;
  readonly items: Part[];
}

/** One piece of a field's value. */
export interface Part extends Place {
  readonly text: string;
}

export interface Reading {
  title: string | null;
  readonly drafts: Draft[];
  readonly ids: Set<string>;
  readonly phases: PhaseDraft[];
  readonly diagrams: Diagram[];
  readonly mentions: Mention[];
  /** Every box of a task line, by offset in the whole text. */
  readonly boxes: { id: string; from: number; to: number; checked: boolean }[];
  readonly problems: TaskListProblem[];
  readonly notices: TaskListNotice[];
  /** The task, the phase and the field that the current line belongs to. */
  task: Draft | null;
  phase: PhaseDraft | null;
  open: OpenField | null;
}

export function newReading(): Reading {
  return {
    title: null,
    drafts: [],
    ids: new Set(),
    phases: [],
    diagrams: [],
    mentions: [],
    boxes: [],
    problems: [],
    notices: [],
    task: null,
    phase: null,
    open: null,
  };
}

/** Written out: a spread here made a plan of 100,000 tasks three times slower to read. */
export function newDraft(head: DraftHead): Draft {
  const { id, phase, title, checked, line, column, level, indent } = head;
  return {
    id,
    phase,
    title,
    checked,
    line,
    column,
    level,
    indent,
    endLine: line,
    fields: 0,
    owner: null,
    worktree: null,
    risk: null,
    model: null,
    check: null,
    dependencies: [],
    parallel: [],
    files: [],
    other: [],
  };
}

export function complain(reading: Reading, at: Place, text: Message, id?: string): void {
  const { line, column } = at;
  const problem = { code: "PARSE_FAIL", line, column, text } as const;
  reading.problems.push(id === undefined ? problem : { ...problem, id });
}

export function tell(reading: Reading, at: Place, text: Message, id?: string): void {
  const { line, column } = at;
  reading.notices.push(id === undefined ? { line, column, text } : { line, column, id, text });
}
