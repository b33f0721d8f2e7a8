// Where the states lie that a call looks for first, in a file of their own: most calls find them, or not,
// before they load anything of a format (docs/adr/0010).

export const places = {
  "develop-state": ".develop-workflow/state.yaml",
  "orchestrate-state": ".claude/orchestrate-state.json",
  "task-state": ".claude/memory/task-state.json",
} as const;

/** JSON states that a look reads: for these a yes or no is compiled (sound.ts). */
export const soundNames = [
  "orchestrate-state",
  "task-state",
  "request-state",
  "request-session",
] as const;
export type SoundName = (typeof soundNames)[number];
