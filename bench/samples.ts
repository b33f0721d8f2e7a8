// Documents and rows of any number, always the same.
import type { OrchestrateState } from "../src/formats/orchestrate-state.ts";
import type { TaskRow } from "../src/store/database/store.ts";

const at = "2026-01-02T03:04:05.678Z";

/** Phases of 500 tasks; each task needs up to three of the ones before it. */
export function makeState(size: number): OrchestrateState {
  const ids = Array.from({ length: size }, (_, n) => `T${Math.floor(n / 500)}.${(n % 500) + 1}`);
  const dependencies: Record<string, string[]> = {};
  const tasks: OrchestrateState["tasks"] = {
    pending: [],
    ready: [],
    in_progress: [],
    completed: [],
    failed: [],
    blocked: [],
  };
  ids.forEach((id, n) => {
    const needed = [n - 1, n - 7, n - 31].filter((other) => other >= 0 && (n * 7 + other) % 3 > 0);
    if (needed.length > 0) dependencies[id] = needed.map((other) => ids[other] ?? "");
    const list = n < size / 2 ? "completed" : n < size / 2 + 20 ? "in_progress" : "pending";
    tasks[list].push(id);
  });
  const now = "2026-01-21T09:00:00Z";
  const first = Math.min(500, size / 2);
  return {
    version: "2.0",
    mode: "ultra-thin",
    project: "bench",
    execution: { current_phase: 3, worktree: null, started_at: now, last_updated: now },
    tasks,
    dependencies,
    checkpoints: { phase_0: { completed_at: now, tasks_count: first, tasks: ids.slice(0, first) } },
    metrics: {
      total_tasks: size,
      completed_count: size / 2,
      failed_count: 0,
      average_task_time_seconds: 12.5,
    },
    config: { max_parallel: 0, retry_limit: 10, slack_webhook_url: null },
  };
}

/** Of the project "p", not stored yet. */
export function makeTask(n: number): TaskRow {
  return {
    id: `task_${String(n).padStart(16, "0")}`,
    projectId: "p",
    workflow: "create_app",
    status: "pending",
    priority: n % 4,
    queuedAt: 1_767_000_000_000 + n,
    archived: false,
    retryOf: null,
    rev: 0,
    data: {
      title: "할 일 목록 앱 만들기",
      description: "A to-do list with accounts, sharing and reminders, in Korean and English.",
      currentPhase: 2,
      totalPhases: 4,
      progress: 37,
      attempts: [{ phase: 1, reworks: 0 }],
    },
    createdAt: at,
    updatedAt: at,
  };
}

export function makeTasks(size: number): TaskRow[] {
  return Array.from({ length: size }, (_, n) => makeTask(n));
}
