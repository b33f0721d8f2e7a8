// The state of an orchestrate run made anew from its plan (S2.9): a checked box is a completed task.
// What an older state still knows is merged in: tasks it saw completed or failed, finished phases,
// settings and fields of a person's own. Nobody is at work on a rebuilt state: what was in progress
// is open again, and what is ready or blocked follows from the dependencies.
import { type BuiltGraph, buildGraph } from "../../core/graph.ts";
import type { UnitStatus } from "../../core/vocabulary.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import type { ListedTask, TaskList } from "../../formats/task-list.ts";
import { unitsOf } from "./units.ts";

export interface Rebuilt {
  readonly state: OrchestrateState;
  /** Tasks the older state knew and the plan no longer has. */
  readonly dropped: readonly string[];
}

/** The list must be free of problems. `folder`: the project's name where the list has no title. */
export function rebuildState(
  list: TaskList,
  earlier: OrchestrateState | undefined,
  folder: string,
  now: string,
): Rebuilt {
  const known = earlier ? unitsOf(earlier) : new Map<string, UnitStatus>();
  const graph = graphOf(
    list.tasks.map((task) => ({
      id: task.id,
      dependencies: task.dependencies,
      status: decided(task, known.get(task.id)),
    })),
  );
  const tasks = {
    ...earlier?.tasks,
    pending: graph.list("pending"),
    ready: graph.list("ready"),
    in_progress: [],
    completed: graph.list("completed"),
    failed: graph.list("failed"),
    blocked: graph.list("blocked"),
  };
  const isDone = (task: ListedTask): boolean => graph.status(task.id) === "completed";
  const state: OrchestrateState = {
    ...earlier,
    version: "2.0",
    mode: earlier?.mode ?? "ultra-thin",
    project: earlier?.project ?? list.title ?? folder,
    execution: executionOf(list, earlier, isDone, now),
    tasks,
    dependencies: Object.fromEntries(
      list.tasks
        .filter(({ dependencies }) => dependencies.length > 0)
        .map(({ id, dependencies }) => [id, [...dependencies]]),
    ),
    checkpoints: checkpointsOf(list, earlier, isDone),
    metrics: {
      ...earlier?.metrics,
      total_tasks: list.tasks.length,
      completed_count: tasks.completed.length,
      failed_count: tasks.failed.length,
      average_task_time_seconds: earlier?.metrics.average_task_time_seconds ?? 0,
    },
    config: earlier?.config ?? { max_parallel: 0, retry_limit: 10, slack_webhook_url: null },
  };
  return { state, dropped: [...known.keys()].filter((id) => !graph.has(id)) };
}

// --- internal ---

type Checkpoint = OrchestrateState["checkpoints"][string];

function graphOf(nodes: Parameters<typeof buildGraph>[0]) {
  const built: BuiltGraph = buildGraph(nodes);
  if (!built.ok) throw new Error("a plan without problems has a broken graph");
  return built.graph;
}

function decided({ checked }: ListedTask, was: UnitStatus | undefined): UnitStatus {
  if (checked || was === "completed") return "completed";
  return was === "failed" ? "failed" : "pending";
}

function executionOf(
  list: TaskList,
  earlier: OrchestrateState | undefined,
  isDone: (task: ListedTask) => boolean,
  now: string,
): OrchestrateState["execution"] {
  const open = list.tasks.filter((task) => !isDone(task));
  // The first that is not done; of a plan that is done, the last.
  const current =
    open.length > 0
      ? open.reduce((first, { phase }) => Math.min(first, phase), Infinity)
      : list.tasks.reduce((last, { phase }) => Math.max(last, phase), 0);
  const before = earlier?.execution;
  return {
    ...before,
    current_phase: current,
    worktree: before?.current_phase === current ? before.worktree : null,
    started_at: before?.started_at ?? now,
    last_updated: now,
  };
}

/** What was written when a phase ended stays; of the others only the counts are sure. */
function checkpointsOf(
  list: TaskList,
  earlier: OrchestrateState | undefined,
  isDone: (task: ListedTask) => boolean,
): OrchestrateState["checkpoints"] {
  const checkpoints: Record<string, Checkpoint> = { ...earlier?.checkpoints };
  const counts = new Map<number, { done: number; all: number }>();
  for (const task of list.tasks) {
    const { done, all } = counts.get(task.phase) ?? { done: 0, all: 0 };
    counts.set(task.phase, { done: done + Number(isDone(task)), all: all + 1 });
  }
  for (const [phase, { done, all }] of counts) {
    const key = `phase_${phase}`;
    if (done === 0 || checkpoints[key]?.completed_at !== undefined) continue;
    checkpoints[key] = { ...checkpoints[key], progress: `${done}/${all}`, tasks_count: all };
  }
  return checkpoints;
}
