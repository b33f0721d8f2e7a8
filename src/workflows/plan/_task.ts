// A plan as a whole: begun, paused, taken up again, ended. One is current; the next in the queue starts
// with the commit that ends it (S3.3).
import { nextDayId } from "../../core/ids.ts";
import { planTaskMachine } from "../../core/machines/plan-task.ts";
import type { PlanTaskEvent } from "../../core/machines/plan-task.ts";
import { msg } from "../../core/messages.ts";
import type { PlanTask } from "../../formats/task-state.ts";
import type { Closing } from "./answers.ts";
import { type Draft, noPlan, refused } from "./_draft.ts";
import { release } from "./_moves.ts";
import type { PlanEvent, PlanRefused, PlanReply } from "./events.ts";
import { withEnded } from "./history.ts";
import { type PlanResult, type PlanRun, newRun } from "./run.ts";

type Of<K extends PlanEvent["on"]> = Extract<PlanEvent, { readonly on: K }>;
type Done = PlanReply | PlanRefused;

export function begin(draft: Draft, event: Of<"begin">): Done {
  const { state, history, at } = draft;
  const current = draft.task;
  const goal = event.goal.trim();
  if (goal === "") return refused(msg("plan.no_goal"), msg("plan.no_goal.hint"));
  if (current && !event.queue)
    return refused(
      msg("plan.other", { id: current.id, name: current.name }),
      msg("plan.other.hint"),
    );
  const waiting = state.pending_tasks.map(({ id }) => id);
  const known = [...history.tasks.map(({ id }) => id), ...waiting, ...event.taken];
  const id = nextDayId("task", at.slice(0, 10), [...known, ...(current ? [current.id] : [])]);
  const { review, driver } = event;
  draft.runs.set(id, newRun({ plan: id, driver, review }));
  draft.setState({ pending_tasks: [...state.pending_tasks, newTask(id, goal, at)] });
  startNext(draft);
  const place = draft.state.pending_tasks.findIndex((task) => task.id === id) + 1;
  return { kind: "begun", plan: id, queued: place };
}

export function pause(draft: Draft): Done {
  if (draft.task?.status === "paused") return { kind: "again" };
  return moved(draft, "pause");
}

export function resume(draft: Draft, { driver }: Of<"resume">): Done {
  if (draft.task && driver) draft.setRun({ driver });
  if (draft.task === undefined) {
    // One that waits while nothing is current: its turn has come.
    if (draft.state.pending_tasks.length === 0) return noPlan();
    startNext(draft);
    return { kind: "taken" };
  }
  if (draft.task.status === "in_progress") return { kind: "again" };
  return moved(draft, draft.task.status === "pending" ? "start" : "resume");
}

export function cancel(draft: Draft, { plan }: Of<"cancel">): Done {
  const { state, task } = draft;
  const id = plan ?? task?.id;
  if (id === undefined) return noPlan();
  if (task?.id === id) {
    for (const step of draft.steps) release(draft, step.id);
    endAs(draft, "cancel", "failure", null);
    return { kind: "taken" };
  }
  const waits = state.pending_tasks.find((one) => one.id === id);
  if (waits === undefined)
    return { ok: false, kind: "not_found", why: msg("plan.unknown", { id }) };
  draft.setState({ pending_tasks: state.pending_tasks.filter((one) => one.id !== id) });
  record(draft, waits, draft.runs.get(id), "cancel", "failure", null);
  return { kind: "taken" };
}

export function recover(draft: Draft, { run }: Of<"recover">): Done {
  const { task } = run;
  if (task === null || task.status !== "failed")
    return refused(msg("plan.not_recoverable", { id: run.plan }));
  const step = planTaskMachine.step("failed", "recover", factsOf(draft, task));
  if (!step.ok) return refused(step.reasons[0] ?? msg("plan.none"), msg("plan.other.hint"));
  // Later than its end, whatever the clock says: that is how the history tells it is at work again.
  const ends = draft.history.tasks.filter(({ id }) => id === task.id);
  const last = Math.max(0, ...ends.map((one) => Date.parse(one.completed_at)));
  const updated = new Date(Math.max(draft.now, last + 1)).toISOString();
  draft.setState({ current_task: { ...task, status: "in_progress", updated_at: updated } });
  const left = task.plan.steps.some(({ status }) => status !== "completed");
  const failed = task.plan.steps.filter(({ status }) => status === "failed");
  // A fresh start for what failed; a plan whose steps are all done is made anew, for it was not enough.
  const steps = { ...run.steps };
  for (const { id } of failed) {
    const was = steps[String(id)];
    if (was) steps[String(id)] = { ...was, way: "retry", retries: 0, notBefore: null };
  }
  draft.runs.set(run.plan, {
    ...run,
    steps,
    stage: left ? "work" : "plan",
    round: left ? run.round : run.round + 1,
    turn: run.turn + 1,
    replans: 0,
    tries: 0,
    complaint: null,
    answer: null,
    asks: null,
    why: left ? null : draft.say(msg("plan.why.recovered")),
    verdict: null,
    result: null,
    task: null,
  });
  draft.move("plan-task", run.plan, { from: "failed", to: "in_progress", trigger: "recover" });
  newSession(draft);
  return { kind: "taken" };
}

/** By its criteria: all met, some, or none (S3.7b). Without a closing word it says what is known. */
export function end(draft: Draft, result: PlanResult, closing: Closing | null): void {
  const complete = result !== "failure" && draft.steps.every((step) => step.status === "completed");
  for (const step of draft.steps) release(draft, step.id);
  endAs(draft, complete ? "complete" : "fail", result, closing);
}

/** The first that waits becomes current, where the place is free. */
export function startNext(draft: Draft): void {
  const [next, ...others] = draft.state.pending_tasks;
  if (draft.task !== undefined || next === undefined) return;
  const step = planTaskMachine.step(next.status, "start", factsOf(draft, next));
  if (!step.ok) return;
  draft.setState({
    current_task: { ...next, status: step.to, started_at: draft.at, updated_at: draft.at },
    pending_tasks: others,
  });
  draft.move("plan-task", next.id, { from: next.status, to: step.to, trigger: "start" });
  newSession(draft);
}

// --- internal ---

const longestName = 80;

function newTask(id: string, goal: string, at: string): PlanTask {
  const [line = goal] = goal.split("\n");
  const name = Array.from(line.trim());
  return {
    id,
    name: name.length > longestName ? `${name.slice(0, longestName - 1).join("")}…` : line.trim(),
    status: "pending",
    started_at: at,
    updated_at: at,
    orchestrator: "orchestrator",
    plan: { goal, success_criteria: [], steps: [], current_step: null },
    context: { user_request: goal, constraints: [], resources: [] },
    artifacts: [],
    issues: [],
  };
}

function factsOf(draft: Draft, { id, plan }: PlanTask) {
  const { task } = draft;
  return {
    otherCurrent: task && task.id !== id ? task.id : null,
    steps: plan.steps.length,
    unfinishedSteps: plan.steps
      .filter(({ status }) => status !== "completed")
      .map((step) => step.name),
  };
}

function moved(draft: Draft, event: PlanTaskEvent): Done {
  const { task } = draft;
  if (task === undefined) return noPlan();
  const step = planTaskMachine.step(task.status, event, factsOf(draft, task));
  if (!step.ok) return refused(step.reasons[0] ?? msg("plan.none"));
  draft.setTask({ status: step.to });
  draft.move("plan-task", task.id, { from: task.status, to: step.to, trigger: event });
  return { kind: "taken" };
}

function endAs(
  draft: Draft,
  event: "complete" | "fail" | "cancel",
  result: PlanResult,
  closing: Closing | null,
): void {
  const { task } = draft;
  if (task === undefined) return;
  const { run } = draft;
  draft.setState({ current_task: null });
  record(draft, task, run, event, result, closing);
  startNext(draft);
}

/** Into the history, with what it cost; the run keeps the plan as it was. */
function record(
  draft: Draft,
  task: PlanTask,
  known: PlanRun | undefined,
  event: "complete" | "fail" | "cancel",
  result: PlanResult,
  closing: Closing | null,
): void {
  const run = known ?? newRun({ plan: task.id, driver: "session", review: false });
  const step = planTaskMachine.step(task.status, event, factsOf(draft, task));
  const to = step.ok ? step.to : event === "cancel" ? "cancelled" : "failed";
  const { steps } = task.plan;
  const started = task.started_at ?? draft.at;
  const milliseconds = Math.max(0, draft.now - Date.parse(started));
  const completed = steps.filter(({ status }) => status === "completed").length;
  const about = { result, done: completed, total: steps.length };
  const summary = draft.say(msg(event === "cancel" ? "plan.cancelled" : "plan.summary", about));
  // The format has no result of its own for it; without this it would read as a failure.
  const cancelled = event === "cancel" ? { cancelled: true } : {};
  const entry = {
    id: task.id,
    name: task.name,
    result,
    started_at: started,
    completed_at: new Date(Math.max(draft.now, Date.parse(started))).toISOString(),
    duration_seconds: milliseconds / 1_000,
    summary: closing?.summary ?? summary,
    artifacts: task.artifacts ?? [],
    metrics: {
      steps_total: steps.length,
      steps_completed: completed,
      retries: run.retries,
      tokens_used: run.tokens,
    },
    lessons: [...(closing?.lessons ?? [])],
    ...cancelled,
  };
  const kept = withEnded(draft.history, entry, draft.now, run.earlier);
  draft.history = kept.history;
  draft.told.push(...kept.told);
  const earlier = { result, duration_seconds: entry.duration_seconds, ...cancelled };
  const last = { ...task, status: to, updated_at: draft.at } as const;
  const ended: PlanRun = { ...run, stage: "ended", result, earlier, asks: null, task: last };
  draft.runs.delete(task.id);
  draft.ended.push({ task: last, run: ended });
  draft.move("plan-task", task.id, { from: task.status, to, trigger: event }, { result });
}

/** Who shares a context now works on another plan. */
function newSession(draft: Draft): void {
  const { context, at } = draft;
  // Made in this very moment: it is the first session of its own.
  if (context.session.started_at === at) return;
  const id = nextDayId("session", at.slice(0, 10), [context.session.id]);
  draft.context = {
    ...context,
    session: { ...context.session, id, started_at: at },
    last_updated: at,
  };
}
