// What an agent says by a tool of ours instead of a marker (S6.3). It is the same claim, and takes the
// same way; only the answer differs: who calls a tool is told at once what is wrong.
import { msg } from "../../core/messages.ts";
import type { Said, Signal } from "../../core/protocol.ts";
import type { Draft } from "../_draft.ts";
import type { Kinds } from "../state.ts";
import { isChecked } from "./facts.ts";
import { refusal } from "./questions.ts";
import { isRepeated, judgeSignal } from "./signals.ts";
import type { Answer, World } from "./world.ts";

export function say(draft: Draft, process: string, said: Said, world: World): Answer {
  const agent = speakerOf(draft, process, world);
  if (agent === undefined) return refusal("refused", msg("run.replaced"));
  // It has no place in the output.
  const signal: Signal = { ...said, start: 0, end: 0 };
  if (isRepeated(draft, agent, signal)) return told(draft, agent.id, "before");
  // As with a marker: what is said while it stands still waits unread.
  if (agent.status !== "running" || isChecked(draft, agent)) {
    const event = { type: "signal", signal } as const;
    draft.set("agent", agent.id, { unread: [...agent.data.unread, event] });
    return told(draft, agent.id, "later");
  }
  const round = draft.task.data.document?.round;
  const complaint = judgeSignal(draft, agent, signal, world);
  if (complaint !== null) return refusal("refused", complaint);
  const { document, failure } = draft.task.data;
  // Its claim was looked at and refused at once: declared files are missing.
  if (document?.round !== round)
    return refusal("refused", msg("claim.refused_now", { feedback: document?.feedback ?? "" }));
  if (failure !== null && said.kind === "phase_complete")
    return refusal("refused", msg("claim.refused_now", { feedback: failure.message }));
  return told(draft, agent.id, "now");
}

/** A word for people on how it goes; what counts as progress is looked at, not told (S1.21b). */
export function note(draft: Draft, process: string, text: string, world: World): Answer {
  const agent = speakerOf(draft, process, world);
  if (agent === undefined) return refusal("refused", msg("run.replaced"));
  const { id, status } = agent;
  draft.journal("agent", id, { from: status, to: status }, "progress", { note: text });
  return told(draft, id, "now");
}

// --- internal ---

/** The agent whose newest process this is; who speaks is not silent. */
function speakerOf(draft: Draft, processId: string, world: World): Kinds["agent"] | undefined {
  const process = draft.get("process", processId);
  const agent = process && draft.get("agent", process.data.agentId);
  if (process === undefined || process.status === "ended") return undefined;
  if (agent === undefined || agent.data.process !== processId) return undefined;
  if (agent.status === "completed" || agent.status === "failed") return undefined;
  if (agent.data.slot) draft.timer("silence", agent.id, draft.now + world.policies.silenceMs);
  return agent;
}

function told(draft: Draft, agentId: string, taken: "now" | "later" | "before"): Answer {
  return { ok: true, result: { taken, status: draft.get("agent", agentId)?.status ?? null } };
}
