// What happens to a step: begun, done, failed, given back. Each kind of failure takes its own way
// (S3.8); what no retry mends is planned again, and then a person decides.
import { planStepMachine } from "../../core/machines/plan-step.ts";
import { msg } from "../../core/messages.ts";
import { backoff, failureAnswers, retryLimits } from "../../core/retry.ts";
import type { FailureType } from "../../core/vocabulary.ts";
import { type Draft, type PlanStep, noPlan, refused, unfinished } from "./_draft.ts";
import { escalate, filesOf, journalStep, nextStage, release, replan } from "./_moves.ts";
import { seenWith } from "../judges.ts";
import type { PlanEvent, PlanRefused, PlanReply } from "./events.ts";
import { type Way, maxReplans, notTried, stepRun } from "./run.ts";

type Of<K extends PlanEvent["on"]> = Extract<PlanEvent, { readonly on: K }>;
type Done = PlanReply | PlanRefused;

export function start(draft: Draft, { step: id, holder }: Of<"start">): Done {
  const found = find(draft, id);
  if (found === undefined) return noStep(draft, id);
  const { task, run } = draft;
  const was = stepRun(run, id);
  // Told twice, or begun anew by who holds it: the claim is renewed.
  if (found.status === "in_progress" && was.holder?.session === holder.session) {
    draft.setStepRun(id, { holder: { ...holder, since: was.holder.since } });
    return { kind: "again" };
  }
  const waits = startable(draft, found);
  if (waits) return waits;
  const again = found.status === "failed";
  const trigger = again ? "retry" : "start";
  const step = planStepMachine.step(found.status, trigger, {
    unfinishedDependencies: unfinished(draft.steps, found),
    retries: was.retries,
    // A person who lets a critical one be tried again has judged it.
    failure: found.error?.type === "critical" ? "transient" : (found.error?.type ?? null),
  });
  if (!step.ok) return refused(step.reasons[0] ?? msg("plan.none"), msg("plan.next.hint"));
  draft.setStep(id, { status: "in_progress", started_at: found.started_at ?? draft.at });
  draft.setStepRun(id, {
    holder,
    attempt: was.attempt + 1,
    retries: was.retries + (again ? 1 : 0),
    notBefore: null,
    doneBy: null,
  });
  if (again) draft.setRun({ retries: run.retries + 1 });
  if (run.driver === "session")
    draft.setRun({ sessions: seenWith(run.sessions, holder.session, draft.now) });
  draft.move(
    "plan-step",
    String(id),
    { from: found.status, to: "in_progress", trigger },
    { plan: task?.id ?? "", session: holder.session, attempt: was.attempt + 1 },
  );
  return { kind: "taken" };
}

/** Why it can not begin now; undefined: it may. */
export function startable(draft: Draft, step: PlanStep): PlanRefused | undefined {
  const { task, run, now } = draft;
  const was = stepRun(run, step.id);
  if (step.status === "in_progress") return taken(draft, step);
  if (task?.status !== "in_progress")
    return refused(msg("plan.not_running", { id: task?.id ?? "", status: task?.status ?? "" }));
  if (run.asks) return refused(msg("plan.asks"), msg("plan.asks.hint"));
  if (run.stage !== "work") return refused(msg("plan.not_working", { stage: run.stage }));
  if (step.status === "failed" && was.way === null)
    return refused(msg("plan.step_failed", { id: step.id }), msg("plan.asks.hint"));
  const waits = unfinished(draft.steps, step);
  if (waits.length > 0) return refused(msg("plan-step.waits_for", { steps: waits.join(", ") }));
  if (was.notBefore !== null && was.notBefore > now) {
    const until = new Date(was.notBefore).toISOString();
    return refused(msg("plan.not_before", { id: step.id, until }));
  }
  return undefined;
}

export function done(draft: Draft, { step: id, session, output }: Of<"done">): Done {
  const found = find(draft, id);
  if (found === undefined) return noStep(draft, id);
  const was = stepRun(draft.run, id);
  // The answer to its report was lost, not the report.
  if (found.status === "completed" && was.doneBy === session) return { kind: "again" };
  const notTheirs = ownedBy(draft, found, session);
  if (notTheirs) return notTheirs;
  const { attempt, retries } = was;
  draft.setStep(id, { status: "completed", completed_at: draft.at, output, error: null });
  draft.setStepRun(id, { holder: null, way: null, doneBy: session });
  draft.resolve(id, draft.say(msg("plan.resolved.retry", { retries })));
  const made = filesOf(found).map((path) => ({
    type: "file" as const,
    path,
    description: found.name,
  }));
  if (made.length > 0) {
    const before = (draft.task?.artifacts ?? []).filter(
      ({ path }) => !made.some((one) => one.path === path),
    );
    draft.setTask({ artifacts: [...before, ...made] });
  }
  journalStep(draft, id, "in_progress", "completed", "complete", { session, attempt });
  nextStage(draft);
  return { kind: "taken" };
}

export function fail(draft: Draft, { step: id, session, type, message }: Of<"fail">): Done {
  const found = find(draft, id);
  if (found === undefined) return noStep(draft, id);
  const notTheirs = ownedBy(draft, found, session);
  if (notTheirs) return notTheirs;
  const was = stepRun(draft.run, id);
  const reason = message.slice(0, longestReason);
  const { retries } = was;
  draft.setStep(id, {
    status: "failed",
    error: { type, message: reason, timestamp: draft.at, retries },
  });
  draft.setStepRun(id, { holder: null, way: null, notBefore: null });
  draft.setTask({
    issues: [
      ...(draft.task?.issues ?? []),
      { step_id: id, type, message: reason, resolution: null, resolved: false },
    ],
  });
  const metadata = { session, attempt: was.attempt, type, reason };
  journalStep(draft, id, "in_progress", "failed", "fail", metadata);
  return answerTo(draft, found, type, reason);
}

export function stopped(draft: Draft, { step: id, session }: Of<"stopped">): Done {
  const found = find(draft, id);
  if (found === undefined) return noStep(draft, id);
  const notTheirs = ownedBy(draft, found, session);
  if (notTheirs) return notTheirs;
  release(draft, id);
  if (draft.task?.status === "in_progress") {
    draft.setTask({ status: "paused" });
    const move = { from: "in_progress", to: "paused", trigger: "pause" };
    draft.move("plan-task", draft.task.id, move);
  }
  return { kind: "taken" };
}

// --- internal ---

const longestReason = 4_000;

const ways: Partial<Record<(typeof failureAnswers)[FailureType]["action"], Way>> = {
  retry: "retry",
  revise: "revise",
  recover_dependency: "recover_dependency",
  find_alternative: "find_alternative",
};

function answerTo(draft: Draft, step: PlanStep, type: FailureType, reason: string): PlanReply {
  const { run } = draft;
  const { retries, recovers } = stepRun(run, step.id);
  const { action, backoff: kind, after } = failureAnswers[type];
  const way = ways[action];
  const { id, name } = step;
  const about = { id, name, type, retries, message: reason };
  const report = draft.say(msg("plan.report", about));
  // A step that was to recover a dependency and lacks one itself: the plan is what is wrong.
  const knotted = type === "dependency" && recovers !== null;
  if (way !== undefined && !knotted && retries < retryLimits.step) {
    const notBefore = kind === null ? null : draft.now + backoff(kind, retries);
    draft.setStepRun(id, { way, notBefore });
    if (type === "dependency") recover(draft, step);
    return { kind: "retry", retry: retries + 1, notBefore };
  }
  const why = draft.say(msg("plan.why.failed", about));
  const replans = action === "replan" || after === "replan";
  // Another one failed before: both are a reason for the same new plan.
  if (replans && run.stage === "plan") {
    draft.setRun({ why: run.why === null ? why : `${run.why}\n\n${why}` });
    return { kind: "replan" };
  }
  if (!replans || run.replans >= maxReplans) return escalate(draft, id, report);
  draft.setRun({ replans: run.replans + 1 });
  return replan(draft, why);
}

/**
 * What is finished never runs again, so what a step lacks from those before it is made by a new step:
 * in the role of the last of them, and the failed one waits for it.
 */
function recover(draft: Draft, step: PlanStep): void {
  const { steps, run } = draft;
  const id = Math.max(run.lastStep, ...steps.map((one) => one.id)) + 1;
  const needed = steps.findLast((one) => step.dependencies.includes(one.id));
  const made: PlanStep = {
    id,
    name: draft.say(msg("plan.recover", { id: step.id, name: step.name })),
    agent: needed?.agent ?? step.agent,
    cluster: needed?.cluster ?? step.cluster ?? null,
    status: "pending",
    dependencies: [...step.dependencies],
    started_at: null,
    completed_at: null,
    output: null,
    error: null,
  };
  const waiting = { ...step, ...find(draft, step.id), dependencies: [...step.dependencies, id] };
  draft.setSteps([...steps.map((one) => (one.id === step.id ? waiting : one)), made]);
  draft.setRun({ lastStep: id });
  draft.setStepRun(id, { ...notTried, recovers: step.id });
}

function find(draft: Draft, id: number): PlanStep | undefined {
  return draft.steps.find((step) => step.id === id);
}

function noStep({ task }: Draft, id: number): PlanRefused {
  if (task === undefined) return noPlan();
  const [why, hint] = [msg("plan.no_step", { id }), msg("plan.next.hint")];
  return { ok: false, kind: "not_found", why, hint };
}

function ownedBy(draft: Draft, step: PlanStep, session: string): PlanRefused | undefined {
  const { id, status } = step;
  if (status !== "in_progress")
    return refused(msg("plan.not_started", { id, status }), msg("plan.next.hint"));
  return stepRun(draft.run, id).holder?.session === session ? undefined : taken(draft, step);
}

function taken(draft: Draft, { id }: PlanStep): PlanRefused {
  const { holder } = stepRun(draft.run, id);
  return holder === null
    ? refused(msg("plan.unclaimed", { id }), msg("plan.unclaimed.hint"))
    : refused(msg("plan.claimed", { id, session: holder.session }), msg("plan.claimed.hint"));
}
