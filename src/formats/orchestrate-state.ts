// `.claude/orchestrate-state.json`, version 2.0: the lists of an orchestrate run (S2.1–S2.3).
// Fields a person added survive our writes; the webhook address is a secret wherever it goes.
import { z } from "zod";
import { msg } from "../core/messages.ts";
import { type UnitStatus, orchestrateModes, unitStatuses } from "../core/vocabulary.ts";
import {
  type Finding,
  type Format,
  error,
  jsonLimit,
  mostFindings,
  notice,
  pointerTo,
} from "./format.ts";
import { upgradeOrchestrateState } from "./_orchestrate-upgrade.ts";
import { type DependencyNode, dependencyFindings } from "./_dependencies.ts";
import { places } from "./places.ts";
import { count, filled, text, time } from "./shapes.ts";

const unitIds = () => z.array(text("unitId"));

export const schema = () =>
  z.looseObject({
    version: z.literal("2.0"),
    mode: z.enum(orchestrateModes),
    project: filled().describe("TASKS.md's title, else the folder's name."),
    execution: z.looseObject({
      current_phase: count(),
      worktree: z.string().nullable(),
      started_at: time(),
      last_updated: time(),
    }),
    tasks: z.looseObject({
      pending: unitIds(),
      ready: unitIds(),
      in_progress: unitIds(),
      completed: unitIds(),
      failed: unitIds(),
      blocked: unitIds(),
    }),
    dependencies: z.record(text("unitId"), unitIds()),
    checkpoints: z.record(
      text("phaseKey"),
      z.looseObject({
        started_at: time().optional(),
        completed_at: time().optional(),
        progress: text("fraction").optional(),
        tasks_count: count().optional(),
        tasks: unitIds().optional(),
        merged: z.boolean().optional(),
        merge_commit: text("commit").optional(),
      }),
    ),
    metrics: z.looseObject({
      total_tasks: count(),
      completed_count: count(),
      failed_count: count(),
      average_task_time_seconds: z.number().min(0),
    }),
    config: z.looseObject({
      max_parallel: count().describe("0: as many as there are slots."),
      retry_limit: count(),
      slack_webhook_url: text("webhook").nullable(),
    }),
  });

export type OrchestrateState = z.infer<ReturnType<typeof schema>>;

export const orchestrateState: Format<OrchestrateState> = {
  name: "orchestrate-state",
  title: msg("format.title.orchestrate-state"),
  syntax: "json",
  path: places["orchestrate-state"],
  open: true,
  version: "2.0",
  maxBytes: jsonLimit,
  // The others are where 1.x files had it.
  secrets: [
    "/config/slack_webhook_url",
    "/config/slackWebhookUrl",
    "/slack_webhook_url",
    "/slackWebhookUrl",
  ],
  rules: listsAndDependencies,
  personMay: (pointer, before, after) =>
    /^\/(?:config|mode|project|execution\/last_updated)/.test(pointer) ||
    (pointer.startsWith("/tasks/") && onlyCompletedByHand(before, after)),
  notByHand: (pointer) =>
    pointer.startsWith("/tasks/") ? msg("foreign.tasks_not_by_hand") : undefined,
  upgrade: upgradeOrchestrateState,
};

// --- internal ---

/** The seed's own recipe: failed → completed, and nothing else moved (S2.8). */
function onlyCompletedByHand(before: OrchestrateState, after: OrchestrateState): boolean {
  // Places, not ids: the seed's own example has one task in two lists.
  const placesOf = ({ tasks }: OrchestrateState): string[] =>
    unitStatuses.flatMap((list) => tasks[list].map((id) => `${list} ${id}`));
  const [was, is] = [new Set(placesOf(before)), new Set(placesOf(after))];
  if (was.size !== is.size) return false;
  return [...was].every((place) => {
    const [list, id] = place.split(" ");
    const completed = `completed ${id}`;
    return is.has(place) || (list === "failed" && is.has(completed) && !was.has(completed));
  });
}

function listsAndDependencies(state: OrchestrateState): Finding[] {
  const { units, findings } = unitsOf(state);
  return [...findings, ...dependenciesFit(units, state.dependencies)];
}

/** Every unit the file names, and a notice for each that stands in a second list. */
function unitsOf({ tasks, checkpoints }: OrchestrateState): {
  readonly units: ReadonlySet<string>;
  readonly findings: Finding[];
} {
  const listOf = new Map<string, UnitStatus>();
  const findings: Finding[] = [];
  for (const list of unitStatuses)
    for (const [index, id] of tasks[list].entries()) {
      const other = listOf.get(id);
      if (other === undefined) listOf.set(id, list);
      else if (findings.length < mostFindings) findings.push(twice(id, list, index, other));
    }
  const units = new Set(listOf.keys());
  // A finished phase's tasks count as completed, whether or not a list names them (S2.2).
  for (const phase of Object.values(checkpoints)) for (const id of phase.tasks ?? []) units.add(id);
  return { units, findings };
}

/** A task stands in one list; the next update repairs it, the furthest along wins (S2.2). */
function twice(id: string, list: UnitStatus, index: number, other: UnitStatus): Finding {
  return notice(pointerTo("tasks", list, index), msg("format.rule.two_lists", { id, list, other }));
}

function dependenciesFit(
  known: ReadonlySet<string>,
  dependencies: OrchestrateState["dependencies"],
): Finding[] {
  const named = Object.keys(dependencies);
  const nodes: DependencyNode[] = named.map((id) => ({ id, dependencies: dependencies[id] ?? [] }));
  for (const id of known)
    if (!Object.hasOwn(dependencies, id)) nodes.push({ id, dependencies: [] });
  const findings = dependencyFindings(nodes, (index, dependency) =>
    pointerTo(
      "dependencies",
      named[index] ?? "",
      ...(dependency === undefined ? [] : [dependency]),
    ),
  ).map(({ pointer, text: said }) => error(pointer, said));
  const strangers = named.filter((id) => !known.has(id));
  return [
    ...findings,
    ...strangers.map((id) =>
      notice(pointerTo("dependencies", id), msg("format.rule.stranger", { id })),
    ),
  ];
}
