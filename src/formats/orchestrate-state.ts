// `.claude/orchestrate-state.json`, version 2.0: the lists of an orchestrate run (S2.1–S2.3).
// Fields a person added survive our writes; the webhook address is a secret wherever it goes.
import { z } from "zod";
import { msg } from "../core/messages.ts";
import { type Finding, type Format, error, jsonLimit, notice, pointerTo } from "./format.ts";
import { upgradeOrchestrateState } from "./_orchestrate-upgrade.ts";
import { dependencyFindings } from "./_dependencies.ts";
import { count, filled, text, time } from "./shapes.ts";

export const orchestrateModes = ["normal", "ultra-thin", "ralph"] as const;
/** In the order in which the file lists them. */
export const unitLists = [
  "pending",
  "ready",
  "in_progress",
  "completed",
  "failed",
  "blocked",
] as const;
export type UnitList = (typeof unitLists)[number];

const ids = () => z.array(text("unitId"));

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
      pending: ids(),
      ready: ids(),
      in_progress: ids(),
      completed: ids(),
      failed: ids(),
      blocked: ids(),
    }),
    dependencies: z.record(text("unitId"), ids()),
    checkpoints: z.record(
      text("phaseKey"),
      z.looseObject({
        started_at: time().optional(),
        completed_at: time().optional(),
        progress: text("fraction").optional(),
        tasks_count: count().optional(),
        tasks: ids().optional(),
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
  path: ".claude/orchestrate-state.json",
  open: true,
  version: "2.0",
  maxBytes: jsonLimit,
  secrets: ["/config/slack_webhook_url"],
  rules: (state) => [...oneListEach(state), ...dependenciesFit(state)],
  upgrade: upgradeOrchestrateState,
};

// --- internal ---

/** A task stands in one list; the next update repairs it, the furthest along wins (S2.2). */
function oneListEach({ tasks }: OrchestrateState): Finding[] {
  const first = new Map<string, UnitList>();
  const findings: Finding[] = [];
  for (const list of unitLists) {
    tasks[list].forEach((id, index) => {
      const other = first.get(id);
      if (other === undefined) first.set(id, list);
      else
        findings.push(
          notice(
            pointerTo("tasks", list, index),
            msg("format.rule.two_lists", { id, list, other }),
          ),
        );
    });
  }
  return findings;
}

function dependenciesFit({ tasks, checkpoints, dependencies }: OrchestrateState): Finding[] {
  const known = new Set<string>();
  for (const list of unitLists) for (const id of tasks[list]) known.add(id);
  // A finished phase's tasks count as completed, whether or not a list names them (S2.2).
  for (const phase of Object.values(checkpoints)) for (const id of phase.tasks ?? []) known.add(id);

  const named = Object.keys(dependencies);
  const nodes = named.map((id) => ({ id, dependencies: dependencies[id] ?? [] }));
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
