// orchestrate, carried out by itself: the same documents, claims and steps as from a session (S2.11),
// with the run itself as the session. So both may work on one plan, and each unit is begun by one.
import { Fault } from "../../core/errors.ts";
import { msg, render } from "../../core/messages.ts";
import type { ListedTask } from "../../formats/task-list.ts";
import { boardOf } from "../../workflows/orchestrate/board.ts";
import type { OrchestrateEvent } from "../../workflows/orchestrate/events.ts";
import { rulesOf } from "../../workflows/orchestrate/next.ts";
import {
  choices,
  isPhaseKey,
  ordersOf,
  phaseOfKey,
  unitOfKey,
} from "../../workflows/orchestrate/orders.ts";
import { factsWithoutPlan, phaseIn, withPlan } from "../../workflows/orchestrate/plan.ts";
import type { OrderOutcome } from "../../workflows/orders.ts";
import {
  branchAmong,
  branchName,
  branchesIn,
  worktreeName,
} from "../_session-orchestrate-branches.ts";
import { openedBranches } from "../../git/branches.ts";
import { phaseCommands, unitCommands } from "../_session-orchestrate-done.ts";
import { type Owner, holderOf } from "../_session-orchestrate-owner.ts";
import { type Run, readRun } from "../_session-orchestrate-read.ts";
import {
  claimKind,
  lostIn,
  renew,
  runIn,
  sourcesIn,
  unitOf,
} from "../_session-orchestrate-rows.ts";
import { takeStep } from "../_session-orchestrate-run.ts";
import { type Looked, lookAtSources } from "../_session-orchestrate-sources.ts";
import { planFault } from "../_session-orchestrate.ts";
import type { Context } from "../operation.ts";
import type { Conductor } from "./conductor.ts";

export const orchestrate: Conductor = {
  orders: async (context, taskId) => {
    const owner = runOwner(taskId);
    const run = await readRun(context);
    if (run.state === undefined || run.rows.task?.id !== taskId)
      return { kind: "held", why: render(context.language, msg("orchestrate.not_begun")) };
    await renew(run, owner);
    // Whole: each prompt is made from the plan's own lines.
    const looked = await lookAtSources(context.project.root, sourcesIn(run.rows), true);
    if (looked.problem) throw planFault(looked.problem);
    return ordersOf(await aboutOf(context, run, looked, owner, run.state));
  },
  begin: async (context, taskId, key) => {
    const owner = runOwner(taskId);
    const unit = unitOfKey(key);
    const holder = holderOf(owner, Date.now());
    const looked = await lookNow(context);
    const branch = branchesIn(looked.plan).get(phaseIn(looked.sources.facts?.phases ?? {}, unit));
    const event: OrchestrateEvent = {
      on: "start",
      unit,
      holder,
      ...(branch === undefined ? {} : { worktree: worktreeName(branch) }),
    };
    const done = await takeStep(context, { event, owner }, looked);
    // Begun before under this key, or by this call; anything else is another attempt.
    return done?.ok === true && `${unit}-${done.unit?.epoch ?? 0}` === key;
  },
  take: async (context, taskId, outcome) => {
    if (outcome.kind === "answered") return answered(context, taskId, outcome);
    // Nothing an agent could mend: a person does, and the run goes on (S2.6).
    if (outcome.kind === "not_landed" && (outcome.why !== "gate" || isPhaseKey(outcome.key)))
      return notLanded(context, outcome);
    for (const event of await eventsFor(context, taskId, outcome))
      if (await happened(context, taskId, event)) return undefined;
    return undefined;
  },
};

// --- internal ---

/** No unit is left to mend it: a person completed the last one by hand (S2.8). */
function notLanded(
  { language }: Context,
  { key, why, reason }: Extract<OrderOutcome, { kind: "not_landed" }>,
): string {
  if (why !== "gate") return reason;
  return render(language, msg("orchestrate.gate_failed", { phase: phaseOfKey(key), reason }));
}

/**
 * No process is named: its agents live on when we die, and whoever goes on finds them. A run that was
 * given up is cancelled, and its claims go with it.
 */
export function runOwner(taskId: string): Owner {
  return { session: `run ${taskId}`, process: null };
}

async function lookNow(context: Context): Promise<Looked> {
  const { rows } = await readRun(context);
  return lookAtSources(context.project.root, sourcesIn(rows), true);
}

async function aboutOf(
  context: Context,
  { rows, store }: Run,
  looked: Looked,
  owner: Owner,
  found: NonNullable<Run["state"]>,
) {
  const { sources, plan } = looked;
  const state = plan ? withPlan(found, plan.list) : found;
  const run = runIn(rows, found);
  const taskId = rows.task?.id ?? "";
  const claims = (await store?.entities({ taskId, kind: claimKind })) ?? [];
  const units = claims.map(unitOf);
  const facts = sources.facts ?? factsWithoutPlan(state);
  const board = boardOf(state, facts, lostIn(rows, owner, Date.now()));
  const isOwn = ({ unit, holder }: (typeof units)[number]): boolean =>
    holder?.session === owner.session &&
    board.graph.has(unit) &&
    board.graph.status(unit) === "in_progress";
  const branches = branchesIn(looked.plan);
  const opened = await openedBranches({ root: context.project.root, run: taskId });
  for (const id of board.units.keys()) {
    const phase = phaseIn(facts.phases, id);
    const known = branchAmong(opened, phase) ?? branches.get(phase) ?? branchName(phase);
    if (phase > 0) branches.set(phase, known);
  }
  return {
    board,
    run,
    rules: rulesOf(sources.settings, run),
    own: units.filter(isOwn),
    known: new Map(units.map((unit) => [unit.unit, unit])),
    plan: { text: plan?.text ?? "", tasks: tasksIn(looked) },
    branches,
    checks: (unit: string) => unitCommands(sources, unit),
    gate: phaseCommands(sources),
    language: context.language,
  };
}

function tasksIn({ plan }: Looked): Map<string, ListedTask> {
  return new Map((plan?.list.tasks ?? []).map((task) => [task.id, task]));
}

/** In this order, until one is taken: the last unit of a phase is not done before the phase is. */
async function eventsFor(
  context: Context,
  taskId: string,
  outcome: Exclude<OrderOutcome, { kind: "answered" }>,
): Promise<OrchestrateEvent[]> {
  const { session } = runOwner(taskId);
  const unit = unitOfKey(outcome.key);
  const { sources } = await lookNow(context);
  const check = unitCommands(sources, unit).length > 0 ? "passed" : "none";
  const done = { on: "done", unit, session, check } as const;
  switch (outcome.kind) {
    case "done": {
      const commit = outcome.commit ?? "";
      return [
        { ...done, gate: false },
        { on: "merged", unit, session, commit },
      ];
    }
    case "landed": {
      const phase = phaseOfKey(outcome.key);
      const { commit } = outcome;
      if (isPhaseKey(outcome.key)) return [{ on: "landed", phase, commit }];
      return [{ ...done, gate: true, landed: commit }];
    }
    case "failed":
    case "not_landed": {
      const { kind, why, reason } = outcome;
      const conflict = kind === "failed" && why === "conflict";
      return [{ on: "fail", unit, session, reason, ...(conflict && { conflict }) }];
    }
    default:
      return [];
  }
}

/** False: it waits for something else. What was told before changes nothing. */
async function happened(
  context: Context,
  taskId: string,
  event: OrchestrateEvent,
): Promise<boolean> {
  const owner = runOwner(taskId);
  const done = await takeStep(context, { event, owner }, await lookNow(context));
  if (done === undefined) throw new Fault("refused", msg("orchestrate.not_begun"));
  return done.ok || done.kind !== "gate";
}

async function answered(
  context: Context,
  taskId: string,
  { key, answer }: Extract<OrderOutcome, { kind: "answered" }>,
): Promise<string | undefined> {
  const choice = choices.find((word) => word === answer.trim().toLowerCase()) ?? "stop";
  const phase = phaseOfKey(key);
  if (choice === "fix") {
    const { state } = await readRun(context);
    const { sources } = await lookNow(context);
    const failed = (state?.tasks.failed ?? []).filter(
      (id) => phaseIn(sources.facts?.phases ?? {}, id) === phase,
    );
    for (const unit of failed) await happened(context, taskId, { on: "retry", unit });
  }
  await happened(context, taskId, { on: "choose", phase, choice });
  return choice === "stop" ? render(context.language, msg("conduct.stopped")) : undefined;
}
