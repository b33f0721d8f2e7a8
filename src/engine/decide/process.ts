// The processes of an agent, as they are decided on: begun, told, replaced. Carrying it out is the
// supervisor's; here the intent is written down first.
import type { Draft } from "../_draft.ts";
import type { Kinds, ToldMessage } from "../state.ts";
import { workStep } from "./facts.ts";
import type { World } from "./world.ts";

/** A message for the agent: into its input where a process lives, else kept for the next one. */
export function tell(
  draft: Draft,
  agentId: string,
  kind: ToldMessage["kind"],
  text: string,
  world: World,
  about: string | null = null,
): void {
  const agent = draft.get("agent", agentId);
  if (agent === undefined) return;
  const message: ToldMessage = { id: `m${draft.count()}`, kind, text, about };
  draft.set("agent", agentId, { told: [...agent.data.told, message] });
  const current = draft.get("process", agent.data.process);
  if (current && current.status !== "ended") deliver(draft, current.id, [message], world);
}

/** A new process in the place of the old one, which is ended first. */
export function replaceProcess(draft: Draft, agentId: string): void {
  const agent = draft.get("agent", agentId);
  const current = agent && draft.get("process", agent.data.process);
  if (current && current.status !== "ended") {
    draft.set("process", current.id, { wanted: true });
    draft.effect("settle", { agent: agentId });
  }
}

/** The intent to spawn, committed before anything is spawned. */
export function startProcess(draft: Draft, agentId: string, world: World): void {
  const agent = draft.get("agent", agentId);
  if (agent === undefined) return;
  const adapter = world.adapterOf(agent.data.adapter);
  const again = draft.all("process").some(({ data }) => data.agentId === agentId && data.begun);
  const id = `run_${draft.ids.next()}`;
  draft.add("process", id, "starting", {
    agentId,
    begun: false,
    resume: again && adapter.capabilities.resume,
    variables: [...world.provided].toSorted(),
    offset: 0,
    reader: null,
    input: 0,
    startedAt: draft.now,
    lastOutputAt: draft.now,
    code: null,
    signal: null,
    wanted: false,
  });
  draft.set("agent", agentId, { process: id });
  draft.effect("start", { process: id });
  deliver(draft, id, opening(draft, agent, again, adapter.capabilities.resume), world);
  draft.timer("silence", agentId, draft.now + world.policies.silenceMs);
  draft.timer("autosave", agentId, draft.now + world.policies.autosaveMs);
}

// --- internal ---

/** What a new process hears first. */
function opening(
  draft: Draft,
  agent: Kinds["agent"],
  again: boolean,
  resumes: boolean,
): readonly ToldMessage[] {
  if (!again) return agent.data.told;
  if (!resumes) {
    // It knows nothing of the conversation: the phase's prompt, and all it was told since.
    const work = workStep(draft.task);
    const from = agent.data.told.findLastIndex(({ kind }) => kind === "prompt");
    if (from >= 0) return agent.data.told.slice(from);
    return work
      ? [{ id: `m${draft.count()}`, kind: "prompt", text: work.prompt, about: null }]
      : [];
  }
  return agent.data.told;
}

function deliver(
  draft: Draft,
  processId: string,
  messages: readonly ToldMessage[],
  world: World,
): void {
  for (const message of messages) {
    const process = draft.get("process", processId);
    const agent = process && draft.get("agent", process.data.agentId);
    if (process === undefined || agent === undefined) return;
    const adapter = world.adapterOf(agent.data.adapter);
    const { id, kind, text, about } = message;
    const bytes = adapter.message(
      { id, kind, text, ...(about === null ? {} : { about }) },
      { id: agent.data.session },
    );
    const at = process.data.input;
    draft.set("process", processId, { input: at + bytes.length });
    draft.effect("write", {
      process: processId,
      offset: at,
      text: Buffer.from(bytes).toString("utf8"),
    });
  }
}
