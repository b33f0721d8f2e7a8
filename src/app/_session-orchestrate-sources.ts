// What an orchestrate run is told by files that people write: its plan (S2.4) and the project's
// settings. Both are read when they changed; what was read is kept with the run, so that a report on
// one of 10,000 tasks parses neither.
import { join } from "node:path";
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import type { TaskList, TaskListProblem } from "../formats/task-list.ts";
import type { EntityRow } from "../store/database/store.ts";
import { realDisk } from "../store/disk.ts";
import type { Rules } from "../workflows/orchestrate/next.ts";
import { type PlanFacts, factsOf, hasPlan } from "../workflows/orchestrate/plan.ts";
import type { OrchestrateState } from "../formats/orchestrate-state.ts";
import { readSettings } from "./_settings.ts";

/** As it is kept with the run. */
export interface Sources {
  /** What the settings say that a run asks for. */
  readonly settings: {
    readonly stamp: string;
    readonly tasks: string | null;
    readonly mode: OrchestrateState["mode"] | null;
    readonly test: string | null;
    readonly build: string | null;
    /** Of the tree of each unit; a run of an older version does not have them. */
    readonly setup?: string | null;
    readonly trees?: "clones" | "shared";
  } & Rules;
  readonly plan: { readonly path: string; readonly stamp: string } | null;
  readonly facts: PlanFacts | null;
}

export interface Looked {
  readonly sources: Sources;
  /** Where it had to be read: it is new, or was changed. */
  readonly plan?: ReadPlan;
  /** Why the plan can not be followed as it is now. */
  readonly problem?: TaskListProblem & { readonly path: string };
  readonly changed: boolean;
  /** Where it is stored. */
  readonly row?: EntityRow | undefined;
  /** Without its state: whether that has all of the plan is asked by who takes the step. */
  readonly unread?: true;
}

export interface ReadPlan {
  readonly path: string;
  readonly text: string;
  readonly list: TaskList;
}

/** `whole`: the plan is wanted, whether or not it changed. */
export async function lookAtSources(
  root: string,
  known: Sources | undefined,
  whole = false,
): Promise<Looked> {
  const settings = await settingsOf(root, known);
  const found = await findPlan(root, settings.tasks);
  // Without a plan that can be read, what was known stays good for what is under way.
  if (found === undefined) {
    const { tasksNotFound } = await import("../formats/task-list.ts");
    const paths = settings.tasks === null ? undefined : [settings.tasks];
    const sources = { settings, plan: known?.plan ?? null, facts: known?.facts ?? null };
    const problem = { ...tasksNotFound(paths), path: settings.tasks ?? "TASKS.md" };
    return { sources, problem, changed: !isSame(sources, known) };
  }
  const same = known?.plan?.path === found.path && known.plan.stamp === found.stamp;
  if (same && !whole) {
    const sources = { ...known, settings };
    return { sources, changed: !isSame(sources, known) };
  }
  const plan = await readPlan(root, found.path);
  const [problem] = plan.list.problems;
  if (problem)
    return {
      sources: { settings, plan: known?.plan ?? null, facts: known?.facts ?? null },
      plan,
      problem: { ...problem, path: found.path },
      changed: false,
    };
  const sources = { settings, plan: found, facts: factsOf(plan.list) };
  return { sources, plan, changed: !same };
}

/** A run whose plan is spoiled, or gone, begins nothing; one that never had any goes by its state. */
export function lostPlan({ problem, plan, sources }: Looked): Looked["problem"] {
  return plan !== undefined || sources.plan !== null ? problem : undefined;
}

/** A version that was put back may lack what the plan had brought: then that is read. */
export function lacksPlan(state: OrchestrateState, { sources, plan }: Looked): boolean {
  return sources.facts !== null && plan === undefined && !hasPlan(state, sources.facts);
}

export async function readPlan(root: string, path: string): Promise<ReadPlan> {
  const { maxTaskListBytes, parseTaskList } = await import("../formats/task-list.ts");
  const bytes = realDisk.read(join(root, path), maxTaskListBytes);
  if (bytes === null) throw new Fault("not_found", msg("file.not_found", { path }));
  const text = Buffer.from(bytes).toString("utf8");
  return { path, text, list: parseTaskList(text) };
}

// --- internal ---

/** As the server has it. */
const usualSlots = 4;

function isSame(one: Sources, other: Sources | undefined): boolean {
  return (
    one.settings === other?.settings && one.plan?.stamp === other.plan?.stamp && other !== undefined
  );
}

async function settingsOf(root: string, known: Sources | undefined): Promise<Sources["settings"]> {
  const path = join(root, "holdfast.yaml");
  const stamp = stampOf(path) ?? "";
  if (known?.settings.stamp === stamp) return known.settings;
  const read = stamp === "" ? undefined : await readSettings(path);
  const { orchestrate, commands, slots, setup } = read ?? {};
  return {
    stamp,
    tasks: orchestrate?.tasks ?? null,
    mode: orchestrate?.mode ?? null,
    test: commands?.test ?? null,
    build: commands?.build ?? null,
    setup: setup ?? null,
    trees: orchestrate?.trees ?? "clones",
    slots: slots ?? usualSlots,
    failedPhase: orchestrate?.failed_phase ?? "ask",
  };
}

async function findPlan(
  root: string,
  named: string | null,
): Promise<{ path: string; stamp: string } | undefined> {
  for (const path of named === null ? usualPlans : [named]) {
    const stamp = stampOf(join(root, path));
    if (stamp !== undefined) return { path, stamp };
  }
  return undefined;
}

/** As in formats/task-list.ts, which is loaded only to read one. */
const usualPlans = ["docs/planning/06-tasks.md", "docs/planning/TASKS.md", "TASKS.md"] as const;

function stampOf(path: string): string | undefined {
  const found = realDisk.stamp(path);
  return found === null ? undefined : `${found.inode} ${found.size} ${found.modified}`;
}
