// Agents that say nothing, or never stand still: a person is asked before anything is killed (S1.14).
import { type Message, msg } from "../../core/messages.ts";
import type { Draft } from "../_draft.ts";
import { openQuestion } from "./ask.ts";
import { replaceProcess } from "./process.ts";
import { spoken } from "./spoken.ts";
import { type Answer, type World, done } from "./world.ts";

export function silent(draft: Draft, agentId: string, world: World): void {
  const agent = draft.get("agent", agentId);
  if (agent === undefined || agent.status !== "running" || !agent.data.slot) return;
  const { silenceMs } = world.policies;
  // Output without a signal is not committed one by one: the file knows better when it spoke.
  const current = draft.get("process", agent.data.process);
  // One that is not there yet (a long set-up) has nothing to say.
  const there = current?.status === "running";
  const last = there ? (world.lastOutputAt ?? current.data.lastOutputAt) : draft.now;
  // One that said it tries again later is as good as its word until then.
  const quiet = draft.now - Math.max(last, current?.data.quietUntil ?? 0);
  if (quiet < silenceMs) return draft.timer("silence", agentId, draft.now + silenceMs - quiet);
  const minutes = Math.round(silenceMs / 60_000);
  askAbout(draft, agentId, "silence", msg("agent.silent", { minutes }), world);
}

export function overtime(draft: Draft, agentId: string, world: World): void {
  const agent = draft.get("agent", agentId);
  if (agent === undefined || agent.status !== "running" || !agent.data.slot) return;
  const minutes = Math.round(world.policies.workMs / 60_000);
  askAbout(draft, agentId, "overtime", msg("agent.overtime", { minutes }), world);
}

/** It tries again by itself and says until when. */
export function retries(draft: Draft, processId: string, until: number | null, world: World): void {
  const process = draft.get("process", processId);
  if (process === undefined || until === null || until <= draft.now) return;
  draft.set("process", processId, { quietUntil: until });
  const { agentId } = process.data;
  if (draft.get("agent", agentId)?.data.slot === true)
    draft.timer("silence", agentId, until + world.policies.silenceMs);
}

export function watchdogAnswered(
  draft: Draft,
  agentId: string,
  origin: "silence" | "overtime",
  answer: string,
  world: World,
): Answer {
  const { silenceMs, workMs } = world.policies;
  if (answer === "wait")
    draft.timer(origin, agentId, draft.now + (origin === "silence" ? silenceMs : workMs));
  else replaceProcess(draft, agentId);
  return done;
}

// --- internal ---

/** Beside its work: it goes on meanwhile. */
function askAbout(
  draft: Draft,
  agentId: string,
  origin: "silence" | "overtime",
  text: Message,
  world: World,
): void {
  const open = draft
    .all("question")
    .some(({ status, data }) => status === "open" && data.origin === origin);
  if (open) return;
  const asked = {
    origin,
    category: "confirmation",
    question: spoken(draft, text),
    options: ["wait", "restart"],
    default: "wait",
  };
  openQuestion(draft, agentId, asked, world);
}
