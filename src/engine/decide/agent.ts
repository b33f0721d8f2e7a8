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
} from "../../core/machines/agent.ts";
import type { Message } from "../../core/messages.ts";
import type { AgentStatus } from "../../core/vocabulary.ts";
import type { Draft } from "../_draft.ts";
import type { AgentData, Kinds } from "../state.ts";
import { agentFacts, isChecked, orderFor, placeOf } from "./facts.ts";
import { interrupt, replaceProcess, startProcess, tell, tellToGoOn, watchOver } from "./process.ts";
import { timeLeft } from "./spent.ts";
import { countTime } from "./time.ts";
import { type World, gateFor } from "./world.ts";

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

export function newAgent(
  draft: Draft,
  { policies }: Pick<World, "policies">,
  name: string,
  role: AgentData["role"] = "work",
  adapter = draft.task.data.agent,
): Agent {
  const data: AgentData = {
    name,
    role,
    adapter,
    session: draft.ids.next(),
    named: null,
    currentPhase: null,
    currentStep: null,
    progress: 0,
    tokensUsed: 0,
    cost: 0,
    blockedBy: null,
    holds: [],
    lastUpdate: draft.at,
    checkpoint: { lastSaved: null, autoSaveInterval: policies.autosaveMs },
    process: null,
    slot: false,
    slotSince: null,
    stillSince: null,
    unread: [],
    told: [],
    claimed: [],
    reminders: 0,
    crashes: 0,
    limits: 0,
    outages: 0,
    cut: false,
    failed: null,
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
  if (to !== "running" && from !== to) standStill(draft, agentId, step, judged, world);
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
  const isChecking = isChecked(draft, agent);
  if (agent.data.slot) {
    // It ended behind its claim, and now there is more for it to do.
    if (!alive && !isChecking) startProcess(draft, agentId, world);
    return;
  }
  // It has nothing to do now, and who judges its claim may need the slot.
  if (isChecking) return;
  const { closedUntil } = gateFor(draft, agent, world);
  if (closedUntil !== null && closedUntil > draft.now) return;
  if (!world.slots.take()) return;
  draft.set("agent", agentId, { slot: true, slotSince: draft.now });
  if (!alive) startProcess(draft, agentId, world);
  // One that is being replaced: the next is started when its end was seen.
  else if (!current.data.wanted) {
    thaw(draft, agent, current, world);
    watchOver(draft, agent, world);
  }
  draft.noTimer("frozen", agentId);
  draft.timer("overtime", agentId, draft.now + world.policies.workMs);
  const left = timeLeft(draft, world);
  if (left !== null) draft.timer("budget", agentId, draft.now + left);
}

/** Given back: it stands still, or another works in its place. */
export function giveSlot(draft: Draft, agentId: string, world: World): void {
  if (draft.get("agent", agentId)?.data.slot === true) {
    countTime(draft, agentId);
    world.slots.give();
    draft.set("agent", agentId, { slot: false, slotSince: null });
  }
  for (const timer of ["silence", "autosave", "budget", "overtime"]) draft.noTimer(timer, agentId);
}

/** Its turn is over, or its time to end it: now it is frozen, and looked at as it stands (S1.10). */
export function softStopped(draft: Draft, agentId: string): void {
  draft.noTimer("freeze", agentId);
  const agent = draft.get("agent", agentId);
  const current = agent && draft.get("process", agent.data.process);
  if (agent === undefined || !current?.data.stopping) return;
  const { snapshot } = current.data.stopping;
  draft.set("process", current.id, { stopping: null });
  if (agent.data.slot) return;
  draft.effect("settle", { agent: agentId });
  if (snapshot !== null) draft.effect("snapshot", { agent: agentId, reason: snapshot });
}

// --- internal ---

function thaw(draft: Draft, agent: Agent, current: Kinds["process"], world: World): void {
  if (current.data.stopping) draft.set("process", current.id, { stopping: null });
  draft.noTimer("freeze", agent.id);
  if (agent.data.cut) {
    draft.set("agent", agent.id, { cut: false });
    if (world.adapterOf(agent.data.adapter).capabilities.structured)
      tellToGoOn(draft, agent.id, world);
  }
  draft.effect("settle", { agent: agent.id });
}

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
      const order = orderFor(draft, agent);
      if (order === undefined) return;
      draft.set("agent", agentId, { reminders: 0, crashes: 0 });
      return tell(draft, agentId, order.kind, order.text, world);
    }
    case "remember_hold":
      draft.set("agent", agentId, { holds: [...agent.data.holds, step.hold ?? "person"] });
      return;
    case "forget_hold": {
      const gone = step.hold ?? "person";
      draft.set("agent", agentId, { holds: agent.data.holds.filter((hold) => hold !== gone) });
      return;
    }
    case "snapshot": {
      const reason = step.reason ?? step.event;
      const current = draft.get("process", agent.data.process);
      // While it ends its turn it still writes: looked at when it stands.
      if (current?.data.stopping) {
        draft.set("process", current.id, { stopping: { snapshot: reason } });
        return;
      }
      return draft.effect("snapshot", { agent: agentId, reason });
    }
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
  step: AgentStep,
  { from, to }: Pick<Judged & { readonly ok: true }, "from" | "to">,
  world: World,
): void {
  const agent = draft.get("agent", agentId);
  if (agent === undefined) return;
  const worked = from === "running";
  if (worked) draft.set("agent", agentId, { stillSince: draft.now });
  giveSlot(draft, agentId, world);
  const current = draft.get("process", agent.data.process);
  if (current?.data.stopping) draft.set("process", current.id, { stopping: null });
  draft.noTimer("freeze", agentId);
  // In the middle of a turn it would lose what it is being told; asked first, it stops between two.
  const isSoft = worked && to === "paused" && mayWait(step);
  if (!isSoft || !interrupt(draft, agent, world)) draft.effect("settle", { agent: agentId });
  if (to !== "completed" && to !== "failed")
    return draft.timer("frozen", agentId, draft.now + world.policies.frozenMs);
  draft.noTimer("frozen", agentId);
  if (agent.data.role === "verifier") draft.effect("remove_copy", { agent: agentId });
}

/** A full disk and files that are put back can not; after a limit or a failure its turn is over. */
function mayWait({ event, trigger, hold }: AgentStep): boolean {
  return (event === "pause" && trigger !== "restore") || hold === "budget";
}
