// The state of an orchestrate run made again from its plan (S2.9): a checked box is a completed task.
// What an older state and the journal still know is merged in: tasks they saw completed or failed, finished
// phases, settings and fields of a person's own. What the run's own agents are at work on stays with them; else
// nothing is in progress, and what is ready or blocked follows from the dependencies.
import { type BuiltGraph, buildGraph } from "../../core/graph.ts";
import type { UnitStatus } from "../../core/vocabulary.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import type { ListedTask, TaskList } from "../../formats/task-list.ts";
import type { Salvaged } from "./salvage.ts";
import { unitsOf } from "./units.ts";

export interface Rebuilt {
  readonly state: OrchestrateState;
  /** Tasks the older state knew and the plan no longer has. */
  readonly dropped: readonly string[];
  /** From where each decided task was taken, the first that says so. */
  readonly taken: readonly Taken[];
  /** Where one source says that a task is completed, and another knows better or worse. */
  readonly disputed: readonly Disputed[];
}

/** file: a state file that breaks the format, and can still be read. */
export type Source = "plan" | "file" | "state" | "journal";

export interface Taken {
  readonly id: string;
  readonly status: "completed" | "failed";
  readonly source: Source;
}

export interface Disputed {
  readonly id: string;
  /** Who says that it is completed. */
  readonly by: Source;
  readonly other: Source;
  readonly status: UnitStatus;
}

/** What is known beside the state, of a run that is under way. */
export interface Known {
  /** Where each unit stood when the journal last spoke of it. */
  readonly journal: ReadonlyMap<string, UnitStatus>;
  /** Units that were begun. */
  readonly begun: ReadonlySet<string>;
  /** Of these, the ones that the run's own agents have. */
  readonly held: ReadonlySet<string>;
  readonly file?: Salvaged | undefined;
}

/** The list must be free of problems. `folder`: the project's name where the list has no title. */
export function rebuildState(
  list: TaskList,
  earlier: OrchestrateState | undefined,
  folder: string,
  now: string,
  beside: Known = nothing,
): Rebuilt {
  const known = earlier ? unitsOf(earlier) : new Map<string, UnitStatus>();
  const words = list.tasks.map((task) => wordsOf(task, known, beside));
  const graph = graphOf(
    list.tasks.map(({ id, dependencies }, place) => ({
      id,
      dependencies,
      status: words[place]?.taken?.status ?? (beside.held.has(id) ? "in_progress" : "pending"),
    })),
  );
  const tasks = {
    ...earlier?.tasks,
    pending: graph.list("pending"),
    ready: graph.list("ready"),
    in_progress: graph.list("in_progress"),
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
    checkpoints: begunPhases(list, checkpointsOf(list, earlier, isDone), beside.begun, now),
    metrics: {
      ...earlier?.metrics,
      total_tasks: list.tasks.length,
      completed_count: tasks.completed.length,
      failed_count: tasks.failed.length,
      average_task_time_seconds: earlier?.metrics.average_task_time_seconds ?? 0,
    },
    config: earlier?.config ?? { max_parallel: 0, retry_limit: 10, slack_webhook_url: null },
  };
  return {
    state,
    dropped: [...known.keys()].filter((id) => !graph.has(id)),
    taken: words.flatMap(({ taken }) => taken ?? []),
    disputed: words.flatMap(({ disputed }) => disputed ?? []),
  };
}

// --- internal ---

type Checkpoint = OrchestrateState["checkpoints"][string];

function graphOf(nodes: Parameters<typeof buildGraph>[0]) {
  const built: BuiltGraph = buildGraph(nodes);
  if (!built.ok) throw new Error("a plan without problems has a broken graph");
  return built.graph;
}

const nothing: Known = { journal: new Map(), begun: new Set(), held: new Set() };

/** What each source says of a task, and what follows. */
function wordsOf(
  { id, checked, phase }: ListedTask,
  known: ReadonlyMap<string, UnitStatus>,
  { journal, file }: Known,
): { readonly taken?: Taken; readonly disputed?: Disputed } {
  const said: { source: Source; status: UnitStatus }[] = [];
  const inFile = file?.phases.has(phase) ? "completed" : file?.units.get(id);
  for (const [source, status] of [
    ["file", inFile],
    ["state", known.get(id)],
    ["journal", journal.get(id)],
  ] as const)
    if (status !== undefined) said.push({ source, status });
  // An open box says nothing: boxes are ticked after the run, if ever.
  if (checked) said.unshift({ source: "plan", status: "completed" });
  const done = said.find(({ status }) => status === "completed");
  if (done === undefined) {
    const failed = said.find(({ status }) => status === "failed");
    return failed ? { taken: { id, status: "failed", source: failed.source } } : {};
  }
  const other = said.find(({ source, status }) => {
    // What had failed and stands as completed in the state is a person's own word (S2.8).
    const failed = source === "journal" && status === "failed";
    const byHand = failed && !checked && known.get(id) === "completed";
    // What was made in the place of such a file says of open tasks only that nothing was known.
    const made = file !== undefined && source === "state" && status !== "failed";
    return status !== "completed" && !byHand && !made;
  });
  const taken = { id, status: "completed", source: done.source } as const;
  if (other === undefined) return { taken };
  const { source, status } = other;
  return { taken, disputed: { id, by: done.source, other: source, status } };
}

/** What was begun in a phase has to be merged with it, also where the state that said so is lost. */
function begunPhases(
  list: TaskList,
  checkpoints: OrchestrateState["checkpoints"],
  begun: ReadonlySet<string>,
  now: string,
): OrchestrateState["checkpoints"] {
  const made = { ...checkpoints };
  for (const { id, phase } of list.tasks) {
    const was = made[`phase_${phase}`];
    if (!begun.has(id) || was?.completed_at !== undefined || was?.started_at !== undefined)
      continue;
    made[`phase_${phase}`] = { ...was, started_at: now };
  }
  return made;
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
