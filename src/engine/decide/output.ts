// What an agent says, taken one by one while it runs. What it said before it was frozen waits
// unread: a question behind a claim is asked when the agent goes on (S1.13).
import type { AgentEvent } from "../../agents/adapters/adapter.ts";
import { msg } from "../../core/messages.ts";
import type { Draft } from "../_draft.ts";
import type { Kinds } from "../state.ts";
import { limit, spend } from "./limits.ts";
import { ask, takeSignal } from "./signals.ts";
import { spoken } from "./task.ts";
import type { World } from "./world.ts";

/** Beyond this an agent repeats itself: the oldest are dropped, and that is told. */
const mostUnread = 1_000;

export interface Output {
  readonly events: readonly AgentEvent[];
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
  const more = events.filter(({ type }) => type !== "text");
  const { resume } = world.adapterOf(agent.data.adapter).capabilities;
  // It reacts: what it was told before this has arrived.
  if (resume && more.some(isReaction)) draft.set("agent", agent.id, { told: [] });
  draft.set("agent", agent.id, { unread: [...agent.data.unread, ...more] });
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
  if (taken > 0) draft.set("agent", agentId, { unread: unread.slice(taken) });
}

// --- internal ---

type Agent = Kinds["agent"];

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

function takesNow(draft: Draft, agent: Agent, event: AgentEvent): boolean {
  // Numbers and complaints do not depend on where the agent stands.
  if (event.type === "usage" || event.type === "session" || event.type === "tool") return true;
  if (event.type === "signal" && event.signal.kind === "malformed") return true;
  if (agent.status === "completed" || agent.status === "failed") return true;
  // While a claim is looked at, nothing else of it counts.
  const checking = draft.task.data.document?.stage === "check";
  return agent.status === "running" && !checking;
}

function take(draft: Draft, agentId: string, event: AgentEvent, world: World): void {
  const agent = draft.get("agent", agentId);
  if (agent === undefined || agent.status === "completed" || agent.status === "failed") return;
  switch (event.type) {
    case "signal":
      return takeSignal(draft, agent, event.signal, world);
    case "usage":
      return spend(draft, agent, event.tokens, event.costUsd ?? 0, world);
    case "rateLimited":
      return limit(draft, agent, event.resetAt, event.message, world);
    case "permission": {
      const asked = {
        origin: "permission" as const,
        category: "confirmation",
        question: spoken(
          draft,
          msg("question.permission", { tool: event.tool, detail: event.detail }),
        ),
        options: ["allow", "deny"],
        default: null,
        required: true,
        reference: event.id,
      };
      return ask(draft, agent, asked, world);
    }
    case "failed":
      draft.journal("agent", agentId, { from: agent.status, to: agent.status }, "failed", {
        class: event.class,
        message: event.message.slice(0, 2_000),
      });
      return;
    case "session":
    case "text":
    case "tool":
    case "question":
    case "retry":
    case "turnEnd":
      return;
  }
}
