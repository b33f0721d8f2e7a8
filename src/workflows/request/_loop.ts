// The task loop: which task and subtask is next, and the end of the request.
import { type Focus, nextSubtask, unfinishedTasks } from "./board.ts";
import { withPitfalls } from "./learn.ts";
import type { Working } from "./_working.ts";

/** The first task that is not completed becomes the current one; without any the request ends. */
export function nextTask(working: Working): void {
  const [id] = unfinishedTasks(working.state);
  if (id === undefined) return finish(working);
  const planned = working.board.breakdown?.tasks.find((task) => task.id === id);
  const { tasks } = working.state;
  const had = tasks[id];
  const order = planned?.subtasks.map((subtask) => subtask.id) ?? had?.subtask_order ?? [];
  working.setTasks({
    ...tasks,
    [id]: {
      name: planned?.name ?? had?.name ?? id,
      status: "in_progress",
      // Designed first.
      current_subtask: null,
      subtasks: had?.subtasks ?? {},
      subtask_order: order,
      created_at: had?.created_at ?? working.now,
      updated_at: working.now,
    },
  });
  working.setRequest({ current_task: id });
}

/** The task has its design: on with the first subtask that is not completed. */
export function nextSubtaskOf(working: Working, task: string): void {
  const entry = working.state.tasks[task];
  if (entry === undefined) return;
  const id = nextSubtask(entry);
  if (id === undefined) {
    working.setTask(task, { status: "completed" });
    return nextTask(working);
  }
  const planned = working.board.breakdown?.tasks
    .find((each) => each.id === task)
    ?.subtasks.find((each) => each.id === id);
  const had = entry.subtasks[id];
  const begun = {
    name: planned?.name ?? had?.name ?? id,
    status: "in_progress" as const,
    phase: had?.phase ?? ("test_first" as const),
    gates: had?.gates ?? {},
  };
  working.setTask(task, {
    current_subtask: id,
    subtasks: { ...entry.subtasks, [id]: begun },
  });
}

export function completeSubtask(working: Working, { task, subtask }: Focus): void {
  if (subtask === null) return;
  working.setSubtask(task, subtask, { status: "completed" });
  const { run, now } = working;
  const work = working.workOf(subtask);
  working.learn((known) => withPitfalls(known, subtask, work, run.language, now));
  nextSubtaskOf(working, task);
}

/** Where a branch was worked on, it is landed first. */
export function finish(working: Working): void {
  const { branch, landed } = working.run;
  if (branch !== null && !landed) return;
  working.move("finish", {});
  working.answer = { kind: "finished" };
}
