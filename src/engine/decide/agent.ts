// What a step of the agent's table means for its rows, its processes and what it is told.
//
// A slot is held exactly while the agent is to run and may: it is taken before a process is
// started or thawed and given back when the agent stands still. An agent that is to run and finds
// no free slot waits with `slot: false`; the scheduler grants one, ahead of new tasks (S1.7b).
import type { Json } from "../../core/events.ts";
import type { Hold } from "../../core/machines/_holds.ts";
import {
  type AgentEffect,
  type AgentEvent,
  type AgentInput,
  agentMachine,
  autoSaveInterval,
} from "../../core/machines/agent.ts";
import type { Message } from "../../core/messages.ts";
import type { AgentStatus } from "../../core/vocabulary.ts";
import type { Draft } from "../_draft.ts";
import type { AgentData, Kinds } from "../state.ts";
import { agentFacts, placeOf, workStep } from "./facts.ts";
import { replaceProcess, startProcess, tell } from "./process.ts";
import { timeLeft } from "./spent.ts";
import { countTime } from "./time.ts";
import type { World } from "./world.ts";

export interface AgentStep {
  readonly event: AgentEvent;
  readonly input?: Partial<AgentInput>;
  /** What set it off, where that says more than the event. */
  readonly trigger?: string;
  readonly metadata?: Readonly<Record<string, Json>>;
  /** For park and unpark. */
  readonly hold?: Exclude<Hold, "person">;
  /** The dependency that is asked for. */
  readonly name?: string;
  /** Why a snapshot is taken, where one is. */
  readonly reason?: string;
}

type Agent = Kinds["agent"];
type Judged = ReturnType<typeof agentMachine.step>;

export function newAgent(draft: Draft, name: string): Agent {
  const data: AgentData = {
    name,
    adapter: draft.task.data.agent,
    session: draft.ids.next(),
    currentPhase: null,
    currentStep: null,
    progress: 0,
    tokensUsed: 0,
    cost: 0,
    blockedBy: null,
    holds: [],
    lastUpdate: draft.at,
    checkpoint: { lastSaved: null, autoSaveInterval },
    process: null,
    slot: false,
    slotSince: null,
    unread: [],
    told: [],
    claimed: [],
    reminders: 0,
    crashes: 0,
    limits: 0,
  };
  return draft.add("agent", `agent_${draft.ids.next()}`, "idle", data);
}

/** Would the table allow it? Changes nothing. */
export function judgeAgent(draft: Draft, agent: Agent, step: AgentStep, world: World): Judged {
  return agentMachine.step(
    agent.status,
    step.event,
    agentFacts(draft, agent, world, step),
    step.input ?? {},
  );
}

/** Takes a step that was judged; what it starts from is the state as it was then. */
export function takeAgent(
  draft: Draft,
  agentId: string,
  step: AgentStep,
  judged: Judged & { readonly ok: true },
  world: World,
): void {
  draft.journal("agent", agentId, judged, step.trigger ?? step.event, step.metadata);
  const { phase } = placeOf(draft.task);
  draft.set(
    "agent",
    agentId,
    { ...blockFor(judged.to), currentPhase: phase, lastUpdate: draft.at },
    judged.to,
  );
  const { from, to } = judged;
  // Stopped before it is looked at: a snapshot, a check. Told before it goes on.
  if (to !== "running") standStill(draft, agentId, from, to, world);
  for (const effect of judged.effects) carry(draft, agentId, effect, step, world);
  if (to === "running") goOn(draft, agentId, world);
}

/** Judged and taken in one: for what concerns the agent alone. The refusal otherwise. */
export function stepAgent(
  draft: Draft,
  agentId: string,
  step: AgentStep,
  world: World,
): readonly Message[] | true {
  const agent = draft.get("agent", agentId);
  if (agent === undefined) return [];
  const judged = judgeAgent(draft, agent, step, world);
  if (!judged.ok) return judged.reasons;
  takeAgent(draft, agentId, step, judged, world);
  return true;
}

/** Gives it a slot if there is one, and sets its process going. */
export function goOn(draft: Draft, agentId: string, world: World): void {
  const agent = draft.get("agent", agentId);
  if (agent === undefined || agent.status !== "running") return;
  const current = draft.get("process", agent.data.process);
  const alive = current !== undefined && current.status !== "ended";
  if (agent.data.slot) {
    // It ended behind its claim, and now there is more for it to do.
    if (!alive && draft.task.data.document?.stage === "work") startProcess(draft, agentId, world);
    return;
  }
  if (world.gate.closedUntil !== null && world.gate.closedUntil > draft.now) return;
  if (!world.slots.take()) return;
  draft.set("agent", agentId, { slot: true, slotSince: draft.now });
  if (!alive) startProcess(draft, agentId, world);
  // One that is being replaced: the next is started when its end was seen.
  else if (!current.data.wanted) draft.effect("settle", { agent: agentId });
  draft.noTimer("frozen", agentId);
  const left = timeLeft(draft, world);
  if (left !== null) draft.timer("budget", agentId, draft.now + left);
}

// --- internal ---

function blockFor(status: AgentStatus): Pick<AgentData, "blockedBy"> & Partial<AgentData> {
  if (status === "waiting_dependency") return { blockedBy: "dependency" };
  if (status === "waiting_question") return { blockedBy: "question" };
  if (status === "waiting_review") return { blockedBy: "review" };
  // Ended: what held it back no longer does.
  if (status === "completed") return { blockedBy: null, holds: [], progress: 100 };
  return status === "failed" ? { blockedBy: null, holds: [] } : { blockedBy: null };
}

function carry(
  draft: Draft,
  agentId: string,
  effect: AgentEffect,
  step: AgentStep,
  world: World,
): void {
  const agent = draft.get("agent", agentId);
  if (agent === undefined) return;
  switch (effect) {
    case "send_prompt":
    case "send_feedback": {
      const work = workStep(draft.task);
      if (work === undefined) return;
      draft.set("agent", agentId, { reminders: 0, crashes: 0 });
      return tell(draft, agentId, work.message, work.prompt, world);
    }
    case "remember_hold":
      draft.set("agent", agentId, { holds: [...agent.data.holds, step.hold ?? "person"] });
      return;
    case "forget_hold": {
      const gone = step.hold ?? "person";
      draft.set("agent", agentId, { holds: agent.data.holds.filter((hold) => hold !== gone) });
      return;
    }
    case "snapshot":
      return draft.effect("snapshot", { agent: agentId, reason: step.reason ?? step.event });
    case "verify":
      return draft.effect("verify", { agent: agentId });
    case "inject_value":
      // A living process can not be given a variable: another one takes its place (S1.15).
      return replaceProcess(draft, agentId);
    case "resume_session":
      return startProcess(draft, agentId, world);
    // Told by whoever made the question or dependency, with what it says.
    case "show_question":
    case "show_dependency":
    case "send_answer":
    // What the process does follows from the new status alone: see takeAgent().
    case "start_agent":
    case "freeze_agent":
    case "thaw_agent":
    case "end_agent":
    case "clean_up":
      return;
  }
}

/** The slot is given back, and the process frozen or ended as the status says. */
function standStill(
  draft: Draft,
  agentId: string,
  from: AgentStatus,
  to: AgentStatus,
  world: World,
): void {
  const agent = draft.get("agent", agentId);
  if (agent === undefined || from === to) return;
  if (agent.data.slot) {
    countTime(draft, agentId);
    world.slots.give();
    draft.set("agent", agentId, { slot: false, slotSince: null });
  }
  for (const timer of ["silence", "autosave", "budget"]) draft.noTimer(timer, agentId);
  draft.effect("settle", { agent: agentId });
  if (to === "completed" || to === "failed") draft.noTimer("frozen", agentId);
  else draft.timer("frozen", agentId, draft.now + world.policies.frozenMs);
}
