// A real repository with a plan, and agents that do what the test says.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Project, project } from "./world.ts";

export interface Attempt {
  readonly write?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
  /** For Node, where the agent works. */
  readonly run?: readonly string[];
  /** What else stands in the form it fills in. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** What it writes where it fills in no form. */
  readonly text?: string;
  readonly fail?: string;
  readonly crash?: string;
  readonly limit?: number;
  readonly sleep?: number;
  /** A variable without which it does nothing but ask for it. */
  readonly need?: string;
}

/** Where a list of tasks and its agent are not what is tested. */
export interface Others {
  /** The agent, seen from here. */
  readonly program?: string;
  /** That are committed before anything begins. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface Repository extends Project {
  readonly git: (...words: string[]) => string;
  /** The words that let an agent work that follows the course. */
  readonly agent: string[];
  /** The words that carry the plan out with it. */
  readonly run: string[];
  /** What agents do from now on, where that is known only with the repository there. */
  readonly course: (units: Readonly<Record<string, readonly Attempt[]>>) => void;
  /** Conversations by unit. */
  readonly conversations: () => Map<string, number>;
  /** What a unit was told in its n-th conversation. */
  readonly prompt: (unit: string, attempt: number) => string;
  /** What is left of trees: worktrees, clones. */
  readonly trees: () => string[];
}

export function repository(
  plan: string | undefined,
  units: Readonly<Record<string, readonly Attempt[]>> = {},
  settings?: string,
  { program = "unit-agent.mjs", files = {} }: Others = {},
): Repository {
  const made = project(plan);
  rmSync(join(made.project, ".git"), { recursive: true });
  const git = (...words: string[]): string => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: made.folder, GIT_CONFIG_NOSYSTEM: "1" };
    const { status, stdout, stderr } = spawnSync("git", words, {
      cwd: made.project,
      env,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`);
    return stdout.trim();
  };
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@localhost");
  git("config", "core.quotePath", "false");
  if (settings !== undefined) made.write("holdfast.yaml", settings);
  for (const [path, text] of Object.entries(files)) made.write(path, text);
  git("add", "-A");
  git("commit", "-q", "--allow-empty", "-m", "begin");
  const log = join(made.folder, "conversations.log");
  const course = join(made.folder, "course.json");
  writeFileSync(log, "");
  const set: Repository["course"] = (given) =>
    writeFileSync(course, JSON.stringify({ log, units: given }));
  set(units);
  const agent = resolve(import.meta.dirname, program);
  const words = ["--agent", `command:${process.execPath} ${agent} ${course}`];
  return {
    ...made,
    git,
    agent: words,
    run: ["orchestrate", ...words],
    course: set,
    prompt: (unit, attempt) => readFileSync(`${log}.${unit}.${attempt}`, "utf8"),
    conversations: () => {
      const lines = new Set(readFileSync(log, "utf8").split("\n").slice(0, -1));
      const counts = new Map<string, number>();
      for (const line of lines) {
        const [unit = ""] = line.split(" ");
        counts.set(unit, (counts.get(unit) ?? 0) + 1);
      }
      return counts;
    },
    trees: () => [
      ...git("worktree", "list", "--porcelain")
        .split("\n")
        .filter((line) => line.startsWith("worktree "))
        .slice(1),
      ...["worktree"].filter((name) => existsSync(join(made.project, name))),
      ...["workspaces", "trees"].flatMap((name) => {
        const folder = join(made.home, name);
        return existsSync(folder) ? readdirSync(folder) : [];
      }),
    ],
  };
}
