// Reads orchestrate-state 1.x (S2.1): never specified, seen in the wild as flat files that a model
// wrote: `completed_tasks` as ids, objects, a map or a mere number, camelCase, current_phase "P0"
// or "DONE". So: tolerant, always mode `normal`, and nothing dropped: fields we do not use stay,
// and what we had to read differently stays under `v1` as it was.
import { parseUnitId } from "../core/ids.ts";
import { msg } from "../core/messages.ts";
import { sameValue } from "./_text.ts";
import type { Upgrade } from "./format.ts";
import { patterns } from "./patterns.ts";

type Fields = Readonly<Record<string, unknown>>;

export function upgradeOrchestrateState(old: Fields): Upgrade | undefined {
  const from = String(old["version"]);
  if (!/^1(\.\d+)*$/.test(from)) return undefined;
  const dependencies = readDependencies(old["dependencies"]);
  const lists = readLists(old, dependencies);
  const read: Fields = {
    version: "2.0",
    mode: "normal",
    project: readProject(old),
    execution: readExecution(old, lists),
    tasks: { ...fieldsOf(old["tasks"], isList), ...lists },
    dependencies,
    checkpoints: readCheckpoints(old["checkpoints"]),
    metrics: readMetrics(old, lists),
    config: readConfig(old),
  };
  const kept = Object.entries(old)
    .filter(([name, was]) => name !== "version" && name in read && !carries(read[name], was))
    .map(([name, was]) => [name, withoutSecret(was)]);
  const value = { ...old, ...read, ...(kept.length > 0 && { v1: Object.fromEntries(kept) }) };
  return { value, from, notice: msg("format.upgrade.orchestrate", { from }) };
}

// --- internal ---

/** The furthest along first: a task that stands twice keeps its best place. */
const listNames = ["completed", "in_progress", "failed", "blocked", "ready", "pending"] as const;
type ListName = (typeof listNames)[number];
type Lists = Record<ListName, string[]>;

const otherWords: Readonly<Record<string, ListName>> = {
  done: "completed",
  complete: "completed",
  running: "in_progress",
  todo: "pending",
};

function readLists(old: Fields, dependencies: Readonly<Record<string, string[]>>): Lists {
  const entries = [...listEntries(old), ...taskEntries(old["tasks"])];
  // Named by a dependency alone: known, not begun.
  for (const [id, needed] of Object.entries(dependencies))
    entries.push(
      ["pending", id],
      ...needed.map((other) => ["pending", other] as [ListName, string]),
    );
  const lists: Lists = {
    pending: [],
    ready: [],
    in_progress: [],
    completed: [],
    failed: [],
    blocked: [],
  };
  const taken = new Set<string>();
  for (const name of listNames) {
    for (const [list, id] of entries) {
      if (list !== name || taken.has(id) || parseUnitId(id) === undefined) continue;
      taken.add(id);
      lists[name].push(id);
    }
  }
  return lists;
}

/** `tasks.completed` or the flat `completed_tasks`, of ids, of `{id, …}`, or a map by id. */
function listEntries(old: Fields): [ListName, string][] {
  const tasks = fieldsOf(old["tasks"]);
  return listNames.flatMap((name) =>
    [pick(tasks, name), pick(old, `${name}_tasks`)].flatMap((value) => {
      const found = Array.isArray(value) ? value.map(idOf) : Object.keys(fieldsOf(value));
      return found.map((id): [ListName, string] => [name, id]);
    }),
  );
}

/** `tasks: [{id, status}]`, or `tasks: {id: {status}}`, or `tasks: {id: status}`. */
function taskEntries(tasks: unknown): [ListName, string][] {
  const pairs: [string, unknown][] = Array.isArray(tasks)
    ? tasks.map((task) => [idOf(task), task])
    : Object.entries(fieldsOf(tasks));
  return pairs.flatMap(([id, task]): [ListName, string][] => {
    const word = (textOf(task) ?? textOf(fieldsOf(task)["status"]) ?? "pending")
      .toLowerCase()
      .replaceAll(/[\s-]/g, "_");
    return [[listNames.find((name) => name === word) ?? otherWords[word] ?? "pending", id]];
  });
}

function readProject(old: Fields): string {
  const named = textOf(old["project"]) ?? textOf(fieldsOf(old["project"])["name"]);
  return named ?? textOf(pick(old, "project_name")) ?? "project";
}

function readExecution(old: Fields, lists: Lists): Fields {
  const execution = fieldsOf(old["execution"]);
  const either = (name: string): unknown => pick(execution, name) ?? pick(old, name);
  const started = timeOf(either("started_at")) ?? "1970-01-01T00:00:00Z";
  return {
    ...execution,
    current_phase: phaseOf(either("current_phase")) ?? furthestPhase(lists),
    worktree: textOf(either("worktree")) ?? null,
    started_at: started,
    last_updated: timeOf(either("last_updated")) ?? timeOf(either("updated_at")) ?? started,
  };
}

function furthestPhase({ completed, in_progress: begun }: Lists): number {
  return [...completed, ...begun].reduce(
    (most, id) => Math.max(most, parseUnitId(id)?.phase ?? 0),
    0,
  );
}

function readDependencies(value: unknown): Record<string, string[]> {
  const read: Record<string, string[]> = {};
  for (const [id, list] of Object.entries(fieldsOf(value))) {
    if (parseUnitId(id) === undefined) continue;
    const named = (Array.isArray(list) ? list : [list]).map(idOf);
    read[id] = [...new Set(named)].filter((other) => parseUnitId(other) !== undefined);
  }
  return read;
}

/** Known fields of a phase that hold something else are left out (they stay under `v1`). */
function readCheckpoints(value: unknown): Fields {
  const read: Record<string, unknown> = {};
  for (const [key, found] of Object.entries(fieldsOf(value))) {
    const number = /^(?:phase|p)?[\s_-]?(\d{1,4})$/i.exec(key)?.[1];
    if (number === undefined) continue;
    const phase = fieldsOf(found);
    const count = countOf(phase["tasks_count"]) ?? countOf(phase["tasks"]);
    const known: [string, unknown][] = [
      ["started_at", timeOf(phase["started_at"])],
      ["completed_at", timeOf(phase["completed_at"])],
      ["progress", matching("fraction", phase["progress"])],
      ["tasks_count", count],
      ["tasks", isUnitList(phase["tasks"]) ? phase["tasks"] : undefined],
      ["merged", typeof phase["merged"] === "boolean" ? phase["merged"] : undefined],
      ["merge_commit", matching("commit", phase["merge_commit"])],
    ];
    const names = new Set(known.map(([name]) => name));
    read[`phase_${Number(number)}`] = Object.fromEntries([
      ...Object.entries(phase).filter(([name]) => !names.has(name)),
      ...known.filter(([, item]) => item !== undefined),
    ]);
  }
  return read;
}

function readMetrics(old: Fields, lists: Lists): Fields {
  const metrics = fieldsOf(old["metrics"]);
  const all = Object.values(lists).flat();
  const total = pick(metrics, "total_tasks") ?? pick(old, "total_tasks");
  const completed = pick(metrics, "completed_count") ?? pick(old, "completed_tasks");
  const failed = pick(metrics, "failed_count") ?? pick(old, "failed_tasks");
  return {
    ...metrics,
    total_tasks: countOf(total) ?? all.length,
    completed_count: countOf(completed) ?? lists.completed.length,
    failed_count: countOf(failed) ?? lists.failed.length,
    average_task_time_seconds: numberOf(pick(metrics, "average_task_time_seconds")) ?? 0,
  };
}

function readConfig(old: Fields): Fields {
  const config = fieldsOf(old["config"]);
  const either = (name: string): unknown => pick(config, name) ?? pick(old, name);
  return {
    ...config,
    max_parallel: countOf(either("max_parallel")) ?? 0,
    retry_limit: countOf(either("retry_limit")) ?? 10,
    slack_webhook_url: textOf(either("slack_webhook_url")) ?? null,
  };
}

/** Is all that was there still there? */
function carries(read: unknown, was: unknown): boolean {
  if (!isFields(read) || !isFields(was)) return sameValue(read, was);
  return Object.entries(was).every(([name, item]) => carries(read[name], item));
}

/** The webhook stays in its one place, which is known to be secret (S2.3). */
function withoutSecret(value: unknown): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !/webhook/i.test(name)));
}

/** `completed_tasks`, or `completedTasks`. */
function pick(fields: Fields, name: string): unknown {
  const camel = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return fields[name] ?? fields[camel];
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isList = (value: unknown): boolean => Array.isArray(value);
const isUnitList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((id) => typeof id === "string" && parseUnitId(id));

/** An object's fields, or those of them that pass; none where it is something else. */
function fieldsOf(value: unknown, keep?: (item: unknown) => boolean): Fields {
  if (!isFields(value)) return {};
  if (keep === undefined) return value;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => keep(item)));
}

function idOf(entry: unknown): string {
  return (
    textOf(entry) ?? textOf(fieldsOf(entry)["id"]) ?? textOf(pick(fieldsOf(entry), "task_id")) ?? ""
  );
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
const matching = (name: keyof typeof patterns, value: unknown): string | undefined =>
  typeof value === "string" && new RegExp(patterns[name], "u").test(value) ? value : undefined;
const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && value >= 0 ? value : undefined;

function countOf(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? numberOf(number) : undefined;
}

/** 2, "2", "P2", "phase_2", "Phase 2: …". */
function phaseOf(value: unknown): number | undefined {
  const number = /^(?:phase|p)?[\s_-]?(\d{1,4})\b/i.exec(textOf(value) ?? "")?.[1];
  return number === undefined ? countOf(value) : Number(number);
}

/** As it is; or a day, or with a blank for the T. */
function timeOf(value: unknown): string | undefined {
  const written = textOf(value)?.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, "$1T");
  return matching("time", written) ?? matching("time", `${written}T00:00:00`);
}
