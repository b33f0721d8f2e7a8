// `.claude/memory/task-state.json`: the one current plan and those that wait (S3.1–S3.3).
import { z } from "zod";
import { msg } from "../core/messages.ts";
import { failureTypes, planStepStatuses, planTaskStatuses } from "../core/vocabulary.ts";
import { type Finding, type Format, error, jsonLimit, pointerTo } from "./format.ts";
import { dependencyFindings } from "./_dependencies.ts";
import { places } from "./places.ts";
import { count, filled, text, texts, time } from "./shapes.ts";

export const artifact = () =>
  z.looseObject({
    type: z.enum(["file", "data"]),
    path: z.string(),
    description: z.string().optional(),
  });

const issue = () =>
  z.looseObject({
    step_id: count().optional(),
    type: z.enum(failureTypes).optional(),
    message: z.string(),
    resolution: z.string().nullable().optional(),
    resolved: z.boolean().optional(),
    resolved_at: time().nullable().optional(),
  });

const stepError = () =>
  z.looseObject({
    type: z.enum(failureTypes),
    message: z.string(),
    timestamp: time(),
    retries: count(),
  });

const step = () =>
  z.looseObject({
    id: z.int().min(1),
    name: filled(),
    agent: filled(),
    cluster: z.string().nullable().optional(),
    status: z.enum(planStepStatuses),
    dependencies: z.array(z.int().min(1)),
    started_at: time().nullable(),
    completed_at: time().nullable(),
    output: z.unknown().describe("What the step produced; null until then."),
    error: stepError().nullable(),
  });

/** A new task holds little (the seed's own example): what is added later is optional. */
const planTask = () =>
  z.looseObject({
    id: text("planTaskId"),
    name: filled(),
    status: z.enum(planTaskStatuses),
    started_at: time().nullable(),
    updated_at: time().optional(),
    orchestrator: z.string().optional(),
    plan: z.looseObject({
      goal: z.string(),
      success_criteria: texts(),
      steps: z.array(step()),
      current_step: count().nullable().optional(),
    }),
    context: z.looseObject({
      user_request: z.string().optional(),
      constraints: z.array(z.unknown()).optional(),
      resources: z.array(z.unknown()).optional(),
    }),
    artifacts: z.array(artifact()).optional(),
    issues: z.array(issue()).optional(),
  });

export const schema = () =>
  z.looseObject({
    version: z.literal("1.0"),
    current_task: planTask().nullable(),
    pending_tasks: z.array(planTask()),
    last_updated: time(),
  });

export type TaskState = z.infer<ReturnType<typeof schema>>;
export type PlanTask = NonNullable<TaskState["current_task"]>;

export const taskState: Format<TaskState> = {
  name: "task-state",
  title: msg("format.title.task-state"),
  syntax: "json",
  path: places["task-state"],
  open: true,
  version: "1.0",
  maxBytes: jsonLimit,
  rules: (state) => [
    ...(state.current_task ? planFits(state.current_task, ["current_task"]) : []),
    ...state.pending_tasks.flatMap((task, index) => planFits(task, ["pending_tasks", index])),
    ...idsOnce(state),
  ],
};

// --- internal ---

function planFits(task: PlanTask, at: readonly (string | number)[]): Finding[] {
  const { steps, current_step: current } = task.plan;
  const nodes = steps.map(({ id, dependencies }) => ({
    id: String(id),
    dependencies: dependencies.map(String),
  }));
  const findings = dependencyFindings(nodes, (index, dependency) =>
    pointerTo(
      ...at,
      "plan",
      "steps",
      index,
      ...(dependency === undefined ? ["id"] : ["dependencies", dependency]),
    ),
  ).map(({ pointer, text: said }) => error(pointer, said));
  // 0 and null both say: no step yet.
  if (current && !steps.some(({ id }) => id === current)) {
    findings.push(
      error(
        pointerTo(...at, "plan", "current_step"),
        msg("format.rule.no_such_step", { step: current }),
      ),
    );
  }
  return findings;
}

function idsOnce({ current_task: current, pending_tasks: pending }: TaskState): Finding[] {
  const seen = new Set(current ? [current.id] : []);
  const findings: Finding[] = [];
  pending.forEach(({ id }, index) => {
    if (seen.has(id))
      findings.push(
        error(pointerTo("pending_tasks", index, "id"), msg("format.rule.same_id", { id })),
      );
    seen.add(id);
  });
  return findings;
}
