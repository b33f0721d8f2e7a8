// The memory of `plan`: what was done, what was learnt, what agents keep for each other.
import type { PlanTask } from "../../formats/task-state.ts";
import { type Part, entry, plainly } from "./_entry.ts";
import type { Readers } from "./documents.ts";

export const memoryReaders: Readers = {
  "task-state": ({ current_task: current, pending_tasks: pending, last_updated: at }) =>
    [...(current ? [current] : []), ...pending].flatMap((task) => ofPlan(task, at)),
  "task-history": ({ tasks }) =>
    tasks.flatMap(({ id, name, result, completed_at: at, summary, artifacts, lessons = [] }) => [
      entry(id, "memory", at, name, result, summary, artifacts),
      ...lessons.map((lesson, place) => entry(`${id} lesson ${place}`, "memory", at, name, lesson)),
    ]),
  "shared-context": ({ shared_data: data, preferences, last_updated: at }) => [
    ...ofMap("shared", data, at),
    ...ofMap("preference", preferences, at),
  ],
  "agent-memory": ({ agent, preferences, cache, last_updated: at }) => [
    ...ofMap(`${agent} preference`, preferences, at),
    ...ofMap(`${agent} cache`, cache, at),
  ],
};

// --- internal ---

function ofPlan(task: PlanTask, at: string): Part[] {
  const { id, name, plan, context, issues = [] } = task;
  const { goal, success_criteria: criteria, steps } = plan;
  const { user_request: request, constraints, resources } = context;
  return [
    entry(id, "memory", at, name, goal, request, criteria, constraints, resources),
    ...steps.map((step) =>
      entry(
        `${id} step ${step.id}`,
        "unit",
        step.completed_at ?? step.started_at ?? at,
        step.name,
        step.agent,
        step.output,
        step.error?.message,
      ),
    ),
    ...issues.map(({ message, resolution, resolved_at: solved }, place) =>
      entry(`${id} issue ${place}`, "memory", solved ?? at, name, message, resolution),
    ),
  ];
}

function ofMap(of: string, map: Readonly<Record<string, unknown>>, at: string): Part[] {
  return Object.entries(map)
    .filter(([, value]) => plainly(value) !== "")
    .map(([name, value]) => entry(`${of} ${name}`, "memory", at, `${of}: ${name}`, value));
}
