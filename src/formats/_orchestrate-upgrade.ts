// Reads orchestrate-state 1.x (S2.1): never specified, seen in the wild as flat files that a model
// wrote. So: tolerant, nothing dropped (fields we do not use stay), and always mode `normal`.
import { msg } from "../core/messages.ts";
import { parseUnitId } from "../core/ids.ts";
import type { Upgrade } from "./format.ts";

type Fields = Readonly<Record<string, unknown>>;

export function upgradeOrchestrateState(old: Fields): Upgrade | undefined {
  const from = old["version"];
  if (typeof from !== "string" || !/^1(\.\d+)*$/.test(from)) return undefined;
  const lists = readLists(old);
  const config = fieldsOf(old["config"]);
  const metrics = fieldsOf(old["metrics"]);
  const all = new Set(Object.values(lists).flat());
  const value = {
    ...old,
    version: "2.0",
    mode: "normal",
    project: textOf(old["project"]) ?? textOf(old["project_name"]) ?? "project",
    execution: readExecution(old),
    tasks: { ...fieldsOf(old["tasks"]), ...lists },
    dependencies: readDependencies(old["dependencies"]),
    checkpoints: onlyPhaseKeys(fieldsOf(old["checkpoints"])),
    metrics: {
      ...metrics,
      total_tasks: countOf(metrics["total_tasks"] ?? old["total_tasks"]) ?? all.size,
      completed_count: countOf(metrics["completed_count"]) ?? lists.completed.length,
      failed_count: countOf(metrics["failed_count"]) ?? lists.failed.length,
      average_task_time_seconds: numberOf(metrics["average_task_time_seconds"]) ?? 0,
    },
    config: {
      ...config,
      max_parallel: countOf(config["max_parallel"]) ?? 0,
      retry_limit: countOf(config["retry_limit"]) ?? 10,
      slack_webhook_url: textOf(config["slack_webhook_url"]) ?? null,
    },
  };
  return { value, from, notice: msg("format.upgrade.orchestrate", { from }) };
}

// --- internal ---

const listNames = ["pending", "ready", "in_progress", "completed", "failed", "blocked"] as const;
type Lists = Record<(typeof listNames)[number], string[]>;

/** `tasks.completed`, or the flat `completed_tasks`, whose entries may be ids or `{id, …}`. */
function readLists(old: Fields): Lists {
  const tasks = fieldsOf(old["tasks"]);
  const lists: Lists = {
    pending: [],
    ready: [],
    in_progress: [],
    completed: [],
    failed: [],
    blocked: [],
  };
  const taken = new Set<string>();
  // The furthest along first, so that a task that stands twice keeps its best place.
  for (const name of [
    "completed",
    "in_progress",
    "failed",
    "blocked",
    "ready",
    "pending",
  ] as const) {
    for (const entry of [...listOf(tasks[name]), ...listOf(old[`${name}_tasks`])]) {
      const id = textOf(entry) ?? textOf(fieldsOf(entry)["id"]);
      if (id === undefined || taken.has(id) || parseUnitId(id) === undefined) continue;
      taken.add(id);
      lists[name].push(id);
    }
  }
  return lists;
}

function readExecution(old: Fields): Fields {
  const execution = fieldsOf(old["execution"]);
  const started = timeOf(execution["started_at"] ?? old["started_at"]) ?? "1970-01-01T00:00:00Z";
  return {
    ...execution,
    current_phase: countOf(execution["current_phase"] ?? old["current_phase"]) ?? 0,
    worktree: textOf(execution["worktree"]) ?? null,
    started_at: started,
    last_updated: timeOf(execution["last_updated"] ?? old["last_updated"]) ?? started,
  };
}

function readDependencies(value: unknown): Record<string, string[]> {
  const read: Record<string, string[]> = {};
  for (const [id, list] of Object.entries(fieldsOf(value))) {
    if (parseUnitId(id) !== undefined)
      read[id] = listOf(list).filter((item): item is string => typeof item === "string");
  }
  return read;
}

function onlyPhaseKeys(checkpoints: Fields): Fields {
  return Object.fromEntries(
    Object.entries(checkpoints).filter(([key]) => /^phase_\d{1,4}$/.test(key)),
  );
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;
const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && value >= 0 ? value : undefined;
const countOf = (value: unknown): number | undefined =>
  Number.isInteger(value) ? numberOf(value) : undefined;
const timeOf = (value: unknown): string | undefined =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) ? value : undefined;
