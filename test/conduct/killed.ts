// A run that is killed at its boundaries (boundaries.cjs) and resumed by a person, until it is over; and
// what is there then, without what differs each time.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "../../src/engine/state.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { full, seeded } from "../crash/programs.ts";
import { followed } from "../orchestrate/carried.ts";
import type { Repository } from "../orchestrate/repository.ts";

export interface Story {
  readonly workflow: "plan" | "request" | "orchestrate";
  /** The words that begin it, and those that go on. */
  readonly begin: readonly string[];
  readonly resume: readonly string[];
}

export interface Told {
  /** All that it said, over all of its lives. */
  readonly said: string[];
  readonly kills: number;
  /** Boundaries that were met. */
  readonly met: number;
}

/** Some of the first so many, the same each time; with HOLDFAST_FULL=1 every one there is. */
export function someOf(few: number, first: number, seed: number): string {
  const random = seeded(seed);
  const some = new Set<number>();
  while (some.size < few) some.add(1 + random(first));
  return full ? "all" : [...some].join(",");
}

/** `kills`: `all`, `3,17`, or none at all. */
export async function killedAt(
  made: Repository,
  { workflow, begin, resume }: Story,
  kills: string,
  look: () => void,
): Promise<Told> {
  const file = join(made.folder, "boundaries");
  const said: string[] = [];
  for (let count = 0; ; count++) {
    const run = (await tasksOf(made)).find((task) => task.workflow === workflow);
    const over = run?.status === "completed" || run?.status === "failed";
    const met = () => readFileSync(file, "utf8").split("\n").length - 1;
    if (over) return { said, kills: count, met: met() };
    const words = run === undefined ? begin : resume;
    const env = { BOUNDARIES: file, KILLS: kills };
    const node = ["--require", join(import.meta.dirname, "boundaries.cjs")];
    const { code, lines } = await followed(made, words, look, undefined, { node, env });
    said.push(...lines);
    if (code === 0) return { said, kills: count, met: met() };
    // It dies where it is told to, and nowhere else.
    if (code !== null) throw new Error(`exit code ${code} after ${count}: ${lines.join("\n")}`);
    if (count > mostKills) throw new Error(`no end: ${readFileSync(file, "utf8").slice(-2_000)}`);
  }
}

/** By name, so that what differs can be counted. */
export type Ending = Readonly<Record<string, unknown>>;

/** What a killed run must have in common with one that nobody killed. */
export async function endingOf(made: Repository, folder: string): Promise<Ending> {
  const tasks = await tasksOf(made);
  const conversations = readFileSync(join(made.folder, "conversations.log"), "utf8");
  const lines = conversations.split("\n").slice(0, -1);
  return {
    ...documents(made, folder),
    tasks: tasks.map(({ status, data }) => `${data.order?.key ?? "run"} ${status}`).toSorted(),
    // Each agent lives on when who watches it dies: one that was started twice stands here twice.
    conversations: lines.map((line) => line.replace(/ .*/, "")).toSorted(),
    twice: lines.filter((line, place) => lines.indexOf(line) !== place),
    files: made.git("rev-parse", "HEAD^{tree}"),
    subjects: made.git("log", "--format=%s").split("\n").toSorted(),
    status: made.git("status", "--porcelain", "--", ".", ":!.claude"),
    refs: made.git("for-each-ref", "--format=%(refname)").replaceAll(/\/task_\w+/g, "/#"),
    // Of attempts that failed the snapshots stay, as of any task that ended.
    trees: made.trees().map((name) => name.replace(/task_\w+/, "#")),
    locks: locksBelow(made.folder),
    processes: processesOf(made.folder),
  };
}

/** Whoever serves this home next clears away what the last kill left. */
export async function served(made: Repository, trees: number): Promise<void> {
  const { openServing } = await import("../../src/app/serving.ts");
  const env = { ...made.env, PATH: process.env["PATH"] };
  const serving = await openServing({ cwd: made.project, env, tell: () => undefined });
  await serving.start();
  const { until } = await import("../crash/programs.ts");
  await until("its trees are gone", () => made.trees().length <= trees);
  await until("its processes are gone", () => processesOf(made.folder).length === 0);
  await serving.stop();
}

/** The names of those that differ. */
export function differences(found: Ending, wanted: Ending): string[] {
  const names = new Set([...Object.keys(found), ...Object.keys(wanted)]);
  return [...names].filter((name) => JSON.stringify(found[name]) !== JSON.stringify(wanted[name]));
}

/** What must not be there at the end, whoever was killed. */
export function leftIn(ending: Ending): string[] {
  const wrong = ["twice", "locks", "processes"].filter(
    (name) => (ending[name] as unknown[]).length > 0,
  );
  return wrong.map((name) => `${name}: ${JSON.stringify(ending[name])}`);
}

// --- internal ---

const mostKills = 3_000;

export async function tasksOf({ home }: Repository): Promise<Task[]> {
  const file = join(home, "holdfast.db");
  if (!existsSync(file)) return [];
  const store = await openSqlite(file);
  const tasks = (await store.tasks()) as Task[];
  await store.close();
  return tasks;
}

/** Their text without places, times, ids and how long something took. */
function documents({ project }: Repository, below: string): Record<string, string> {
  const folder = join(project, below);
  const found: Record<string, string> = {};
  for (const path of filesBelow(folder)) {
    const place = path.slice(folder.length + 1).replace(/[0-9a-f]{8}/, "#");
    if (/^backup\/|\.bak$/.test(place)) continue;
    found[place] = readFileSync(path, "utf8")
      .replaceAll(project, "<project>")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, "<time>")
      .replaceAll(/\b[0-9a-f]{7,40}\b/g, "<id>")
      .replaceAll(/("[\w]*(?:duration|seconds|minutes)[\w]*": )[\d.]+/g, "$1<long>");
  }
  return found;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

function locksBelow(folder: string): string[] {
  return (
    filesBelow(folder)
      .filter((path) => /\.(?:lock|own|tmp)$/.test(path))
      // Half a copy goes with one that is made a minute later: whose it is nobody can tell before.
      .filter((path) => !/\/backup\/(?:agents\/)?\.\w+\.tmp$/.test(path))
      .map((path) => path.slice(folder.length + 1))
  );
}

/** Whoever has the folder in its environment: agents, their holders, git. */
export function processesOf(folder: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, "latin1").includes(folder);
    } catch {
      return false;
    }
  });
}
