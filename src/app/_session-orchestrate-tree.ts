// Where a session works on a unit (S2.6, S2.11): a clone of its own of its phase's branch, as an agent
// gets it that nobody sits beside. What was made there is merged when it is reported as done. Without
// git, or where the project says so, all work in the project's own folder.
import { agentEnvironment } from "../agents/environment.ts";
import { Fault } from "../core/errors.ts";
import { msg, render } from "../core/messages.ts";
import { mergeUnit, openBranch, openedBranches } from "../git/branches.ts";
import { runSetup } from "../engine/setup.ts";
import { refOf } from "../git/refs.ts";
import { takeTree } from "../git/snapshot.ts";
import { bringUnit } from "../git/unit.ts";
import {
  type TaskPlaces,
  hasHistory,
  knownWorkspace,
  makeWorkspace,
  removeWorkspace,
  taskPlaces,
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

/** As it is, or made: whoever asks again gets the same. */
export async function openUnitTree(
  context: Context,
  looked: Looked,
  claimed: Claimed,
): Promise<UnitTree> {
  const { root } = context.project;
  const { settings } = looked.sources;
  const where = await whereOf(root, looked, claimed.unit, claimed.run);
  if (where === undefined) return { folder: root, clone: null };
  const { plan, phase, branch } = where;
  const places = placesOf(context, claimed);
  const title = plan?.list.tasks.find(({ id }) => id === claimed.unit)?.title ?? "";
  const subject = title === "" ? claimed.unit : `${claimed.unit}: ${title}`;
  const clone = { places, branch, phase, subject };
  const known = await knownWorkspace(places);
  if (known !== undefined) return { folder: known.folder, clone };
  const opened = await openBranch(branchAt(await hereOf(context, claimed.run), branch));
  if ("kind" in opened) throw heldFault(opened);
  const { commit: head } = opened;
  const { folder } = await makeWorkspace(places, root, { kind: "git", head, branch });
  await setUp(context, settings.setup ?? null, places);
  return { folder, clone };
}

/** Refused where the branch that the unit goes onto can not be worked on now. */
export async function requireBranch(
  context: Context,
  looked: Looked,
  { run, unit }: Pick<Claimed, "run" | "unit">,
): Promise<void> {
  const where = await whereOf(context.project.root, looked, unit, run);
  if (where === undefined) return;
  const opened = await openBranch(branchAt(await hereOf(context, run), where.branch));
  if ("kind" in opened) throw heldFault(opened);
}

/** What the state says of the phase's worktree (S2.1); undefined: the unit's phase has none. */
export async function worktreeOf(
  root: string,
  looked: Looked,
  unit: string,
): Promise<string | undefined> {
  const branch = (await whereOf(root, looked, unit, undefined))?.branch ?? null;
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
  return { branch: await branchFor(root, plan, phase, run) };
}

export type HandedIn =
  | { readonly kind: "merged"; readonly files: string }
  | { readonly kind: "conflict"; readonly reason: string };

/** What is in the clone now becomes a commit of the branch; the same again changes nothing. `files`: its tree. */
export async function handIn(
  context: Context,
  { clone }: UnitTree,
  { run, unit, epoch }: Claimed,
): Promise<HandedIn | undefined> {
  if (clone === null) return undefined;
  const { places, branch, subject } = clone;
  const at = Date.now();
  const here = await hereOf(context, run);
  const { language } = context;
  const { commit: snapshot, tree } = await takeClaim({ ...here, language, unit, at }, places);
  const base = (await knownWorkspace(places))?.base ?? null;
  if (base === null) return undefined;
  // Handed in again with other files it is another result of the same claim.
  const key = `${unit}-${epoch}.${snapshot.slice(0, 12)}`;
  const commit = await bringUnit(places, here, { key, snapshot, base, subject, at });
  const how = { commit, base, subject, key, claim: `${unit}-${epoch}`, at };
  const merged = await mergeUnit(branchAt(here, branch), how);
  if (merged.kind === "merged") return { kind: "merged", files: tree };
  if (merged.kind === "held") throw heldFault(merged);
  const files = merged.files.join(", ");
  const text = msg("conduct.conflict", { files, detail: merged.text });
  const reason = render(context.language, text);
  return { kind: "conflict", reason };
}

/**
 * Its claim is over. What it had not handed in is kept under a name of ours, and journaled: somebody may
 * have gone on writing there while the rest was tested and merged. `handed`: the tree that was.
 */
export async function closeUnitTree(
  { project, home, store }: Pick<Context, "project" | "home" | "store">,
  claimed: Claimed,
  handed: string | null,
): Promise<void> {
  const places = placesOf({ home }, claimed);
  const base = (await knownWorkspace(places))?.base ?? null;
  if (base === null) return;
  const at = Date.now();
  const secrets = await givenTo(await store(), home.path, claimed.run);
  const taken = await takeTree({ trees: places.trees, seq: at, at, secrets });
  const { commit: snapshot, tree } = taken;
  if (tree !== handed) {
    const key = `${claimed.unit}-${claimed.epoch}.left`;
    const repository = { root: project.root, run: claimed.run };
    await bringUnit(places, repository, { key, snapshot, base, subject: claimed.unit, at });
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

/** Undefined: there is no history to clone. */
async function whereOf(root: string, looked: Looked, unit: string, run: string | undefined) {
  if (!(await hasHistory(root))) return undefined;
  const { plan } = looked.plan ? looked : await lookAtSources(root, looked.sources, true);
  const phase = phaseIn(looked.sources.facts?.phases ?? {}, unit);
  return { plan, phase, branch: await branchFor(root, plan, phase, run) };
}

async function branchFor(
  root: string,
  plan: Looked["plan"],
  phase: number,
  run: string | undefined,
): Promise<string | null> {
  if (phase === 0) return null;
  const opened = run === undefined ? [] : await openedBranches({ root, run });
  const named = branchesIn(plan).get(phase) ?? branchName(phase);
  return branchAmong(opened, phase) ?? named;
}

function placesOf({ home }: Pick<Context, "home">, { run, unit, epoch }: Claimed): TaskPlaces {
  return taskPlaces(home.path, childId(run, `${unit}-${epoch}`));
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
