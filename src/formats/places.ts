// Where the states lie that a call looks for first, in a file of their own: most calls find them, or not,
// before they load anything of a format.

export const places = {
  "develop-state": ".develop-workflow/state.yaml",
  "orchestrate-state": ".claude/orchestrate-state.json",
  "task-state": ".claude/memory/task-state.json",
} as const;
