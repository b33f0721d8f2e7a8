// Where a session works on a unit (S2.6, S2.11): a clone of its own of its phase's branch, as an agent
// gets it that nobody sits beside. What was made there is merged when it is reported as done. Without
// git, or where the project says so, all work in the project's own folder.
import { agentEnvironment } from "../agents/environment.ts";
import { Fault } from "../core/errors.ts";
import { msg, render } from "../core/messages.ts";
import {
  branchesIn as branchesOf,
  lookBefore,
  mergeUnit,
  openBranch,
  openedBranches,
} from "../git/branches.ts";
import { runSetup } from "../engine/setup.ts";
import { readReady, requireThere } from "../git/made.ts";
import { type Refs, baseRefOf, refOf } from "../git/refs.ts";
import { type Taken, takeTree } from "../git/snapshot.ts";
import { type StandingTarget, lookAtRun } from "../git/target.ts";
import { bringUnit } from "../git/unit.ts";
import {
  type TaskPlaces,
  hasHistory,
  knownWorkspace,
  makeWorkspace,
  removeWorkspace,
  taskPlaces,
  workspaceOf,
} from "../git/workspace.ts";
import { phaseIn } from "../workflows/orchestrate/plan.ts";
import {
  branchAmong,
  branchName,
  branchesIn,
  worktreeName,
} from "./_session-orchestrate-branches.ts";
import { type Looked, lookAtSources } from "./_session-orchestrate-sources.ts";
import { givenTo, leaveClaim, takeClaim } from "./conduct/_kept.ts";
import { noteInRun } from "./conduct/_note.ts";
import { branchAt } from "./conduct/_tree.ts";
import { childId } from "./conduct/children.ts";
import { heldFault } from "./conduct/held.ts";
import type { Context } from "./operation.ts";

/** One claim of a unit. */
export interface Claimed {
  readonly run: string;
  readonly unit: string;
  readonly epoch: number;
}

export interface UnitTree {
  readonly folder: string;
  /** Null: the project's own folder. */
  readonly clone: {
    readonly places: TaskPlaces;
    readonly branch: string | null;
    readonly phase: number;
    /** What its commit says. */
    readonly subject: string;
  } | null;
}

/** What its clone is called among those of tasks. */
export function cloneId(claimed: Claimed): string {
  return childId(claimed.run, claimKey(claimed));
}

/** Of a claim that hands in: a clone that is gone is refused by its name, not made again without the work. */
export function requireClone(context: Context, claimed: Claimed): void {
  const { trees } = placesOf(context, claimed);
  if (readReady(trees) !== undefined) requireThere(trees);
}

/** As it is, or made: whoever asks again gets the same. `begun`: what was found out before it was claimed. */
export async function openUnitTree(
  context: Context,
  looked: Looked,
  claimed: Claimed,
  begun?: Begun,
): Promise<UnitTree> {
  const { root } = context.project;
  const { settings } = looked.sources;
  const places = placesOf(context, claimed);
  const known = await workspaceOf(places, root);
  const where =
    known?.onto === undefined
      ? (begun ?? (await whereOf(root, looked, claimed.unit, claimed.run)))
      : { ...(await phaseOf(root, looked, claimed.unit)), branch: known.onto };
  if (where === undefined) return { folder: root, clone: null };
  const { plan, phase, branch } = where;
  const title = plan?.list.tasks.find(({ id }) => id === claimed.unit)?.title ?? "";
  const subject = title === "" ? claimed.unit : `${claimed.unit}: ${title}`;
  const clone = { places, branch, phase, subject };
  if (known !== undefined) return { folder: known.folder, clone };
  const opened = await openBranch(branchAt(await hereOf(context, claimed.run), branch), {
    ...(begun && { seen: begun }),
    claim: claimKey(claimed),
  });
  if ("kind" in opened) throw heldFault(opened);
  const { commit: head } = opened;
  const start = { kind: "git", head, branch, held: true } as const;
  const { folder } = await makeWorkspace(places, root, start);
  await setUp(context, settings.setup ?? null, places);
  return { folder, clone };
}

/** Where a unit is to be worked on, as it was found. */
export interface Begun extends Where {
  readonly target: StandingTarget | null;
}

/** Refused where the branch that the unit goes onto cannot be worked on now; undefined: nothing can be cloned. */
export async function requireBranch(
  context: Context,
  looked: Looked,
  { run, unit }: Pick<Claimed, "run" | "unit">,
): Promise<Begun | undefined> {
  const { root } = context.project;
  const where = await whereOf(root, looked, unit, run);
  if (where === undefined) return undefined;
  const target = await lookBefore(branchAt(await hereOf(context, run), where.branch), where.refs);
  if (target !== null && "kind" in target) throw heldFault(target);
  return { ...where, target };
}

/** What the state says of the phase's worktree (S2.1); undefined: the unit's phase has none. */
export async function worktreeOf(
  root: string,
  looked: Looked,
  unit: string,
  begun?: Begun,
): Promise<string | undefined> {
  const branch = (begun ?? (await whereOf(root, looked, unit, undefined)))?.branch ?? null;
  return branch === null ? undefined : worktreeName(branch);
}

/** The branch that a phase goes onto; undefined: there is no history to clone. */
export async function phaseBranch(
  root: string,
  looked: Looked,
  phase: number,
  run: string,
): Promise<{ readonly branch: string | null } | undefined> {
  if (!(await hasHistory(root))) return undefined;
  const { plan } = looked.plan ? looked : await lookAtSources(root, looked.sources, true);
  return { branch: branchFor(plan, phase, await openedBranches({ root, run })) };
}

export type HandedIn =
  | { readonly kind: "merged"; readonly taken: Taken }
  | { readonly kind: "conflict"; readonly reason: string };

/** What is in the clone now becomes a commit of the branch; the same again changes nothing. */
export async function handIn(
  context: Context,
  { clone }: UnitTree,
  claimed: Claimed,
): Promise<HandedIn | undefined> {
  if (clone === null) return undefined;
  const { run, unit } = claimed;
  const { places, branch, subject } = clone;
  const at = Date.now();
  const here = await hereOf(context, run);
  const { language } = context;
  const taken = await takeClaim({ ...here, language, unit, at }, places);
  const base = (await knownWorkspace(places))?.base ?? null;
  if (base === null) return undefined;
  // Handed in again with other files it is another result of the same claim.
  const began = claimKey(claimed);
  const key = `${began}.${taken.commit.slice(0, 12)}`;
  const made = { key, snapshot: taken, base, subject, at, began };
  const brought = await bringUnit(places, here, made);
  const how = { ...brought, base, subject, key, claim: began, at };
  const merged = await mergeUnit(branchAt(here, branch), how);
  if (merged.kind === "merged") return { kind: "merged", taken };
  if (merged.kind === "held") throw heldFault(merged);
  const files = merged.files.join(", ");
  const text = msg("conduct.conflict", { files, detail: merged.text });
  const reason = render(context.language, text);
  return { kind: "conflict", reason };
}

/**
 * Its claim is over. What it had not handed in is kept under a name of ours, and journaled: somebody may
 * have gone on writing there while the rest was tested and merged. `handed`: what was.
 */
export async function closeUnitTree(
  { project, home, store }: Pick<Context, "project" | "home" | "store">,
  claimed: Claimed,
  handed: Taken | null,
): Promise<void> {
  const places = placesOf({ home }, claimed);
  const base = (await workspaceOf(places, project.root))?.base ?? null;
  if (base === null) return;
  const at = Date.now();
  const secrets = await givenTo(await store(), home.path, claimed.run);
  const before = handed === null ? {} : { before: handed };
  const taken = await takeTree({ trees: places.trees, seq: at, at, secrets, ...before });
  if (taken.tree !== handed?.tree) {
    const began = claimKey(claimed);
    const key = `${began}.left`;
    const repository = { root: project.root, run: claimed.run };
    const made = { key, snapshot: taken, base, subject: claimed.unit, at, began };
    await bringUnit(places, repository, made);
    const what = { unit: claimed.unit, ref: refOf(claimed.run, "unit", key) };
    if (handed !== null)
      await noteInRun(await store(), claimed.run, at, { trigger: "work_left", metadata: what });
  }
  const { run, unit } = claimed;
  await leaveClaim({ store: await store(), home: home.path, run, unit, at }, places, taken);
}

/** All is done: another home may work on the repository from now on. */
export async function closeRun({ project }: Context, run: string): Promise<void> {
  const { releaseRepository } = await import("../git/mark.ts");
  releaseRepository({ root: project.root, run });
}

// --- internal ---

async function hereOf(context: Context, run: string) {
  const { project, home } = context;
  return { run, root: project.root, home: home.path, store: await context.store(), now: Date.now };
}

interface InPlan {
  readonly plan: Looked["plan"];
  readonly phase: number;
}

interface Where extends InPlan {
  /** Null: phase 0 is worked on where the run lands. */
  readonly branch: string | null;
  readonly refs: Refs;
}

async function phaseOf(root: string, looked: Looked, unit: string): Promise<InPlan> {
  const { plan } = looked.plan ? looked : await lookAtSources(root, looked.sources, true);
  return { plan, phase: phaseIn(looked.sources.facts?.phases ?? {}, unit) };
}

/** Undefined: there is no history to clone. */
async function whereOf(
  root: string,
  looked: Looked,
  unit: string,
  run: string | undefined,
): Promise<Where | undefined> {
  const refs: Refs = run === undefined ? new Map() : await lookAtRun({ root, run });
  const hasBegun = run !== undefined && refs.has(baseRefOf(run));
  // A run that is recorded in the repository has something to clone.
  if (!hasBegun && !(await hasHistory(root))) return undefined;
  const { plan, phase } = await phaseOf(root, looked, unit);
  const opened = run === undefined ? [] : branchesOf(refs, run);
  return { plan, phase, branch: branchFor(plan, phase, opened), refs };
}

/** `opened`: those that the run has. */
function branchFor(plan: Looked["plan"], phase: number, opened: readonly string[]): string | null {
  if (phase === 0) return null;
  const named = branchesIn(plan).get(phase) ?? branchName(phase);
  return branchAmong(opened, phase) ?? named;
}

function claimKey({ unit, epoch }: Claimed): string {
  return `${unit}-${epoch}`;
}

function placesOf({ home }: Pick<Context, "home">, claimed: Claimed): TaskPlaces {
  return taskPlaces(home.path, cloneId(claimed));
}

async function setUp(
  { env: outer, home, project, ended }: Context,
  command: string | null,
  places: TaskPlaces,
): Promise<void> {
  if (command === null) return;
  const { workspace: folder, setupLog: log } = places;
  const env = agentEnvironment(outer, { run: "setup", home: home.path, root: project.root });
  const set = await runSetup({ command, folder, env, log, signal: ended });
  if (set.ok) return;
  // Half set up it would be taken for whole by who asks next.
  await removeWorkspace(places);
  throw new Fault("refused", set.text, { hint: set.hint });
}
