// The reducer of plans (S3): the documents, what is known beside them, and an event make the next
// documents, what became of plan and steps, and a reply; or a refusal, and nothing has happened.
// Whoever drives it, a session's report or a run without one, keeps the private part in one commit
// with the documents.
//
// What does not fit the history is put right with the first event after it (S3.7), and so are steps
// whose session is gone: they are open again before anything else is decided.
import { Draft } from "./_draft.ts";
import { answer, approve, decide, edit, noAnswer } from "./_stages.ts";
import { release } from "./_moves.ts";
import { done, fail, start, stopped } from "./_steps.ts";
import { begin, cancel, pause, recover, resume, startNext } from "./_task.ts";
import type { PlanAccepted, PlanEvent, PlanRefused, PlanReply, Situation } from "./events.ts";
import { reconcile } from "./reconcile.ts";
import { type PlanRun, runOf } from "./run.ts";

export function applyPlan(situation: Situation, event: PlanEvent): PlanAccepted | PlanRefused {
  const draft = new Draft(situation);
  putRight(draft);
  for (const step of situation.lost) release(draft, step);
  const { tokens = 0 } = event;
  if (draft.task && tokens > 0) draft.setRun({ tokens: draft.run.tokens + Math.round(tokens) });
  const reply = replyTo(draft, event);
  // Told before: it was paid for then.
  if ("kind" in reply && reply.kind === "again" && tokens > 0)
    return applyPlan(situation, { ...event, tokens: 0 });
  return "ok" in reply ? reply : draft.accepted(reply);
}

// --- internal ---

/** What the history knows as ended is over here too, and what waited for it has its turn (S3.7, S3.3). */
function putRight(draft: Draft): void {
  const { state, done: told, ended } = reconcile(draft.state, draft.history, draft.at);
  const known = ended.map(({ task, record }) => ({
    task,
    result: record.result,
    run: draft.runs.get(task.id) ?? runOf(task),
  }));
  draft.state = state;
  draft.told.push(...told);
  for (const { task, run, result } of known) {
    const to = result === "failure" ? "failed" : "completed";
    const last = { ...task, status: to, updated_at: draft.at } as const;
    const over: PlanRun = { ...run, stage: "ended", result, asks: null, task: last };
    draft.runs.delete(task.id);
    draft.ended.push({ task: last, run: over });
    draft.move("plan-task", task.id, { from: task.status, to, trigger: "reconcile" }, { result });
  }
  if (known.length > 0) startNext(draft);
}

function replyTo(draft: Draft, event: PlanEvent): PlanReply | PlanRefused {
  switch (event.on) {
    case "begin":
      return begin(draft, event);
    case "answer":
      return answer(draft, event);
    case "no_answer":
      return noAnswer(draft, event);
    case "approve":
      return approve(draft);
    case "edit":
      return edit(draft, event);
    case "start":
      return start(draft, event);
    case "done":
      return done(draft, event);
    case "fail":
      return fail(draft, event);
    case "stopped":
      return stopped(draft, event);
    case "decide":
      return decide(draft, event);
    case "pause":
      return pause(draft);
    case "resume":
      return resume(draft, event);
    case "cancel":
      return cancel(draft, event);
    case "recover":
      return recover(draft, event);
    default:
      return { kind: "taken" };
  }
}
