// An agent with structured output works turn by turn: it takes up a message, works, says that its turn
// is over, and waits. What a turn that ended without a claim means, and one that failed (S1.14).
import { msg } from "../../core/messages.ts";
import { backoff, retryLimits } from "../../core/retry.ts";
import type { FailureClass } from "../../agents/adapters/adapter.ts";
import type { Draft } from "../_draft.ts";
import type { Kinds } from "../state.ts";
import { stepAgent } from "./agent.ts";
import { openQuestion } from "./ask.ts";
import { orderFor } from "./facts.ts";
import { replaceProcess, tell } from "./process.ts";
import { spoken } from "./spoken.ts";
import { cancelled, stepTask } from "./task.ts";
import { couldNotVerify } from "./verifier.ts";
import { type Answer, type World, done } from "./world.ts";

type Agent = Kinds["agent"];

export function heard(draft: Draft, agent: Agent, id: string): void {
  const { told } = agent.data;
  if (!told.some((each) => each.id === id && !each.heard)) return;
  const now = told.map((each) => (each.id === id ? { ...each, heard: true } : each));
  draft.set("agent", agent.id, { told: now });
}

/** Nothing claimed, and nothing left that it was told: it waits for us as we for it. */
export function turnOver(draft: Draft, agent: Agent, world: World): void {
  const { failed, process } = agent.data;
  // What it asked for in this turn was answered in it.
  const open = agent.data.told.filter(({ reply }) => reply?.process !== process);
  const left = open.some((each) => each.heard) ? open.filter((each) => !each.heard) : [];
  draft.set("agent", agent.id, { told: left, failed: null });
  if (failed !== null || left.length > 0) return;
  if (remind(draft, agent.id, world)) {
    const same = { from: agent.status, to: agent.status };
    return draft.journal("agent", agent.id, same, "turn_ended", { reminded: true });
  }
  const problem = spoken(draft, msg("agent.no_claim"));
  if (attemptFailed(draft, agent.id, problem, "turn_ended", world))
    tell(draft, agent.id, "note", problem, world);
}

/** S1.14: said once more what is expected, twice at most; false: it was told often enough. */
export function remind(draft: Draft, agentId: string, world: World): boolean {
  const agent = draft.get("agent", agentId);
  if (agent === undefined || agent.data.reminders >= retryLimits.reminder) return false;
  draft.set("agent", agentId, { reminders: agent.data.reminders + 1 });
  const what = agent.data.role === "verifier" ? msg("verifier.reminder") : msg("agent.reminder");
  tell(draft, agentId, "reminder", spoken(draft, what), world);
  return true;
}

/** A failed attempt; false: it was the last one, and the task has failed or a person is asked. */
export function attemptFailed(
  draft: Draft,
  agentId: string,
  problem: string,
  how: "exited" | "turn_ended" | "turn_failed",
  world: World,
): boolean {
  const agent = draft.get("agent", agentId);
  if (agent === undefined) return false;
  const { document } = draft.task.data;
  const crashes = agent.data.crashes + 1;
  draft.set("agent", agentId, { crashes });
  if (agent.data.role === "verifier") {
    // One that was reminded in vain will not do better when it is asked again.
    if (crashes < retryLimits.agent && how !== "turn_ended") return true;
    couldNotVerify(draft, agent, problem, world);
    return false;
  }
  draft.add("attempt", `attempt_${draft.ids.next()}`, "failed", {
    phase: document?.phase ?? 1,
    step: `work-${document?.phase ?? 1}-${document?.round ?? 0}`,
    startedAt: draft.at,
    endedAt: draft.at,
    problem: problem.slice(0, 4_000),
  });
  if (crashes < retryLimits.agent) return true;
  const failure = {
    reason: "attempts" as const,
    message: spoken(draft, msg("agent.gave_up", { last: problem })),
  };
  stepTask(
    draft,
    { event: "fatal_error", trigger: how, metadata: { exit: problem.slice(0, 2_000) }, failure },
    world,
  );
  return false;
}

/** What a failed turn means depends on who can mend it. */
export function turnFailed(
  draft: Draft,
  agent: Agent,
  { class: kind, message }: { readonly class: FailureClass; readonly message: string },
  world: World,
): void {
  const text = message.slice(0, 2_000);
  const same = { from: agent.status, to: agent.status };
  draft.journal("agent", agent.id, same, "failed", { class: kind, message: text });
  draft.set("agent", agent.id, { failed: kind });
  if (kind === "auth" || kind === "billing") return refusedAccount(draft, agent, kind, text, world);
  if (kind === "network") return outage(draft, agent, text, world);
  if (kind === "session") return beginAnew(draft, agent, world);
  const problem = spoken(draft, msg("agent.turn_failed", { message: text }));
  if (attemptFailed(draft, agent.id, problem, "turn_failed", world))
    tell(draft, agent.id, "note", problem, world);
}

/** The network is tried again. */
export function reconnect(draft: Draft, agentId: string, world: World): void {
  stepAgent(draft, agentId, { event: "unpark", hold: "network", trigger: "RECONNECT" }, world);
}

/** A person says it is mended: a new process reads who it is. */
export function accountMended(draft: Draft, agentId: string, answer: string, world: World): Answer {
  if (answer !== "continue")
    return stepTask(draft, { event: "cancel", failure: cancelled("account") }, world);
  replaceProcess(draft, agentId);
  stepAgent(draft, agentId, { event: "unpark", hold: "account", trigger: "ACCOUNT" }, world);
  return done;
}

// --- internal ---

/** Parked, not failed: only a person can log in or pay. */
function refusedAccount(
  draft: Draft,
  agent: Agent,
  kind: "auth" | "billing",
  message: string,
  world: World,
): void {
  const step = {
    event: "park" as const,
    hold: "account" as const,
    trigger: "ACCOUNT",
    metadata: { class: kind },
    reason: "account",
  };
  if (stepAgent(draft, agent.id, step, world) !== true) return;
  draft.set("agent", agent.id, { cut: true });
  const asked = {
    origin: "account" as const,
    category: "confirmation",
    question: spoken(draft, msg(`account.${kind}`, { agent: agent.data.adapter, message })),
    options: ["continue", "cancel"],
  };
  openQuestion(draft, agent.id, asked, world);
}

/** The conversation is gone, not the work: another one is told what the phase is about. */
function beginAnew(draft: Draft, agent: Agent, world: World): void {
  draft.set("agent", agent.id, { named: null });
  const order = orderFor(draft, agent);
  if (order === undefined) return;
  tell(draft, agent.id, "prompt", order.text, world);
  // Before all else that it was told and has not heard: that is about the prompt.
  const told = draft.get("agent", agent.id)?.data.told ?? [];
  draft.set("agent", agent.id, { told: [...told.slice(-1), ...told.slice(0, -1)] });
}

/** Nobody's fault: tried again a little later, each time after a longer while. */
function outage(draft: Draft, agent: Agent, message: string, world: World): void {
  const { outages } = agent.data;
  const due = draft.now + backoff("transient", outages, world.jitter);
  const step = {
    event: "park" as const,
    hold: "network" as const,
    trigger: "NETWORK",
    metadata: { until: new Date(due).toISOString(), message: message.slice(0, 500) },
    reason: "network",
  };
  if (stepAgent(draft, agent.id, step, world) !== true) return;
  draft.set("agent", agent.id, { outages: outages + 1, cut: true });
  draft.timer("reconnect", agent.id, due);
  // A short one nobody has to know of.
  if (outages + 1 === toldAfter)
    draft.effect("notify", { what: "error", text: message.slice(0, 500) });
}

const toldAfter = 5;
