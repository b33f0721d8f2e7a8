// What an agent says, taken one by one while it runs. What it said before it was frozen waits
// unread: a question behind a claim is asked when the agent goes on (S1.13).
import type { AgentEvent } from "../../agents/adapters/adapter.ts";
import type { Draft } from "../_draft.ts";
import type { Heard, Kinds } from "../state.ts";
import { softStopped } from "./agent.ts";
import { isChecked } from "./facts.ts";
import { limit, spend } from "./limits.ts";
import { takePermission, takeQuestions, useVerdicts } from "./requests.ts";
import { isRepeated, takeSignal } from "./signals.ts";
import { heard, turnFailed, turnOver } from "./turns.ts";
import { retries } from "./watchdogs.ts";
import type { World } from "./world.ts";

/** Beyond this an agent repeats itself: the oldest are dropped, and that is told. */
const mostUnread = 1_000;

export interface Output {
  readonly events: readonly Heard[];
  /** Bytes read so far, and the reader's state after them. */
  readonly offset: number;
  readonly reader: string;
}

export function takeOutput(draft: Draft, processId: string, output: Output, world: World): void {
  const process = draft.get("process", processId);
  const agent = process && draft.get("agent", process.data.agentId);
  if (process === undefined || agent === undefined) return;
  const { offset, reader, events } = output;
  draft.set("process", processId, { offset, reader, lastOutputAt: draft.now });
  if (agent.data.slot) draft.timer("silence", agent.id, draft.now + world.policies.silenceMs);
  const more = events.filter(({ type }) => type !== "text").map((event) => from(processId, event));
  const { resume, structured } = world.adapterOf(agent.data.adapter).capabilities;
  // It reacts: what it was told before this has arrived. One that works by turns says so itself.
  if (resume && !structured && more.some(isReaction)) draft.set("agent", agent.id, { told: [] });
  if (more.length > 0) useVerdicts(draft, processId);
  for (const { type, ...event } of more)
    if (type === "retry" && "until" in event) retries(draft, processId, event.until, world);
  // Whoever waits for that to freeze it does not wait for what it said before.
  if (more.some(({ type }) => type === "turnEnd")) softStopped(draft, agent.id);
  const news = more.filter((event) => !isEcho(draft, agent, event));
  draft.set("agent", agent.id, { unread: [...agent.data.unread, ...news] });
  readOn(draft, agent.id, world);
  dropOldest(draft, agent.id);
}

/** Takes what lies unread, as far as the agent's state allows. */
export function readOn(draft: Draft, agentId: string, world: World): void {
  const unread = draft.get("agent", agentId)?.data.unread ?? [];
  let taken = 0;
  for (const event of unread) {
    const agent = draft.get("agent", agentId);
    if (agent === undefined || !takesNow(draft, agent, event)) break;
    take(draft, agentId, event, world);
    taken++;
  }
  const agent = draft.get("agent", agentId);
  if (taken === 0 || agent === undefined) return;
  // What was said twice before anybody listened was said once.
  const left = unread.slice(taken).filter((event) => !isEcho(draft, agent, event));
  draft.set("agent", agentId, { unread: left });
}

// --- internal ---

type Agent = Kinds["agent"];

function isEcho(draft: Draft, agent: Agent, event: AgentEvent): boolean {
  return event.type === "signal" && isRepeated(draft, agent, event.signal);
}

/** A request is answered to the process that made it. */
function from(process: string, event: Heard): Heard {
  return event.type === "permission" || event.type === "question" ? { ...event, process } : event;
}

function isReaction(event: AgentEvent): boolean {
  return event.type === "signal" && event.signal.kind !== "malformed";
}

function dropOldest(draft: Draft, agentId: string): void {
  const agent = draft.get("agent", agentId);
  const signals = (agent?.data.unread.length ?? 0) - mostUnread;
  if (agent === undefined || signals <= 0) return;
  const { status } = agent;
  draft.journal("agent", agentId, { from: status, to: status }, "dropped", { signals });
  draft.set("agent", agentId, { unread: agent.data.unread.slice(-mostUnread) });
}

/** Numbers, names and complaints do not depend on where the agent stands. */
const always: ReadonlySet<AgentEvent["type"]> = new Set([
  "usage",
  "session",
  "heard",
  "tool",
  "retry",
]);

function takesNow(draft: Draft, agent: Agent, event: AgentEvent): boolean {
  if (always.has(event.type)) return true;
  const isComplaint = event.type === "signal" && event.signal.kind === "malformed";
  if (isComplaint && agent.data.role === "work") return true;
  if (agent.status === "completed" || agent.status === "failed") return true;
  // While a claim is looked at, nothing else of it counts.
  return agent.status === "running" && !isChecked(draft, agent);
}

function take(draft: Draft, agentId: string, event: Heard, world: World): void {
  const agent = draft.get("agent", agentId);
  if (agent === undefined || agent.status === "completed" || agent.status === "failed") return;
  switch (event.type) {
    case "signal":
      return takeSignal(draft, agent, event.signal, world);
    case "usage":
      return spend(draft, agent, event.tokens, event.costUsd ?? 0, world);
    case "rateLimited":
      return limit(draft, agent, event.resetAt, event.message, world);
    case "permission":
      return takePermission(draft, agent, event, world);
    case "question":
      return takeQuestions(draft, agent, event, world);
    case "failed":
      return turnFailed(draft, agent, event, world);
    case "turnEnd":
      return turnOver(draft, agent, world);
    case "heard":
      return heard(draft, agent, event.id);
    case "session":
      if (event.id !== agent.data.named) draft.set("agent", agentId, { named: event.id });
      return;
    case "text":
    case "tool":
    case "retry":
      return;
  }
}
