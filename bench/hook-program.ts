// What a hook does when a task is done, until the command exists: completes the task that is in
// progress, durably, and says which are next. The bench bundles it as the program is bundled.
import { createContext } from "../src/app/context.ts";
import { outputTo } from "../src/cli/output.ts";
import { type Graph, type GraphNode, buildGraph } from "../src/core/graph.ts";
import { unitStatuses } from "../src/core/vocabulary.ts";
import type { OrchestrateState } from "../src/formats/orchestrate-state.ts";
import type { DocumentRef } from "../src/store/documents.ts";

export interface Completed {
  readonly state: OrchestrateState;
  readonly id: string;
  readonly next: string | undefined;
}

/** The first task in progress is completed, and the first that may start is started. */
export function completeFirst(before: OrchestrateState, now: string): Completed {
  const graph = graphOf(before);
  const [id = ""] = before.tasks.in_progress;
  graph.complete(id);
  const next = graph.take();
  const lists = Object.fromEntries(unitStatuses.map((status) => [status, graph.list(status)]));
  const { metrics, execution } = before;
  const state = {
    ...before,
    execution: { ...execution, last_updated: now },
    tasks: { ...before.tasks, ...lists },
    metrics: { ...metrics, completed_count: metrics.completed_count + 1 },
  };
  return { state, id, next };
}

// --- internal ---

function graphOf({ tasks, dependencies }: OrchestrateState): Graph {
  const nodes: GraphNode[] = [];
  for (const status of unitStatuses)
    for (const id of tasks[status])
      nodes.push({ id, status, dependencies: dependencies[id] ?? [] });
  const built = buildGraph(nodes);
  if (!built.ok) throw new Error(`${built.problems.length} problems in the plan`);
  return built.graph;
}

async function main(cwd: string): Promise<void> {
  const context = createContext({
    cwd,
    env: process.env,
    language: "en",
    ended: () => new AbortController().signal,
    tell: () => undefined,
    emit: () => undefined,
  });
  const path = `${context.project.root}/.claude/orchestrate-state.json`;
  const ref: DocumentRef = { path, format: "orchestrate-state" };
  const { id, next } = await (
    await context.documents()
  ).update({
    files: [ref],
    event: { trigger: "complete" },
    apply: (documents) => {
      const before = documents.get(path) as OrchestrateState;
      const result = completeFirst(before, new Date().toISOString());
      return { documents: new Map([[path, result.state]]), result };
    },
  });
  await context.close();
  outputTo(1, (cause) => {
    throw cause;
  }).write(`${id} → ${next}\n`);
}

const [, script, cwd] = process.argv;
/** Undefined: it was not called, but imported. */
export const done =
  script?.endsWith("hook-program.cjs") && cwd !== undefined ? main(cwd) : undefined;
