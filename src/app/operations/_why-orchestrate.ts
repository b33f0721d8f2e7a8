// `why T1.5`: a unit waits for the units it depends on, and for its phase.
import { Fault } from "../../core/errors.ts";
import { type Graph, buildGraph } from "../../core/graph.ts";
import { parseUnitId } from "../../core/ids.ts";
import { unitMachine } from "../../core/machines/unit.ts";
import { type Message, msg } from "../../core/messages.ts";
import type { UnitStatus } from "../../core/vocabulary.ts";
import type { OrchestrateState } from "../../formats/orchestrate-state.ts";
import { formats } from "../../formats/registry.ts";
import type { ListedTask } from "../../formats/task-list.ts";
import type { Looked, Problem } from "./_look.ts";
import { unitsOf } from "./_status-parts.ts";
import { eventsOf } from "./_why-events.ts";
import type { Entry } from "./why.ts";

export async function unitsToExplain(looked: Looked): Promise<Entry[]> {
  const { path } = formats["orchestrate-state"];
  const state = await looked.at(path, "orchestrate-state");
  const unread = looked.problems.find((problem) => problem.path === path);
  const plan = await looked.plan();
  const listed = new Map((plan?.tasks ?? []).map((task) => [task.id, task]));
  const units = state ? unitsOf(state) : new Map<string, UnitStatus>();
  const ids = [...new Set([...units.keys(), ...Object.keys(state?.dependencies ?? {})])];
  // Built only when one is asked about: a name that is not found needs no graph.
  const explained = (id: string, of: OrchestrateState) => {
    const unit = { title: listed.get(id)?.title, recorded: units.get(id) ?? "pending" };
    return explain(id, unit, graphOf(ids, units, of), of);
  };
  const known = new Set(ids);
  return [
    ...(state ? ids.map((id) => ({ id, explain: () => explained(id, state) })) : []),
    ...[...listed.values()]
      .filter(({ id }) => !known.has(id))
      .map((task) => ({ id: task.id, explain: () => planned(task, plan?.path ?? "", unread) })),
  ];
}

// --- internal ---

function graphOf(
  ids: readonly string[],
  units: ReadonlyMap<string, UnitStatus>,
  { dependencies }: OrchestrateState,
): Graph {
  const built = buildGraph(
    ids.map((id) => ({
      id,
      dependencies: dependencies[id] ?? [],
      status: units.get(id) ?? "pending",
    })),
  );
  // The document was valid: no dependency is missing, none goes in a circle.
  if (!built.ok) throw new Error("a valid document has a broken graph");
  return built.graph;
}

/** Only in the plan: nothing is known but what is written there, unless its state cannot be read. */
function planned({ title, checked, line }: ListedTask, path: string, unread: Problem | undefined) {
  if (unread) {
    const { code, message } = unread;
    throw new Fault(code, message, code === "corrupt" ? { hint: msg("document.look.hint") } : {});
  }
  return {
    kind: "unit" as const,
    name: title,
    status: checked ? "completed" : "pending",
    reasons: checked ? [] : [msg("why.unit.planned", { path, line })],
    next: checked ? [msg("why.done")] : [],
    events: [],
  };
}

function explain(
  id: string,
  { title: name = "", recorded }: { title: string | undefined; recorded: UnitStatus },
  graph: Graph,
  state: OrchestrateState,
) {
  // Told as the file has it: that it could be “ready” is said by what comes next.
  const status = graph.status(id) === "ready" ? recorded : graph.status(id);
  const unfinished = graph.unfinished(id);
  const dead = unfinished.filter((other) => isDead(graph.status(other)));
  const lines = unitMachine.explain(status, {
    unfinishedDependencies: unfinished,
    deadDependencies: dead,
    slotFree: true,
    claimedBy: null,
    stillWorkedOn: true,
    check: "not_run",
    retries: 0,
    retryLimit: state.config.retry_limit,
    sameErrors: 0,
    byPerson: true,
  });
  const barrier = phaseBarrier(id, status, state);
  return {
    kind: "unit" as const,
    name,
    status,
    reasons: [...reasonsOf(id, status, graph), ...barrier],
    next: nextOf(status, unfinished, failedBehind(id, graph)),
    // Whether its check ran, its agent lives or its retries are used up is not in the document.
    // The machine knows nothing of phases.
    events: eventsOf(lines, judged).filter(
      ({ event }) => event !== "start" || barrier.length === 0,
    ),
  };
}

const judged = ["dependencies_met", "start", "unblock", "hand_complete", "retry"] as const;

function reasonsOf(id: string, status: UnitStatus, graph: Graph): Message[] {
  const unfinished = graph.unfinished(id);
  const named = (ids: readonly string[]): string =>
    ids.map((other) => `${other} (${graph.status(other)})`).join(", ");
  if (status === "blocked") {
    const dead = unfinished.filter((other) => isDead(graph.status(other)));
    return [msg("unit.blocked_by", { ids: named(dead) })];
  }
  if (status === "failed") return [msg("why.unit.failed")];
  return status === "pending" && unfinished.length > 0
    ? [msg("unit.waits_for", { ids: named(unfinished) })]
    : [];
}

/** Phases are a barrier, not edges (S2.6). */
function phaseBarrier(id: string, status: UnitStatus, { execution }: OrchestrateState): Message[] {
  const current = execution.current_phase;
  const phase = parseUnitId(id)?.phase ?? current;
  const open = status === "pending" || status === "ready";
  return open && phase > current ? [msg("why.unit.phase", { phase, current })] : [];
}

function nextOf(
  status: UnitStatus,
  unfinished: readonly string[],
  failed: readonly string[],
): Message[] {
  if (status === "completed") return [msg("why.done")];
  if (status === "in_progress") return [msg("why.unit.at_work")];
  if (status === "failed") return [msg("why.unit.retry")];
  if (status === "blocked") return [msg("why.unit.clear", { ids: failed.join(", ") })];
  if (status === "pending" && unfinished.length > 0)
    return [msg("why.when_completed", { ids: unfinished.join(", ") })];
  return [msg("why.may_start")];
}

/** The failures at the root of it, however long the chain (S2.2). */
function failedBehind(id: string, graph: Graph): string[] {
  const failed = new Set<string>();
  const seen = new Set([id]);
  const queue = [id];
  for (let unit = queue.pop(); unit !== undefined; unit = queue.pop())
    for (const other of graph.unfinished(unit)) {
      if (seen.has(other)) continue;
      seen.add(other);
      if (graph.status(other) === "failed") failed.add(other);
      else if (graph.status(other) === "blocked") queue.push(other);
    }
  return [...failed];
}

function isDead(status: UnitStatus): boolean {
  return status === "failed" || status === "blocked";
}
