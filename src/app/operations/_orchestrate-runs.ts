// What `orchestrate` changes: a run begins or goes on, a failed task is opened again, and the plan's boxes are
// ticked.
import { join } from "node:path";
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import { skippedTexts } from "../../core/skipped.ts";
import { orchestrateModes } from "../../core/vocabulary.ts";
import { checkOff as ticked } from "../../formats/task-list.ts";
import { newFileMode, realDisk } from "../../store/disk.ts";
import { realPath } from "../../os/look.ts";
import { requireRepository } from "../../git/mark.ts";
import type { Documents } from "../../store/documents.ts";
import { replaceFile } from "../../store/replace.ts";
import type { Accepted } from "../../workflows/orchestrate/events.ts";
import type { Wishes } from "../../workflows/orchestrate/start.ts";
import { unitsOf } from "../../workflows/orchestrate/units.ts";
import { calls, closePhases, planFault, refusedFault } from "../_session-orchestrate.ts";
import { mayClone } from "../_session-orchestrate-branches.ts";
import { ownerOf } from "../_session-orchestrate-owner.ts";
import { heldQuestions } from "../_held-questions.ts";
import { sourcesIn } from "../_session-orchestrate-rows.ts";
import { readRun } from "../_session-orchestrate-read.ts";
import { type Step, takeStep } from "../_session-orchestrate-run.ts";
import { type Looked, lookAtSources } from "../_session-orchestrate-sources.ts";
import type { Context } from "../operation.ts";
import { notBegun } from "./_orchestrate-looks.ts";
import type { Input, Orchestrated, Part } from "./orchestrate.ts";

export const begin: Part = async (context, given) => {
  const { says } = await begun(context, given);
  if (given.resume) await closePhases(context, given.session);
  return answer(context, given, says);
};

/** A run there is from now on, whoever carries it out. */
export async function begun(context: Context, given: Input): Promise<{ says: Message[] }> {
  const run = await readRun(context);
  const looked = await lookAtSources(
    context.project.root,
    sourcesIn(run.rows),
    run.state === undefined,
  );
  if (looked.problem && (looked.plan || run.state === undefined)) throw planFault(looked.problem);
  await requireFit(context, looked);
  const resume = given.resume === true;
  const step: Step = {
    event: { on: "settle" },
    owner: ownerOf(given.session, context.env),
    begin: { ...wishesOf(given), iterations: given.maxIterations, only: onlyOf(given) },
    resume,
  };
  const done = await taken(context, step, looked);
  const lands = await landsOn(context, given.onto);
  const { in_progress: left } = done.state.tasks;
  const open = unheldAfter(done, run.state === undefined);
  const says = [
    msg("orchestrate.begun", {
      project: done.state.project,
      done: done.state.metrics.completed_count,
      total: done.state.metrics.total_tasks,
      phase: done.state.execution.current_phase,
    }),
    ...(lands === undefined ? [] : await landingTexts(context.project.root, lands)),
    ...(done.released.length > 0 ? [msg("orchestrate.opened", { ids: named(done.released) })] : []),
    ...(!resume && open && left.length > 0
      ? [msg("orchestrate.left", { ids: named(left) }), msg("orchestrate.unclaimed.hint")]
      : []),
  ];
  return { says };
}

export const retry: Part = async (context, given) => {
  const { retry: unit = "" } = given;
  const { rows } = await readRun(context);
  const looked = await lookAtSources(context.project.root, sourcesIn(rows));
  const step = {
    event: { on: "retry", unit },
    owner: ownerOf(given.session, context.env),
  } as const;
  await taken(context, step, looked);
  return answer(context, given, [msg("orchestrate.retried", { id: unit })]);
};

/** A person says what counts where they and the run disagree about a branch (S2.6). */
export const settle: Part = async (context, given) => {
  requireRepository(context.project.root, context.home.path);
  const { rows } = await readRun(context);
  if (rows.task === undefined || given.settle === undefined) throw notBegun();
  const here = {
    run: rows.task.id,
    root: context.project.root,
    home: context.home.path,
    store: await context.store(),
    now: Date.now,
  };
  const { settleRun } = await import("../../git/settle.ts");
  const { branchAt } = await import("../conduct/_tree.ts");
  await settleRun(branchAt(here, null), given.settle, Date.now());
  const { withdrawAll } = await import("../_session-orchestrate-hold.ts");
  await withdrawAll(context, await heldQuestions(here.store, here.run));
  return answer(context, given, [msg("orchestrate.settled")]);
};

/** Boxes of completed tasks; nothing else of the plan changes. */
export const checkOff: Part = async (context) => {
  const { state, rows } = await readRun(context);
  if (state === undefined) throw notBegun();
  const { root } = context.project;
  const { plan, problem } = await lookAtSources(root, sourcesIn(rows), true);
  if (problem || plan === undefined) throw planFault(problem ?? missing);
  const units = unitsOf(state);
  const ids = plan.list.tasks.flatMap(({ id, checked }) =>
    !checked && units.get(id) === "completed" ? [id] : [],
  );
  if (ids.length > 0) await replace(join(root, plan.path), plan.text, ticked(plan.text, ids));
  return {
    line: `CHECKED_OFF:${ids.length}`,
    says: [msg("orchestrate.checked_off", { count: ids.length, path: plan.path })],
  };
};

// --- internal ---

/** Refused before anything is written: another home is at work, or nobody would be named in its commits. */
async function requireFit(context: Context, { sources }: Looked): Promise<void> {
  const { root } = context.project;
  requireRepository(root, context.home.path);
  if (!mayClone(root, sources)) return;
  const { requireGit } = await import("../../git/git.ts");
  await requireGit(context.env);
  const { hasHistory, requireIdentity } = await import("../../git/project.ts");
  if (await hasHistory(root)) await requireIdentity(root);
}

/** Where the command was given: a linked worktree has a branch of its own checked out (S7.5). */
export function commandFolder({ project, cwd }: Context): string {
  return project.because === "worktree" ? (realPath(cwd) ?? project.root) : project.root;
}

async function landingTexts(root: string, branch: string): Promise<Message[]> {
  const { skippedIn } = await import("../_settings.ts");
  return [msg("orchestrate.lands", { branch }), ...skippedTexts(await skippedIn(root))];
}

/** The branch the run lands on, recorded now (S2.6); undefined: nothing is worked on in clones. */
async function landsOn(context: Context, onto: string | undefined): Promise<string | undefined> {
  const { root } = context.project;
  const { rows } = await readRun(context);
  const { sources } = await lookAtSources(root, sourcesIn(rows));
  if (rows.task?.status !== "in_progress" || !mayClone(root, sources)) return undefined;
  const { hasHistory } = await import("../../git/project.ts");
  const { branchOf } = await import("../../git/refs.ts");
  const { claimRepository } = await import("../../git/mark.ts");
  const { beginRun } = await import("../../git/target.ts");
  if (!(await hasHistory(root))) return undefined;
  claimRepository({ root, run: rows.task.id }, context.home.path);
  return branchOf((await beginRun({ root, run: rows.task.id }, onto, commandFolder(context))).ref);
}

const mostNamed = 20;
export const missing = {
  code: "TASKS_NOT_FOUND",
  line: 0,
  column: 0,
  path: "",
  text: msg("tasks.none"),
} as const;

export function named(ids: readonly string[]): string {
  const rest = ids.length - mostNamed;
  return `${ids.slice(0, mostNamed).join(", ")}${rest > 0 ? ` … (+${rest})` : ""}`;
}

export function wishesOf({ normal, ultraThin, ralph, parallel, slack }: Input): Wishes {
  const given = { normal, "ultra-thin": ultraThin, ralph };
  const [mode, second] = orchestrateModes.filter((each) => given[each]);
  if (second !== undefined) throw new Fault("invalid_input", msg("orchestrate.two_modes"));
  return { mode, parallel, slack };
}

/** For sessions `next --phase` says it; a run that nobody asks has to know it. */
function onlyOf({ inSession, phase }: Input): number | null {
  return inSession || phase === undefined ? null : phase;
}

function unheldAfter({ state }: Accepted, fresh: boolean): boolean {
  return !fresh && state.tasks.in_progress.length > 0;
}

export async function taken(
  context: Context,
  step: Step,
  looked: Looked,
  documents?: Documents,
): Promise<Accepted> {
  const done = await takeStep(context, step, looked, documents);
  if (done === undefined) throw notBegun();
  if (!done.ok) throw refusedFault(done);
  return done;
}

/** What there is to do now, as `next` says it. */
export async function answer(
  context: Context,
  { phase, session }: Input,
  says: Message[],
): Promise<Orchestrated> {
  const next = await calls.next(context, { phase, session });
  return { line: next.line, says: next.says === null ? says : [...says, next.says] };
}

/** As a whole or not at all, and not over what somebody wrote meanwhile. */
async function replace(path: string, before: string, after: string): Promise<void> {
  const check = (): void => {
    const now = realDisk.read(path);
    if (now === null || Buffer.from(now).toString("utf8") !== before)
      throw new Fault("locked", msg("orchestrate.plan_changed", { path }));
  };
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  const mode = realDisk.stamp(path)?.mode ?? newFileMode;
  await replaceFile({ path, temporary, text: after, mode, check });
}
