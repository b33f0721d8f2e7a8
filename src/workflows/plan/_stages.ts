// What a plan asks of agents and people between its steps: the steps themselves, their approval, a
// verdict on each success criterion (S3.7b), lessons. An answer that breaks its form goes back to its
// author with the exact complaint, at most three times; then a person is asked.
import { type Message, msg } from "../../core/messages.ts";
import {
  type Answer,
  type PlannedStep,
  type PlannedSteps,
  readClosing,
  readPlan,
  readVerdict,
} from "./answers.ts";
import { type Draft, type PlanStep, noPlan, refused } from "./_draft.ts";
import { otherJudges, seenWith } from "../judges.ts";
import { escalate, replan, unanswered } from "./_moves.ts";
import { end } from "./_task.ts";
import type { PlanEvent, PlanRefused, PlanReply } from "./events.ts";
import {
  type Judged,
  type PlanResult,
  authorsOf,
  maxComplaints,
  notTried,
  stepRun,
} from "./run.ts";

type Of<K extends PlanEvent["on"]> = Extract<PlanEvent, { readonly on: K }>;
type Done = PlanReply | PlanRefused;

export function answer(draft: Draft, { stage, text, session }: Of<"answer">): Done {
  const { task } = draft;
  if (task === undefined) return noPlan();
  const { run } = draft;
  const why = notWanted(draft, stage);
  if (why) return refused(why, msg("plan.next.hint"));
  const { sessions } = run;
  if (session !== undefined) draft.setRun({ sessions: seenWith(sessions, session, draft.now) });
  if (stage === "plan") {
    const read = readPlan(text, numbersOf(draft));
    return read.ok ? planned(draft, read.value) : complain(draft, text, read.complaints);
  }
  if (stage === "judge") {
    const authors = authorsOf(run);
    const [other] = session === undefined ? [] : otherJudges(session, authors, sessions, draft.now);
    if (other !== undefined)
      return refused(msg("plan.own_work", { session: other }), msg("plan.own_work.hint"));
    const read: Answer<Judged[]> = readVerdict(text, task.plan.success_criteria);
    if (!read.ok) return complain(draft, text, read.complaints);
    draft.setRun({
      ...unanswered(draft),
      stage: "close",
      verdict: read.value,
      result: resultOf(read.value),
    });
    if (session !== undefined) {
      const how = { session, self_judged: String(authors.has(session)) };
      const { id, status } = task;
      draft.move("plan-task", id, { from: status, to: status, trigger: "judge" }, how);
    }
    return { kind: "taken" };
  }
  const read = readClosing(text);
  if (read.ok) {
    end(draft, run.result ?? "failure", read.value);
    return { kind: "taken" };
  }
  return complain(draft, text, read.complaints);
}

export function noAnswer(draft: Draft, { stage, reason }: Of<"no_answer">): Done {
  if (draft.task === undefined) return noPlan();
  const why = notWanted(draft, stage);
  if (why) return refused(why, msg("plan.next.hint"));
  return complain(draft, draft.run.answer ?? "", [msg("plan.bad.no_answer", { reason })]);
}

export function approve(draft: Draft): Done {
  if (draft.task === undefined) return noPlan();
  if (draft.run.stage !== "approve") return refused(msg("plan.nothing_to_approve"));
  draft.setRun({ stage: "work" });
  return { kind: "taken" };
}

/** A person's steps are read as strictly as a planner's: the same file serves both. */
export function edit(draft: Draft, { text }: Of<"edit">): Done {
  if (draft.task === undefined) return noPlan();
  const { run } = draft;
  const busy = draft.steps.filter(({ status }) => status === "in_progress").map(({ id }) => id);
  if (busy.length > 0) return refused(msg("plan.edit_busy", { ids: busy.join(", ") }));
  if (run.stage === "close") return refused(msg("plan.edit_late", { stage: run.stage }));
  // Who edits a plan sees the steps that are open under their own ids, and may keep them.
  const { finished } = numbersOf(draft);
  const read = readPlan(text, { finished, first: 1 });
  if (!read.ok) {
    const [first = msg("plan.none")] = read.complaints;
    return refused(
      read.complaints.reduce(
        (all, one) => (one === first ? all : msg("repair.and", { first: all, other: one })),
        first,
      ),
      msg("plan.edit.hint"),
    );
  }
  draft.setRun({ asks: null });
  put(draft, read.value);
  // Steps still to be approved stay so: who edited them may look once more.
  draft.setRun({ stage: run.stage === "approve" ? "approve" : "work" });
  return { kind: "taken" };
}

export function decide(draft: Draft, { decision, step, because }: Of<"decide">): Done {
  if (draft.task === undefined) return noPlan();
  const { run } = draft;
  if (decision === "replan") {
    if (run.stage === "close") return refused(msg("plan.edit_late", { stage: run.stage }));
    draft.setRun({ replans: 0 });
    return replan(draft, because);
  }
  if (decision === "fail") {
    const lost = { verdict: run.verdict, result: "failure" } as const;
    draft.setRun({
      ...unanswered(draft),
      ...lost,
      stage: "close",
      asks: null,
      why: because || run.why,
    });
    return { kind: "taken" };
  }
  return tryAgain(draft, step);
}

// --- internal ---

const longestKept = 20_000;

/**
 * A fresh start, by a person's word: of one step, or of all that nothing but a person can help; where
 * it is not about a step, the answer is asked for anew.
 */
function tryAgain(draft: Draft, step: number | null): Done {
  const { run, steps } = draft;
  const named = steps.find(({ id }) => id === step);
  if (step !== null && named?.status !== "failed")
    return refused(msg("plan.not_failed", { id: step, status: named?.status ?? "–" }));
  const stuck = steps.filter(({ id, status }) => status === "failed" && !stepRun(run, id).way);
  if (named === undefined && stuck.length === 0 && run.asks === null)
    return refused(msg("plan.nothing_asked"));
  for (const { id } of named ? [named] : stuck)
    draft.setStepRun(id, { way: "retry", retries: 0, notBefore: null });
  const left = named ? stuck.find(({ id }) => id !== named.id) : undefined;
  const asks = left && run.asks ? { ...run.asks, step: left.id } : null;
  draft.setRun({ asks, tries: 0, turn: run.turn + 1, asked: run.asked + (asks ? 1 : 0) });
  // It was to be planned again because of them: now they are tried instead.
  if (run.stage === "plan" && stuck.length > 0 && !left) draft.setRun({ stage: "work", why: null });
  return { kind: "taken" };
}

function notWanted(draft: Draft, stage: "plan" | "judge" | "close"): Message | undefined {
  const { task, run } = draft;
  if (task?.status !== "in_progress" && task?.status !== "paused")
    return msg("plan.not_running", { id: task?.id ?? "", status: task?.status ?? "" });
  if (run.stage !== stage) return msg("plan.not_asked", { stage: run.stage });
  const busy = draft.steps.filter(({ status }) => status === "in_progress");
  return busy.length === 0
    ? undefined
    : msg("plan.edit_busy", { ids: busy.map(({ id }) => id).join(", ") });
}

function numbersOf({ steps, run }: Draft): { finished: number[]; first: number } {
  const finished = steps.filter(({ status }) => status === "completed").map(({ id }) => id);
  return { finished, first: Math.max(run.lastStep, 0, ...steps.map(({ id }) => id)) + 1 };
}

function planned(draft: Draft, value: PlannedSteps): PlanReply {
  const { run } = draft;
  if (run.round > 1) draft.resolve(null, draft.say(msg("plan.resolved.replan")));
  put(draft, value);
  draft.setRun({ ...unanswered(draft), stage: run.review ? "approve" : "work", why: null });
  return { kind: "taken" };
}

/** Finished steps stay where they are; the new ones follow. */
function put(draft: Draft, plan: PlannedSteps): void {
  const { success_criteria: criteria, constraints, resources, steps } = plan;
  const { task, run } = draft;
  if (!task) return;
  const finished = draft.steps.filter(({ status }) => status === "completed");
  const had = new Map(draft.steps.map((step) => [step.id, step]));
  const made = steps.map((step) => withWords(step, had.get(step.id)));
  draft.setTask({
    plan: { ...task.plan, success_criteria: [...criteria] },
    context: {
      ...task.context,
      ...(constraints.length > 0 ? { constraints: [...constraints] } : {}),
      ...(resources.length > 0 ? { resources: [...resources] } : {}),
    },
  });
  draft.setSteps([...finished, ...made]);
  const ids = made.map(({ id }) => id);
  // An id that a person kept is another try; its attempts go on counting.
  const kept = ids.map((id) => [String(id), { ...notTried, attempt: stepRun(run, id).attempt }]);
  draft.setRun({
    lastStep: Math.max(run.lastStep, ...ids),
    steps: { ...run.steps, ...(Object.fromEntries(kept) as typeof run.steps) },
  });
}

/** Fields of a person's own on a step that stays are theirs. */
function withWords(step: PlannedStep, had: PlanStep | undefined): PlanStep {
  const { files, check, ...own } = step;
  const { files: _f, check: _c, ...before } = had ?? ({} as Partial<PlanStep>);
  return {
    ...before,
    ...own,
    dependencies: [...step.dependencies],
    status: "pending",
    started_at: null,
    completed_at: null,
    output: null,
    error: null,
    ...(files.length > 0 ? { files } : {}),
    ...(check === null ? {} : { check }),
  };
}

function resultOf(verdict: readonly Judged[]): PlanResult {
  const met = verdict.filter((one) => one.met).length;
  return met === verdict.length ? "success" : met > 0 ? "partial" : "failure";
}

function complain(draft: Draft, text: string, complaints: readonly Message[]): PlanReply {
  const { run } = draft;
  const tries = run.tries + 1;
  const complaint = complaints.map((one) => draft.say(one)).join("\n");
  draft.setRun({ tries, complaint, answer: text.slice(0, longestKept), turn: run.turn + 1 });
  const left = maxComplaints - tries;
  if (left >= 0) return { kind: "complaint", complaint, left };
  // Without lessons a plan still ends; without steps or a verdict it does not.
  if (run.stage === "close") {
    draft.told.push(msg("plan.no_lessons", { complaint }));
    end(draft, run.result ?? "failure", null);
    return { kind: "taken" };
  }
  return escalate(
    draft,
    null,
    draft.say(msg("plan.report.answer", { stage: run.stage, complaint })),
  );
}
