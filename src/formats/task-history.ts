// `.claude/memory/task-history.json`: ended plans, the newest 100; those older than 30 days as
// a summary without artifacts, metrics and lessons (S3.6). Statistics cover all that ever ended.
import { z } from "zod";
import { msg } from "../core/messages.ts";
import { type Finding, type Format, error, jsonLimit, notice, pointerTo } from "./format.ts";
import { artifact } from "./task-state.ts";
import { count, filled, text, texts, time } from "./shapes.ts";

export const planResults = ["success", "failure", "partial"] as const;
export const maxHistory = 100;

export const schema = () =>
  z.looseObject({
    version: z.literal("1.0"),
    tasks: z.array(
      z.looseObject({
        id: text("planTaskId"),
        name: filled(),
        result: z.enum(planResults),
        started_at: time(),
        completed_at: time(),
        duration_seconds: z.number().min(0),
        summary: z.string(),
        artifacts: z.array(artifact()).optional(),
        metrics: z
          .looseObject({
            steps_total: count(),
            steps_completed: count(),
            retries: count(),
            tokens_used: count(),
          })
          .optional(),
        lessons: texts().optional(),
      }),
    ),
    statistics: z.looseObject({
      total_tasks: count(),
      success_rate: z.number().min(0).max(1).describe("success ÷ all; partial counts half."),
      avg_duration_seconds: z.number().min(0),
    }),
  });

export type TaskHistory = z.infer<ReturnType<typeof schema>>;

export const taskHistory: Format<TaskHistory> = {
  name: "task-history",
  title: msg("format.title.task-history"),
  syntax: "json",
  path: ".claude/memory/task-history.json",
  open: true,
  version: "1.0",
  maxBytes: jsonLimit,
  rules: (history) => [...idsOnce(history), ...sizesFit(history)],
};

// --- internal ---

function idsOnce({ tasks }: TaskHistory): Finding[] {
  const seen = new Set<string>();
  return tasks.flatMap(({ id }, index) => {
    const twice = seen.has(id);
    seen.add(id);
    return twice
      ? [error(pointerTo("tasks", index, "id"), msg("format.rule.same_id", { id }))]
      : [];
  });
}

function sizesFit({ tasks, statistics }: TaskHistory): Finding[] {
  const total = statistics.total_tasks;
  const findings: Finding[] = [];
  if (tasks.length > maxHistory)
    findings.push(
      notice("/tasks", msg("format.rule.history_long", { count: tasks.length, max: maxHistory })),
    );
  if (total < tasks.length)
    findings.push(
      notice(
        "/statistics/total_tasks",
        msg("format.rule.total_low", { total, count: tasks.length }),
      ),
    );
  return findings;
}
