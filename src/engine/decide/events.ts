// What happened by itself: a process began or ended, a timer is due, an effect was carried out.
import type { Draft } from "../_draft.ts";
import { softStopped, stepAgent } from "./agent.ts";
import { overBudget } from "./budget.ts";
import { isChecked } from "./facts.ts";
import { unpark } from "./limits.ts";
import { readOn } from "./output.ts";
import { startProcess, tellToGoOn } from "./process.ts";
import { answerQuestion } from "./questions.ts";
import { timeLeft } from "./spent.ts";
import { stepTask } from "./task.ts";
import { countTime } from "./time.ts";
import { attemptFailed, reconnect, remind } from "./turns.ts";
import { couldNotVerify } from "./verifier.ts";
import { overtime, silent } from "./watchdogs.ts";
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
  if (!agent.data.slot || isChecked(draft, agent)) return;
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
  // Nobody saw the end (a reboot, a killed machine): not the agent's fault, resumed as it was. Nor
  // does it count twice where its turn had failed already, or nobody was reached.
  const lost = (code === null && signal === null) || agent.data.failed !== null;
  const how = signal ?? (code === null ? "unknown" : `${code}`);
  const forgot = code === 0 && !lost && remind(draft, agentId, world);
  if (!forgot && !lost) {
    const kind = code === 0 ? "turn_ended" : "exited";
    if (!attemptFailed(draft, agentId, signal ?? `exit ${code}`, kind, world)) return;
  }
  if (!forgot) tellToGoOn(draft, agentId, world);
  stepAgent(draft, agentId, { event: "exited", metadata: { exit: how, reminded: forgot } }, world);
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
    case "overtime":
      return overtime(draft, about, world);
    case "freeze":
      return softStopped(draft, about);
    case "reconnect":
      reconnect(draft, about, world);
      return readOn(draft, about, world);
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

// --- what could not be done ---

/**
 * An effect that can not succeed however often it is tried: the task fails with its reason. One for a
 * verifier does not: its verdict is missing, and a person is asked about that.
 */
export function effectFailed(
  draft: Draft,
  what: string,
  { message, about }: { readonly message: string; readonly about?: string | undefined },
  world: World,
): void {
  // Its files cannot be removed: it is there again, so that a person sees why and may try again.
  if (what === "remove") {
    const { id, status } = draft.task;
    draft.journal("task", id, { from: status, to: status }, "notice", { message });
    return draft.setTask({}, { deletedAt: null });
  }
  const process = draft.get("process", about ?? null);
  const agent = draft.get("agent", process?.data.agentId ?? about ?? null);
  if (agent?.data.role === "verifier") {
    if (process) draft.set("process", process.id, { wanted: true }, "ended");
    return couldNotVerify(draft, agent, message, world);
  }
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
