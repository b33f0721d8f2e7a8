// What rows of planted vectors are made of (vectors.ts).
export interface Vector {
  readonly name: string;
  readonly group: Group;
  /** For plant.mjs. */
  readonly plant: readonly Step[];
  /** For a shell in the tree: with plain git it goes off. */
  readonly control: string;
}

export const groups = [
  "committed",
  "hooks",
  "config",
  "included",
  "worktree",
  "gitfile",
  "linked",
  "common",
  "tree",
] as const;
export type Group = (typeof groups)[number];

export type Step = readonly [what: string, ...words: string[]];

/** Leaves its name and passes its input on, as a filter has to. */
export function trapText(canary: string, name: string): string {
  return `#!/bin/sh\n: > '${canary}/${name}'\ntimeout 0.2 cat\nexit 0\n`;
}

/** `section.a name.key`, as a line or two of a configuration. */
export function setting(name: string, value: string): string {
  const [first, last] = [name.indexOf("."), name.lastIndexOf(".")];
  const sub = first === last ? "" : ` "${name.slice(first + 1, last)}"`;
  const text = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  return `[${name.slice(0, first)}${sub}]\n\t${name.slice(last + 1)} = "${text}"\n`;
}

export type Trap = (name: string) => string;

export const configured = (name: string, value: string): Step => [
  "append",
  ".git/config",
  setting(name, value),
];
