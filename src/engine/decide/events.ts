// What happened by itself: a process began or ended, a timer is due, an effect was carried out.
import { msg } from "../../core/messages.ts";
import { retryLimits } from "../../core/retry.ts";
import type { Draft } from "../_draft.ts";
import { stepAgent } from "./agent.ts";
import { openQuestion } from "./ask.ts";
import { overBudget } from "./budget.ts";
import { unpark } from "./limits.ts";
import { readOn } from "./output.ts";
import { startProcess, tell } from "./process.ts";
import { answerQuestion } from "./questions.ts";
import { timeLeft } from "./spent.ts";
import { spoken, stepTask } from "./task.ts";
import { countTime } from "./time.ts";
import type { World } from "./world.ts";

// --- processes ---

export function processStarted(draft: Draft, processId: string): void {
  const process = draft.get("process", processId);
  if (process?.status === "starting") draft.set("process", processId, { begun: true }, "running");
}

/** Nobody wanted it when its turn came. Somebody may by now. */
export function processNotStarted(draft: Draft, processId: string, world: World): void {
  const { agentId } = draft.set("process", processId, { wanted: true }, "ended").data;
  const agent = draft.get("agent", agentId);
  if (agent?.data.process === processId && agent.status === "running" && agent.data.slot)
    startProcess(draft, agentId, world);
}

/** All it printed was read before. `code` null: nobody saw how it ended. */
export function processEnded(
  draft: Draft,
  processId: string,
  how: { readonly code: number | null; readonly signal: string | null },
  world: World,
): void {
  const end = { code: how.code, signal: how.signal };
  const process = draft.get("process", processId);
  if (process === undefined || process.status === "ended") return;
  const { agentId, wanted } = process.data;
  draft.set("process", processId, end, "ended");
  draft.effect("end", { process: processId });
  const agent = draft.get("agent", agentId);
  if (agent === undefined || agent.data.process !== processId || agent.status !== "running") return;
  // Waiting for a slot, or its claim is being looked at: the next process comes when it is needed.
  if (!agent.data.slot || draft.task.data.document?.stage === "check") return;
  if (wanted) return startProcess(draft, agentId, world);
  exited(draft, agentId, end, world);
}

/** S1.14: reminded after a clean exit without a claim, else a classified attempt. */
function exited(
  draft: Draft,
  agentId: string,
  { code, signal }: { readonly code: number | null; readonly signal: string | null },
  world: World,
): void {
  const agent = draft.get("agent", agentId);
  if (agent === undefined) return;
  // Nobody saw the end (a reboot, a killed machine): not the agent's fault, resumed as it was.
  const lost = code === null && signal === null;
  const forgot = code === 0 && agent.data.reminders < retryLimits.reminder;
  if (forgot) {
    draft.set("agent", agentId, { reminders: agent.data.reminders + 1 });
    tell(draft, agentId, "reminder", spoken(draft, msg("agent.reminder")), world);
  } else if (!lost) {
    draft.set("agent", agentId, { crashes: agent.data.crashes + 1 });
    attempt(draft, code, signal);
    tell(draft, agentId, "note", spoken(draft, msg("agent.resumed")), world);
  } else {
    tell(draft, agentId, "note", spoken(draft, msg("agent.resumed")), world);
  }
  const how = signal ?? (code === null ? "unknown" : `${code}`);
  const left = draft.get("agent", agentId);
  if (left && left.data.crashes >= retryLimits.agent) {
    stepTask(
      draft,
      {
        event: "fatal_error",
        trigger: "exited",
        metadata: { exit: how },
        failure: {
          reason: "attempts",
          message: spoken(draft, msg("agent.gave_up", { exit: how })),
        },
      },
      world,
    );
    return;
  }
  stepAgent(draft, agentId, { event: "exited", metadata: { exit: how, reminded: forgot } }, world);
}

function attempt(draft: Draft, code: number | null, signal: string | null): void {
  const { document } = draft.task.data;
  draft.add("attempt", `attempt_${draft.ids.next()}`, "failed", {
    phase: document?.phase ?? 1,
    step: `work-${document?.phase ?? 1}-${document?.round ?? 0}`,
    startedAt: draft.at,
    endedAt: draft.at,
    problem: signal === null ? `exit ${code}` : signal,
  });
}

// --- timers ---

export function timerDue(
  draft: Draft,
  { name, about, data }: { name: string; about: string; data: unknown },
  world: World,
): void {
  draft.noTimer(name, about);
  switch (name) {
    case "unpark":
      unpark(draft, about, data, world);
      return readOn(draft, about, world);
    case "review":
      return remindReview(draft, about, world);
    case "question":
      return deadline(draft, about, world);
    case "silence":
      return silent(draft, about, world);
    case "autosave":
      if (draft.get("agent", about)?.data.slot !== true) return;
      draft.effect("snapshot", { agent: about, reason: "interval" });
      return draft.timer("autosave", about, draft.now + world.policies.autosaveMs);
    case "budget":
      return timeUp(draft, about, world);
    case "frozen": {
      // Its memory is freed; it is resumed when it is needed (S1.11).
      const agent = draft.get("agent", about);
      const process = agent && draft.get("process", agent.data.process);
      if (agent === undefined || agent.data.slot || process?.status !== "running") return;
      draft.set("process", process.id, { wanted: true });
      return draft.effect("settle", { agent: about });
    }
  }
}

/** As long as it was to work, unless others of the day stopped before. */
function timeUp(draft: Draft, agentId: string, world: World): void {
  if (draft.get("agent", agentId)?.data.slot !== true) return;
  countTime(draft, agentId);
  overBudget(draft, agentId, world);
  const left = timeLeft(draft, world);
  if (left !== null && draft.get("agent", agentId)?.data.slot === true)
    draft.timer("budget", agentId, draft.now + Math.max(left, 1_000));
}

/** 24, 48 and 72 hours (S1.5), each once, whatever restarts come between. */
function remindReview(draft: Draft, id: string, world: World): void {
  const review = draft.get("review", id);
  if (review?.status !== "open") return;
  const reminders = review.data.reminders + 1;
  draft.set("review", id, { reminders });
  draft.effect("notify", { what: "review_reminder", id, reminders });
  const next = world.policies.reviewRemindersMs[reminders];
  if (next !== undefined) draft.timer("review", id, Date.parse(review.data.createdAt) + next);
}

function deadline(draft: Draft, id: string, world: World): void {
  const question = draft.get("question", id);
  if (question?.status !== "open") return;
  const { onDeadline } = world.policies;
  const fallback = question.data.default ?? (question.data.required ? null : "skip");
  if (onDeadline === "default" && fallback !== null) {
    answerQuestion(draft, id, fallback, world);
    return;
  }
  draft.effect("notify", {
    what: onDeadline === "escalate" ? "escalation" : "question_overdue",
    id,
  });
}

/** A human is asked before anything is killed (S1.14). */
function silent(draft: Draft, agentId: string, world: World): void {
  const agent = draft.get("agent", agentId);
  if (agent === undefined || agent.status !== "running" || !agent.data.slot) return;
  // Output without a signal is not committed one by one: the file knows better when it spoke.
  const current = draft.get("process", agent.data.process);
  // One that is not there yet (a long set-up) has nothing to say.
  const there = current?.status === "running";
  const quiet = there ? draft.now - (world.lastOutputAt ?? current.data.lastOutputAt) : 0;
  if (quiet < world.policies.silenceMs)
    return draft.timer("silence", agentId, draft.now + world.policies.silenceMs - quiet);
  const open = draft
    .all("question")
    .some(({ status, data }) => status === "open" && data.origin === "silence");
  if (open) return;
  const minutes = Math.round(world.policies.silenceMs / 60_000);
  openQuestion(
    draft,
    agentId,
    {
      origin: "silence",
      category: "confirmation",
      question: spoken(draft, msg("agent.silent", { minutes })),
      options: ["wait", "restart"],
      default: "wait",
      required: true,
      reference: null,
    },
    world,
  );
}

// --- what could not be done ---

/** An effect that can not succeed however often it is tried: the task fails with its reason. */
export function effectFailed(draft: Draft, what: string, message: string, world: World): void {
  stepTask(
    draft,
    {
      event: "fatal_error",
      trigger: what,
      metadata: { message: message.slice(0, 2_000) },
      failure: { reason: "fatal_error", message },
    },
    world,
  );
}
