// The second pass: all ids are known, so references become edges or complaints.
import { closest } from "../core/closest.ts";
import { type Message, msg } from "../core/messages.ts";
import type { Draft, Mention, Place, PlacedRef, Reading } from "./_task-list-draft.ts";
import { type Word, expandRange } from "./_task-list-ids.ts";
import {
  type ListedEdge,
  type TaskListNotice,
  type TaskListProblem,
  limits,
} from "./_task-list-types.ts";

/** Everything the second pass adds, and what it looks things up in. */
export interface Resolution {
  /** The first task of each id, in the order of the text. */
  readonly tasks: ReadonlyMap<string, Draft>;
  /** P1-R1 → P1-R1-T1, P1-R1-T2: a resource or screen stands for all its tasks. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** Where an id, or what was meant as one, stands without being a task. */
  readonly mentions: ReadonlyMap<string, Mention>;
  /** By task: what it waits for, in the order it is mentioned. */
  readonly dependencies: Map<string, Set<string>>;
  readonly parallel: Map<string, Set<string>>;
  readonly edges: ListedEdge[];
  readonly problems: TaskListProblem[];
  readonly notices: TaskListNotice[];
  /** “Did you mean” looks at every task: it is offered for the first few only. */
  hintsLeft: number;
  /** How many more ids references may stand for: see spend(). */
  left: number;
}

export function newResolution(reading: Reading): Resolution {
  const tasks = new Map<string, Draft>();
  const groups = new Map<string, string[]>();
  for (const draft of reading.drafts) {
    const { id } = draft;
    if (tasks.has(id)) continue;
    tasks.set(id, draft);
    // Of the ids only P1-R1-T1 and P1-S1-V have two dashes.
    if (id.indexOf("-") === id.lastIndexOf("-")) continue;
    const group = id.slice(0, id.lastIndexOf("-"));
    const members = groups.get(group);
    if (members) members.push(id);
    else groups.set(group, [id]);
  }
  const mentions = reading.mentions.filter(({ kind }) => kind !== "sub_item");
  return {
    tasks,
    groups,
    mentions: new Map(mentions.map((mention) => [mention.id, mention])),
    dependencies: new Map(),
    parallel: new Map(),
    edges: [],
    problems: [...reading.problems],
    notices: [...reading.notices],
    hintsLeft: 10,
    left: limits.edges,
  };
}

export function resolveFields(to: Resolution): void {
  for (const task of to.tasks.values()) {
    for (const placed of task.dependencies) {
      const ids = dependencyIds(to, task, placed);
      if (!spend(to, ids.length, placed)) return;
      for (const from of ids) addEdge(to, from, task.id, "explicit", placed);
    }
    for (const placed of task.parallel) {
      const ids = parallelIds(to, task, placed);
      if (!spend(to, ids.length, placed)) return;
      for (const id of ids) setOf(to.parallel, task.id).add(id);
    }
  }
}

/**
 * A range or a group of a few letters may stand for thousands of tasks, and the same one may
 * come again and again: what they stand for is counted, not what is new. False when it is too
 * much, which is told once.
 */
export function spend(to: Resolution, ids: number, at: Place): boolean {
  if (to.left < 0) return false;
  to.left -= ids;
  if (to.left >= 0) return true;
  complain(to, "PARSE_FAIL", at, msg("tasks.too_many_edges", { max: limits.edges }));
  return false;
}

export function addEdge(
  to: Resolution,
  from: string,
  id: string,
  source: ListedEdge["source"],
  at: Place,
): void {
  const known = setOf(to.dependencies, id);
  if (known.has(from)) return;
  known.add(from);
  to.edges.push({ from, to: id, source, line: at.line });
  const phase = to.tasks.get(id)?.phase ?? 0;
  const later = to.tasks.get(from)?.phase ?? 0;
  if (later > phase) tell(to, at, msg("tasks.later_phase", { id, phase, from, later }), id);
}

/** The tasks a word names: itself, or all of its group; null when there are none. */
export function tasksNamed(to: Resolution, word: string): readonly string[] | null {
  return to.tasks.has(word) ? [word] : (to.groups.get(word) ?? null);
}

export function complain(
  to: Resolution,
  code: TaskListProblem["code"],
  at: Place,
  text: Message,
  more: { id?: string; detail?: string } = {},
): void {
  to.problems.push({ code, line: at.line, column: at.column, text, ...more });
}

export function tell(to: Resolution, at: Place, text: Message, id?: string): void {
  const { line, column } = at;
  to.notices.push(id === undefined ? { line, column, text } : { line, column, id, text });
}

/** What may have been meant by an id that no task has; never the task that names it. */
export function hintFor(to: Resolution, word: string, own?: string): Message {
  const mention = to.mentions.get(word);
  if (mention) {
    const { kind, line } = mention;
    return msg(kind === "refused" ? "tasks.hint_refused" : "tasks.hint_no_box", { word, line });
  }
  const upper = word.toUpperCase();
  if (upper !== word && upper !== own && to.tasks.has(upper))
    return msg("tasks.hint_close", { close: upper });
  const close = to.hintsLeft-- > 0 ? closest(word, othersThan(to, own)) : undefined;
  return close === undefined ? msg("tasks.hint_add", { word }) : msg("tasks.hint_close", { close });
}

// --- internal ---

function* othersThan(to: Resolution, own: string | undefined): Generator<string> {
  for (const id of to.tasks.keys()) if (id !== own) yield id;
}

function dependencyIds(to: Resolution, task: Draft, placed: PlacedRef): readonly string[] {
  const { ref } = placed;
  const { id } = task;
  if (ref.kind === "range") return rangeIds(to, task, placed, ref.from, ref.to);
  const { text: missing, kind } = ref.word;
  // `P1` alone is a phase: it is waited for anyway (S2.6).
  if (kind === "phase") {
    tell(to, placed, msg("tasks.waits_for_phase", { id, phase: missing }), id);
    return [];
  }
  const found = tasksNamed(to, missing);
  if (found === null) {
    const text = msg("tasks.missing", { id, missing, hint: hintFor(to, missing, id) });
    complain(to, "MISSING_DEP", placed, text, { id, detail: missing });
    return [];
  }
  // Its own group means the others in it; its own id stays, and is told as a cycle.
  return missing === id ? found : found.filter((other) => other !== id);
}

function rangeIds(
  to: Resolution,
  task: Draft,
  placed: PlacedRef,
  from: Word,
  end: Word | null,
): readonly string[] {
  const { id } = task;
  const ids = end && expandRange(from.text, end.text);
  if (!spend(to, ids?.length ?? 0, placed)) return [];
  const range = end ? `${from.text}~${end.text}` : `${from.text}~`;
  const missing = ids?.find((each) => !to.tasks.has(each));
  if (ids && missing === undefined) return ids;
  const text =
    missing === undefined
      ? msg("tasks.range_unreadable", { id, range })
      : msg("tasks.range_gap", { id, range, missing });
  complain(to, "PARSE_FAIL", placed, text, { id, detail: range });
  return [];
}

/** Nobody waits for a neighbour: one that does not exist is worth a word, not a refusal. */
function parallelIds(to: Resolution, task: Draft, placed: PlacedRef): readonly string[] {
  const { ref } = placed;
  if (ref.kind === "word" && ref.word.kind === "phase") return [];
  const range = ref.kind === "range" && ref.to ? expandRange(ref.from.text, ref.to.text) : null;
  if (range && !spend(to, range.length, placed)) return [];
  const word = ref.kind === "word" ? ref.word.text : ref.from.text;
  const ids = range ?? tasksNamed(to, word) ?? [word];
  const unknown = ids.find((id) => !to.tasks.has(id));
  if (unknown !== undefined)
    tell(to, placed, msg("tasks.parallel_unknown", { id: task.id, word: unknown }), task.id);
  return ids.filter((id) => id !== task.id && to.tasks.has(id));
}

function setOf(map: Map<string, Set<string>>, key: string): Set<string> {
  const known = map.get(key);
  if (known) return known;
  const fresh = new Set<string>();
  map.set(key, fresh);
  return fresh;
}
