// The processes of an agent, as they are decided on: begun, told, replaced. Carrying it out is the
// supervisor's; here the intent is written down first.
import { msg } from "../../core/messages.ts";
import { variableOf } from "../../core/variable.ts";
import type { Adapter, AgentMessage, AgentSession } from "../../agents/adapters/adapter.ts";
import type { Draft } from "../_draft.ts";
import type { Kinds, Reply, ToldMessage } from "../state.ts";
import { orderFor } from "./facts.ts";
import { spoken } from "./spoken.ts";
import type { World } from "./world.ts";

type Agent = Kinds["agent"];

/** A message for the agent: into its input where a process lives, else kept for the next one. */
export function tell(
  draft: Draft,
  agentId: string,
  kind: ToldMessage["kind"],
  text: string,
  world: World,
  more: Partial<Pick<ToldMessage, "about" | "reply">> = {},
): void {
  const agent = draft.get("agent", agentId);
  if (agent === undefined) return;
  const message = newMessage(draft, kind, text, more);
  draft.set("agent", agentId, { told: [...agent.data.told, message] });
  const current = draft.get("process", agent.data.process);
  // One that is about to be replaced hears nothing more: the next one does.
  if (current && current.status !== "ended" && !current.data.wanted)
    deliver(draft, current.id, [message], world);
}

/** It was cut off and waits: only a message it has not seen sets it going again. */
export function tellToGoOn(draft: Draft, agentId: string, world: World): void {
  tell(draft, agentId, "note", spoken(draft, msg("agent.resumed")), world);
}

/** To the process that asked, and nobody else: not kept, since another one would ask anew. */
export function reply(draft: Draft, text: string, given: Reply, world: World): void {
  deliver(draft, given.process, [newMessage(draft, "answer", text, { reply: given })], world);
}

/** Asks it to end its turn; it stays what it is until it has, or until the timer is due. */
export function interrupt(draft: Draft, agent: Agent, world: World): boolean {
  const adapter = world.adapterOf(agent.data.adapter);
  const current = draft.get("process", agent.data.process);
  // No turn is under way where nothing is left of what it was told.
  const isBusy = agent.data.told.length > 0 && current?.status === "running";
  if (!adapter.interrupt || !isBusy || current.data.wanted) return false;
  write(draft, current.id, adapter.interrupt(`m${draft.count()}`, sessionOf(agent)));
  draft.set("process", current.id, { stopping: { snapshot: null } });
  draft.set("agent", agent.id, { cut: true });
  draft.timer("freeze", agent.id, draft.now + world.policies.softPauseMs);
  return true;
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
  const own = draft.all("process").filter(({ data }) => data.agentId === agentId);
  // Two that write into one conversation tear it apart.
  if (own.some(({ status }) => status !== "ended"))
    throw new RangeError(`a process of ${agentId} lives`);
  const adapter = world.adapterOf(agent.data.adapter);
  const again = own.some(({ data }) => data.begun);
  const id = `run_${draft.ids.next()}`;
  const verifies = agent.data.role === "verifier";
  draft.add("process", id, "starting", {
    agentId,
    begun: false,
    resume: again && adapter.capabilities.resume,
    // Who only reads needs no value.
    variables: verifies ? [] : [...world.provided].map(variableOf).toSorted(),
    offset: 0,
    reader: null,
    input: 0,
    startedAt: draft.now,
    lastOutputAt: draft.now,
    quietUntil: null,
    stopping: null,
    code: null,
    signal: null,
    wanted: false,
    token: world.policies.strictMarkers ? `${draft.ids.next()}-${draft.ids.next()}` : null,
  });
  draft.set("agent", agentId, { process: id, cut: false, failed: null });
  draft.effect("start", { process: id });
  deliver(draft, id, again ? opening(draft, agent, adapter) : agent.data.told, world);
  watchOver(draft, agent, world);
}

/** From when it works, anew or again: is it silent for too long, and copies in between (S1.19). */
export function watchOver(draft: Draft, { id, data }: Agent, { policies }: World): void {
  draft.timer("silence", id, draft.now + policies.silenceMs);
  if (data.role !== "verifier") draft.timer("autosave", id, draft.now + policies.autosaveMs);
}

// --- internal ---

/** What a process hears first that is not the first of its conversation. */
function opening(draft: Draft, agent: Agent, adapter: Adapter): readonly ToldMessage[] {
  const { told } = agent.data;
  const { resume, deduplicates, structured } = adapter.capabilities;
  if (!resume) {
    // It knows nothing of the conversation: the phase's prompt, and all it was told since.
    const from = told.findLastIndex(({ kind }) => kind === "prompt");
    if (from >= 0) return told.slice(from);
    const order = orderFor(draft, agent);
    return order ? [newMessage(draft, "prompt", order.text)] : [];
  }
  // What it may have recorded is safe to repeat only to one that knows its messages by their ids.
  const open = deduplicates ? told : told.filter(({ heard }) => !heard);
  // A request that was answered died with its process: for this one the answer is new.
  const isNew = told.some(({ sent, reply: given }) => !sent || given !== null);
  if (!structured || isNew) return open;
  const goOn = newMessage(draft, "note", spoken(draft, msg("agent.resumed")));
  draft.set("agent", agent.id, { told: [...told, goOn] });
  return [...open, goOn];
}

function newMessage(
  draft: Draft,
  kind: ToldMessage["kind"],
  text: string,
  more: Partial<Pick<ToldMessage, "about" | "reply">> = {},
): ToldMessage {
  const { about = null, reply: given = null } = more;
  return { id: `m${draft.count()}`, kind, text, about, sent: false, heard: false, reply: given };
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
    write(draft, processId, adapter.message(asSent(message, processId), sessionOf(agent)));
    const told = agent.data.told.map((each) =>
      each.id === message.id ? { ...each, sent: true } : each,
    );
    draft.set("agent", agent.id, { told });
  }
}

function asSent({ id, kind, text, about, reply: given }: ToldMessage, to: string): AgentMessage {
  const plain = { id, kind, text, ...(about === null ? {} : { about }) };
  if (given === null || given.process !== to) return plain;
  const { request, permission, answers } = given;
  return { ...plain, about: request, permission, answers };
}

function write(draft: Draft, processId: string, bytes: Uint8Array): void {
  const process = draft.get("process", processId);
  if (process === undefined || process.status === "ended") return;
  const at = process.data.input;
  draft.set("process", processId, { input: at + bytes.length });
  const text = Buffer.from(bytes).toString("utf8");
  draft.effect("write", { process: processId, offset: at, text });
}

function sessionOf({ data }: Agent): AgentSession {
  return { id: data.session, named: data.named ?? undefined };
}
