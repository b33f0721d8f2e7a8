// A new task's row, its type, and how a refusal reads: what tasks.ts needs besides looking up.
import { createHash } from "node:crypto";
import { closest } from "../core/closest.ts";
import { Fault } from "../core/errors.ts";
import { validValue } from "../core/machines/_dependency-value.ts";
import { type Language, msg } from "../core/messages.ts";
import type { DependencyType } from "../core/vocabulary.ts";
import type { DraftChange } from "../engine/decide/commands.ts";
import type { Answer } from "../engine/decide/world.ts";
import { type Kinds, type Task, type TaskState, notBegun } from "../engine/state.ts";
import { budgetOf } from "../engine/surroundings.ts";
import type { ProjectSettings } from "../formats/project-settings.ts";
import type { Store, TransitionRow } from "../store/database/store.ts";
import type { TaskType } from "../workflows/phases/phases.ts";
import { taskTypeNames, taskTypeOf } from "../workflows/phases/types.ts";
import { type Priority, priorities } from "./task-views.ts";

export interface NewTask {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly agent?: string | undefined;
  readonly script?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly dependsOn?: readonly string[] | undefined;
}

/** What may be different about a draft. */
export interface DraftEdit {
  readonly type?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly agent?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly dependsOn?: readonly string[] | undefined;
}

/** Only what is given; at least something has to be. */
export function changeOf({ priority, ...given }: DraftEdit): DraftChange {
  const change = {
    ...given,
    ...(priority === undefined ? {} : { priority: rankOf(priority) }),
  };
  if (Object.keys(change).length === 0) throw new Fault("invalid_input", msg("task.edit_nothing"));
  return change as DraftChange;
}

/** The queue begins with the highest. */
function rankOf(priority: Priority): number {
  return priorities.length - priorities.indexOf(priority);
}

export function newRow(
  id: string,
  projectId: string,
  given: NewTask & { readonly agent: string },
  settings: ProjectSettings | undefined,
  language: Language,
  at: string,
): Task {
  return {
    id,
    projectId,
    workflow: given.type,
    status: "draft",
    priority: rankOf(given.priority ?? "normal"),
    queuedAt: null,
    archived: false,
    retryOf: null,
    rev: 0,
    createdAt: at,
    updatedAt: at,
    data: {
      title: given.title,
      description: given.description,
      agent: given.agent,
      script: given.script ?? null,
      language: settings?.language ?? language,
      document: null,
      dependsOn: given.dependsOn ?? [],
      budget: budgetOf(settings?.budgets?.task),
      ...notBegun,
    },
  };
}

export function created(task: Task): Omit<TransitionRow, "seq"> {
  const { id, workflow, createdAt } = task;
  return {
    timestamp: createdAt,
    taskId: id,
    machine: "task",
    entityId: id,
    from: "none",
    to: "draft",
    trigger: "create",
    metadata: { type: workflow },
  };
}

export function requireType(
  name: string,
  settings: ProjectSettings | undefined,
  language: Language,
): TaskType {
  const type = taskTypeOf(name, settings, settings?.language ?? language);
  if (type !== undefined) return type;
  const known = taskTypeNames(settings);
  const near = closest(name, [...known]);
  throw new Fault(
    "invalid_input",
    msg("task.unknown_type", { name, known: known.join(", ") }),
    near === undefined ? {} : { hint: msg("cli.did_you_mean", { word: near }) },
  );
}

/** S1.8: a task that would wait for itself never starts. */
export async function refuseCircle(store: Store, task: Task): Promise<void> {
  const seen = new Set<string>();
  const open = [...task.data.dependsOn];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === task.id) throw new Fault("refused", msg("task.waits_for_itself", { id: task.id }));
    if (seen.has(id)) continue;
    seen.add(id);
    const row = (await store.task(id)) as Task | undefined;
    // Who depends on a failed task waits for its retries.
    open.push(...(row?.data.dependsOn ?? []), ...(row?.data.retries ?? []));
  }
}

/** What a task refuses, with what it allows instead: the same list as its `actions` (S1.7). */
export class Refused extends Fault {
  readonly allowed: readonly string[];

  constructor({ code, text, hint }: Fault, allowed: readonly string[]) {
    const instead = msg("task.allowed", { allowed: allowed.join(", ") });
    const more = hint ?? (allowed.length === 0 ? undefined : instead);
    super(code, text, more === undefined ? {} : { hint: more });
    this.allowed = allowed;
  }
}

export function refusalOf({ code, reasons }: Answer & { ok: false }): Fault {
  const [first = msg("task.refused")] = reasons;
  return code === "not_found"
    ? new Fault(code, first, { hint: msg("task.unknown.hint") })
    : new Fault(code, first);
}

/** The open review, or the one that is named. */
export function reviewIn(
  { task, entities }: TaskState,
  given: string | undefined,
): Kinds["review"] {
  const reviews = [...entities.review.values()];
  const found =
    given === undefined
      ? reviews.find(({ status }) => status === "open")
      : reviews.find(({ id }) => id === given);
  if (found !== undefined) return found;
  throw given === undefined
    ? new Fault("refused", msg("task.no_review", { id: task.id }))
    : new Fault("not_found", msg("review.unknown", { id: given }));
}

/** Nobody has to name what there is only one of. */
export function onlyOpen({ task, entities }: TaskState, kind: "question" | "dependency"): string {
  const open = [...entities[kind].values()].filter(({ status }) => status === "open");
  const [first, second] = open;
  if (first === undefined) throw new Fault("refused", msg(`task.no_${kind}`, { id: task.id }));
  if (second === undefined) return first.id;
  const ids = open.map(({ id }) => id).join(", ");
  throw new Fault("invalid_input", msg("task.several_open", { ids }));
}

/** Of a dependency: a text, or a file's bytes in base64. */
export interface Provided {
  readonly dependencyId?: string | undefined;
  readonly value?: string | undefined;
  readonly file?: string | undefined;
  readonly confirmed?: boolean | undefined;
}

/** What is provided, if its type can hold it. A file that is a text stays one, so that it is found wherever it leaks. */
export function providedFor(
  type: DependencyType,
  { value, file, confirmed = false }: Provided,
): { readonly value: string; readonly encoded: boolean; readonly confirmed: boolean } {
  if ((value === undefined) === (file === undefined))
    throw new Fault("invalid_input", msg("dependency.value_or_file"));
  if (file !== undefined && type !== "file")
    throw new Fault("invalid_input", msg("dependency.no_file"));
  const text = value ?? textIn(file ?? "");
  const sealed = text ?? file ?? "";
  const verdict = validValue(type, { value: sealed, confirmed });
  if (verdict !== true) throw new Fault("invalid_input", verdict);
  return { value: sealed, encoded: text === undefined, confirmed };
}

/** Undefined: bytes that are no text. */
function textIn(base64: string): string | undefined {
  const bytes = Buffer.from(base64, "base64");
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : undefined;
}

export function orderOf({ createdAt, id }: Task): string {
  return `${createdAt} ${id}`;
}

export function searchable({ id, data }: Task): string {
  return `${id} ${data.title} ${data.description}`.toLowerCase();
}

/**
 * A caller's key counts for this action on this task alone: one that numbers its calls anew for each
 * task must not get another one's answer.
 */
export function inboxKey(name: string, id: string, key: string): string {
  return `given:${digestOf(name, id, key)}`;
}

export function digestOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
