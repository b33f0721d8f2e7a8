// A person with a repository of their own, in which a run works beside them.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Ended, cli } from "../cli/program.ts";
import { type Attempt, type Repository, repository } from "../orchestrate/repository.ts";
import type { Moment, Scene } from "./scene.ts";

export interface Person extends Repository {
  /** A git of theirs that may fail. */
  readonly try: (...words: string[]) => Ended;
  /** In another folder than the project. */
  readonly gitIn: (folder: string, ...words: string[]) => string;
  readonly at: (path: string) => string;
  /** Everything they have becomes a commit. */
  readonly commit: (files: Readonly<Record<string, string>>, message?: string) => void;
  /** What a program of theirs sees. */
  readonly around: { readonly cwd: string; readonly env: Record<string, string> };
  /** Begins a call of Holdfast's. */
  readonly words: (...words: string[]) => string[];
}

export const plan = `# Shop
## Phase 1: Core
- [ ] T1.1: model
- [ ] T1.2: pages
  - depends: T1.1
## Phase 2: More
- [ ] T2.1: launch
`;

/** Phase 0 is worked on where the project is. */
export const planWithBase = `# Shop
- [ ] T0.1: base
- [ ] T0.2: more of it
  - depends: T0.1
## Phase 1: Core
- [ ] T1.1: model
`;

/** Somebody has this branch, and something on it. */
export const other = ({ git, commit }: Person): void => {
  git("checkout", "-q", "-b", "other");
  commit({ "other.txt": "other\n" });
  git("checkout", "-q", "main");
};

const gate = join(import.meta.dirname, "gate.mjs");

export function person(scene: Scene): Person {
  const { files = {}, settings = "" } = scene;
  const list = scene.plan ?? plan;
  const made = repository(list, {}, undefined, { files: { "readme.md": "shop\n", ...files } });
  const has = scene.acts.some(({ at }) => at.startsWith("gate ")) || scene.gate === true;
  const commands = has
    ? `commands:\n  build: '"${process.execPath}" "${gate}" "${made.folder}"'\n`
    : "";
  const env = { ...made.env, HOME: made.folder };
  const run = (folder: string, words: readonly string[]): Ended => {
    const { status, stdout, stderr } = spawnSync("git", words, {
      cwd: folder,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: made.folder,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_EDITOR: "true",
      },
      encoding: "utf8",
    });
    return { code: status, out: stdout, err: stderr };
  };
  const gitIn = (folder: string, ...words: string[]): string => {
    const { code, out, err } = run(folder, words);
    if (code !== 0) throw new Error(`git ${words.join(" ")}: ${out}${err}`);
    return out.trim();
  };
  const git = (...words: string[]): string => gitIn(made.project, ...words);
  made.write("holdfast.yaml", `version: 1\n${settings}${commands}`);
  git("add", "-A");
  git("commit", "-q", "-m", "settings");
  return {
    ...made,
    git,
    gitIn,
    try: (...words) => run(made.project, words),
    at: (path) => join(made.project, path),
    commit: (all, message = "by hand") => {
      for (const [path, text] of Object.entries(all)) made.write(path, text);
      git("add", "--", ...Object.keys(all));
      git("commit", "-q", "-m", message);
    },
    around: { cwd: made.project, env },
    words: (...words) => [cli, ...words],
  };
}

/** What each unit writes. */
export function filesOf(scene: Scene, unit: string): Readonly<Record<string, string>> {
  return scene.writes?.[unit] ?? { [`${unit}.txt`]: `${unit}\n` };
}

/** Agents that wait at the moments of the scene. */
export function courseOf({ folder }: Person, scene: Scene): Record<string, Attempt[]> {
  const course: Record<string, Attempt[]> = {};
  for (const unit of unitsIn(scene)) {
    const waits = scene.acts.some(({ at }) => itself(at) === unit);
    const [at, go] = [`at ${unit}`, `go ${unit}`].map((name) => JSON.stringify(join(folder, name)));
    const wait = `const fs = require("node:fs"); fs.writeFileSync(${at}, "");
      (function look() { if (!fs.existsSync(${go})) setTimeout(look, 20); })()`;
    course[unit] = [{ write: filesOf(scene, unit), ...(waits ? { run: ["-e", wait] } : {}) }];
  }
  return course;
}

/** Where nobody sits beside it, a unit that is about to begin has begun. */
export function itself(moment: Moment): string {
  return moment.replace(/^before /, "");
}

export function unitsIn(scene: Scene): string[] {
  return [...(scene.plan ?? plan).matchAll(/^- \[ \] ([\w.]+):/gm)].map(([, id = ""]) => id);
}
