// design-brief.yaml, written by the engine from the breakdown (S4.2b): what a task is for, where it
// ends, and which explored files it speaks of.
import { type Language, msg, render } from "../../core/messages.ts";
import type { DesignBrief } from "../../formats/design-brief.ts";
import type { Explored } from "../../formats/explored.ts";
import type { TaskBreakdown } from "../../formats/task-breakdown.ts";
import { stemOf, tidy } from "./paths.ts";

export function briefOf(
  breakdown: TaskBreakdown,
  explored: Explored,
  task: string,
  language: Language,
  now: string,
): DesignBrief {
  const found = breakdown.tasks.find(({ id }) => id === task);
  const { name = task, objective = task, subtasks = [] } = found ?? {};
  const others = breakdown.tasks.filter(({ id }) => id !== task);
  return {
    version: 1,
    request_id: breakdown.request_id,
    task_id: task,
    created_at: now,
    created_by: "orchestrator",
    task_name: name,
    objective,
    subtasks: subtasks.map((subtask) => ({ id: subtask.id, name: subtask.name })),
    completion_criteria: [
      ...subtasks.map((subtask) => subtask.description.trim() || subtask.name),
      render(language, msg("request.brief.tests_pass")),
    ],
    scope_in: [objective, ...subtasks.map((subtask) => subtask.name)],
    // What another task is for is not this one's.
    scope_out: others.map((other) => `${other.id} ${other.name}: ${other.objective}`),
    file_refs: mentioned(
      [name, objective, ...subtasks.flatMap((each) => [each.name, each.description])].join("\n"),
      explored,
    ),
  };
}

// --- internal ---

/** Explored files that the task names: by their path, their name, or as a whole word. */
function mentioned(text: string, { explored_files: files }: Explored): DesignBrief["file_refs"] {
  const words = new Set(text.match(/[\p{L}\p{N}_.$/-]+/gu) ?? []);
  return files.flatMap(({ path }) => {
    const entity = stemOf(path);
    const named = text.includes(path) || (entity.length > 2 && words.has(entity));
    return named ? [{ entity, path: tidy(path), status: "exists" as const }] : [];
  });
}
