// Where the lists of tasks lie. Apart from task-list.ts: whoever only looks for them needs none of its
// patterns, which take some ms to make.

/** Where a plan is looked for, in this order (S2.4). */
export const taskListPaths = [
  "docs/planning/06-tasks.md",
  "docs/planning/TASKS.md",
  "TASKS.md",
] as const;

/** Is it a plan by its name? In any folder: a person may keep several. */
export function isTaskListPath(path: string): boolean {
  return /(?:^|[\\/])(?:06-tasks|TASKS)\.md$/.test(path);
}
